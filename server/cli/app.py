"""The ``tide`` command with all its subcommands."""

from server.cli.commands import tide

app = tide()
