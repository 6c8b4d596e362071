"""Twelve clients that press whatever screens and help offer, in any state, and look whether all is well.

``run`` has what a run is; ``goals`` what a monkey wants; ``monkey`` how it reads and presses, and what it
checks; ``company`` what all of them know and have found; ``sight`` what can be read off a screen; ``memory``
and ``programs`` the two kinds of houses: one in this process with a clock that hurries, and a real server
with the system's ``ssh`` and ``telnet``.
"""
