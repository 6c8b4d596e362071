"""Options for the server's files, for commands that use them beside a running server, or without one."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn, TypeVar

import click

from server.cli.output import fail

if TYPE_CHECKING:
    from server.config import Layer, Settings
    from server.storage.history_sql import HistoryStore

T = TypeVar("T")

PATH: Final = click.Path(path_type=Path)

state_option = click.option(
    "--state",
    metavar="PATH",
    type=PATH,
    help="State directory.",
    show_default="as for tide serve",
)
keys_option = click.option(
    "--keys", metavar="PATH", type=PATH, help="Keys directory.", show_default="as for tide serve"
)
config_option = click.option(
    "--config",
    metavar="FILE",
    type=PATH,
    help="TOML file with settings; by default tide.toml in the state directory, if it exists.",
)


def layers_in_force(
    *, state: Path | None = None, keys: Path | None = None, config: Path | None = None
) -> "tuple[list[Layer], Settings]":
    """The settings, given these options, and where they come from. Ends the command when they are wrong."""
    from server.config import ConfigError, layers, settings_of

    given = {"state": state, "keys": keys}
    try:
        found = layers({key: str(path) for key, path in given.items() if path}, config=config)
        return found, settings_of(found)
    except ConfigError as problem:
        fail(problem, 2)


def settings_in_force(**given: Path | None) -> "Settings":
    """The settings, given these options of ``layers_in_force``."""
    return layers_in_force(**given)[1]


def database_in_force(settings: "Settings") -> str:
    """The URL of the database, empty for a file in the state directory. Ends the command when it is wrong."""
    from server.config import ConfigError, database_url

    try:
        return database_url(settings)
    except ConfigError as problem:
        fail(problem, 2)


def with_archive(state: Path | None, work: "Callable[[HistoryStore], Awaitable[T]]") -> T:
    """Run ``work`` on the finished games. Ends the command when they cannot be used."""
    import asyncio

    from server import logs
    from server.storage.databases.database import CannotOpen
    from server.storage.history_sql import HistoryStore
    from server.storage.statedir import open_archive
    from server.storage.store import StoreError

    settings = settings_in_force(state=state)
    url = database_in_force(settings)

    async def run() -> T:
        async with open_archive(settings.state, url) as archive:
            return await work(HistoryStore(archive))

    logs.set_up("human", "error")
    try:
        return asyncio.run(run())
    except CannotOpen as problem:
        fail(problem)
    except StoreError as problem:
        fail(f"the database could not be used ({problem.code}); nothing has been changed")


def kept_record(state: Path | None, game: int) -> str:
    """A finished game's record. Ends the command when there is none."""
    return with_archive(state, lambda history: history.record(game)) or no_such_game(game)


def no_such_game(game: int) -> NoReturn:
    """Say so, and end the command."""
    fail(f"there is no game {game}; list games with: tide records list")
