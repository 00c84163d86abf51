"""The proof that nothing leaves and nothing stays, taken from outside the program.

A program of the same kind as a person's own is started, a talk is held with it as the
page would, and its sockets, its files and its output are watched meanwhile. Read
``prove.py`` first.
"""
