"""Make a folder that runs Ebb on another computer of the same system.

Nothing need be installed there: no Python, no compiler, no connection. ``python -m
bundle`` makes it, ``bundle/texts/README.txt`` says to its user what it is.
"""
