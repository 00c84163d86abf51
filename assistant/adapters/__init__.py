"""Adapters: each heavy library behind its port, imported nowhere else."""
