"""The full screen: one folder a subject, each page beside its view."""
