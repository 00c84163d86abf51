"""Ebb: a private place to talk for someone caught in a trauma bond."""

__version__ = "0.1.0"
