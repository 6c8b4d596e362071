"""How a command fails: one plain line, and an exit status."""

from typing import NoReturn

import typer


def fail(message: object, status: int = 1) -> NoReturn:
    """Say what is wrong on standard error, and end with ``status``."""
    typer.echo(f"tide: {message}", err=True)
    raise typer.Exit(status)
