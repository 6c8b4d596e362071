"""``tide word``: the word that players say at the door, where the setting ``door`` asks for one."""

import sys
from getpass import getpass
from pathlib import Path
from typing import Annotated

import typer

from server.cli.problems import fail
from server.cli.state_dir import StateOption

_FEWEST = 4
_FEW = 8


def register(app: typer.Typer) -> None:
    """Add ``tide word``."""
    app.command("word", short_help="Set the word that players are asked for.")(word)


def word(
    none: Annotated[bool, typer.Option("--none", help="Take the word away.")] = False,
    keys: Annotated[
        Path | None, typer.Option("--keys", help="The server's directory of keys.")
    ] = None,
    config: Annotated[
        Path | None, typer.Option("--config", help="The server's file with settings.")
    ] = None,
    state: StateOption = None,
) -> None:
    """Set the word that players are asked for, where the setting door is "word".

    It is typed twice, or read from standard input when that is no terminal, and kept hashed in the keys
    directory. A running server asks for it from the next player on, and everybody says it once.
    """
    from server.config import ConfigError, load
    from server.transport.access import password

    try:
        given = {"keys": keys, "state": state}
        settings = load({key: str(path) for key, path in given.items() if path}, config=config)
    except ConfigError as problem:
        fail(problem, 2)
    path = settings.keys / password.FILE
    try:
        if none:
            _take_away(path, settings.door == "word")
            return
        said = _asked()
        settings.keys.mkdir(mode=0o700, parents=True, exist_ok=True)
        password.write(path, said)
    except OSError as problem:
        fail(f"{problem.filename or path}: {problem.strerror}")
    typer.echo(f"The word is set; {path} keeps it hashed.")
    if len(said) < _FEW:
        typer.echo(
            "It is a short one: whoever guesses may try ten, and then one every half minute."
        )
    if settings.door != "word":
        typer.echo(
            f'The door is "{settings.door}": set door = "word", or TIDE_DOOR=word, to have it asked for.'
        )


def _take_away(path: Path, asked_for: bool) -> None:
    there = path.exists()
    path.unlink(missing_ok=True)
    typer.echo(f"The word is gone from {path}." if there else f"There was no word in {path}.")
    if asked_for:
        typer.echo(
            'The door is "word": only listed keys can come in now, until there is another word.'
        )


def _asked() -> str:
    """The word, as it counts. Ends the command when it cannot be one."""
    from server.transport.access import password

    if sys.stdin.isatty():
        # Unlike typer's own, this prompt comes when nothing is shown any more.
        typed = getpass("Server word: ")
        if typed != getpass("Once more: "):
            fail("these were two different words: nothing has been changed", 2)
    else:
        try:
            typed = sys.stdin.readline(4 * password.LONGEST)
        except UnicodeDecodeError:
            fail("standard input is not UTF-8 text", 2)
    said = password.plain(typed)
    if len(said) < _FEWEST:
        fail(f"a word has at least {_FEWEST} characters: nothing has been changed", 2)
    return said
