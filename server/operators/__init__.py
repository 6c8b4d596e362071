"""Operators: who is one, what they do, and the audit log."""
