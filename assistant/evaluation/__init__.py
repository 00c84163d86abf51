"""Quality measurements: one module a suite, each over the project's own sets."""
