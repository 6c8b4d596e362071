"""The operators' page, and reports to operators."""
