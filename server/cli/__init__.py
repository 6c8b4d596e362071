"""The ``tide`` command."""

from server.cli.importing import importing


def main() -> None:
    """Entry point of the ``tide`` script."""
    with importing():
        from server.cli.subcommands import tide
    tide(prog_name="tide")


__all__ = ["main"]
