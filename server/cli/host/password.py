"""``tide password``: what players are asked for when the setting ``access`` is ``password``."""

import sys
import unicodedata
from getpass import getpass
from pathlib import Path

import click

from server.cli.output import fail
from server.cli.state_dir import config_option, keys_option, settings_in_force, state_option

_FEWEST = 4
_FEW = 8


@click.command()
@click.option("--none", is_flag=True, help="Remove the password.")
@keys_option
@config_option
@state_option
def password(none: bool, keys: Path | None, config: Path | None, state: Path | None) -> None:
    """Set the password that players are asked for.

    It is used when the setting access is "password". It is typed twice, or read from standard input if that
    is not a terminal, and stored hashed in the keys directory. It takes effect at once, also in a running
    server; everyone is asked for a new password once.
    """
    from server.transport.access import password as passwords

    settings = settings_in_force(keys=keys, state=state, config=config)
    path = settings.keys / passwords.FILE
    try:
        if none:
            there = path.exists()
            path.unlink(missing_ok=True)
            done = "Removed the password from" if there else "There was no password in"
            click.echo(f"{done} {path}.")
            if settings.access == "password":
                click.echo(
                    'The setting access is "password": until there is a new one, only listed keys can log in.'
                )
            return
        said = _asked()
        settings.keys.mkdir(mode=0o700, parents=True, exist_ok=True)
        passwords.write(path, said)
    except OSError as problem:
        fail(f"{problem.filename or path}: {problem.strerror}")
    click.echo(f"The password is set, and stored hashed in {path}.")
    if len(said) < _FEW:
        click.echo("It is short: an address can try ten passwords, and then one every half minute.")
    if settings.access != "password":
        click.echo(
            f'It is not asked for yet: the setting access is "{settings.access}". Set access = "password".'
        )


def _asked() -> str:
    """The password, normalized. Ends the command when it cannot be one."""
    from server.transport.access import password as passwords

    if sys.stdin.isatty():
        # Unlike click's own, this prompt comes when nothing is shown any more.
        typed = getpass("Server password: ")
        if typed != getpass("Once more: "):
            fail("the two passwords differ; nothing has been changed", 2)
    else:
        try:
            typed = sys.stdin.readline(4 * passwords.LONGEST).removeprefix("\ufeff")
        except UnicodeDecodeError:
            fail("standard input is not UTF-8 text", 2)
    said = passwords.plain(typed)
    if any(unicodedata.category(char) == "Cc" for char in said):
        fail("a password is text that can be typed; nothing has been changed", 2)
    if len(said) < _FEWEST:
        fail(f"a password needs at least {_FEWEST} characters; nothing has been changed", 2)
    return said
