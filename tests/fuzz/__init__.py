"""Hostile input: one harness for each kind of it, with the invariants that must hold whatever comes.

``test_harnesses.py`` runs all of them briefly with every test run; ``make fuzz MINUTES=5 [NAME=keys]`` runs
them for as long as wanted, guided by what code they reach.
"""
