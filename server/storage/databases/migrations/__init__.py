"""The schema: numbered files of SQL."""
