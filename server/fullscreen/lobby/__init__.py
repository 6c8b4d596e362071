"""The lobby, the waiting room of a table and the options form."""
