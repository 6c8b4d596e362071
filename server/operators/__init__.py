"""Operators: their orders, moderation and the audit log."""
