"""Standing under strange input: many small changes to made-up texts and files.

``python -m tests.fuzz --help`` tells how to run it for long; ``tests/test_fuzz.py``
gives every target a moment in each test run.
"""
