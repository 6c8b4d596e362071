"""Databases: SQLite and PostgreSQL, the thread that writes, the schema."""
