"""The commands of ``ebb``: one module each, the only ones that print."""
