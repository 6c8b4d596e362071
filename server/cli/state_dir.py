"""Options for the server's files, for commands that use them beside a running server, or without one."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn, TypeVar

import click

from server.cli.output import fail, own_words

if TYPE_CHECKING:
    from server.settings.loading import Layer
    from server.settings.settings import Settings
    from server.storage.databases.database import Database
    from server.storage.history_store import HistoryStore

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
    """The settings, given these options, and where they come from. Raises ``ConfigError``."""
    from server.settings.loading import layers, settings_of

    given = {"state": state, "keys": keys}
    found = layers({key: str(path) for key, path in given.items() if path}, config=config)
    return found, settings_of(found)


def settings_in_force(**given: Path | None) -> "Settings":
    """The settings, given these options of ``layers_in_force``."""
    return layers_in_force(**given)[1]


def with_database(settings: "Settings", work: "Callable[[Database], Awaitable[T]]") -> T:
    """Run ``work`` on what a server keeps. Raises ``CannotOpen`` and ``ConfigError``; ends the command when
    the database is lost.
    """
    import asyncio

    from server import logs
    from server.settings.addresses import database_url
    from server.storage.statedir import NothingKept, open_archive
    from server.storage.store import StoreError

    url = database_url(settings)

    async def run() -> T:
        async with open_archive(settings.state, url) as database:
            return await work(database)

    logs.set_up("human", "error")
    try:
        return asyncio.run(run())
    except NothingKept:
        words = own_words()
        text = words.t(
            "No server has kept anything in {state}. The option --state names another directory.",
            state=settings.state,
        )
        fail(text)
    except StoreError as problem:
        words = own_words()
        fail(words.t("the database could not be used ({code})", code=problem.code))


def with_archive(state: Path | None, work: "Callable[[HistoryStore], Awaitable[T]]") -> T:
    """The same on finished games."""
    from server.storage.history_store import HistoryStore

    return with_database(settings_in_force(state=state), lambda it: work(HistoryStore(it)))


def kept_record(state: Path | None, game: int) -> str:
    """A finished game's record. Ends the command when there is none."""
    return with_archive(state, lambda history: history.record(game)) or no_such_game(game)


def no_such_game(game: int) -> NoReturn:
    """Say so, and end the command."""
    words = own_words()
    fail(words.t("there is no game {number}; list games with: tide records list", number=game))
