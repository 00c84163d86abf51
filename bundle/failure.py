"""What is raised where a bundle cannot be made."""


class BundleError(Exception):
    """A bundle cannot be made; the message says why, and what helps."""
