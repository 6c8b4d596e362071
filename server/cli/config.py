"""Options for the server's files, the settings in force, and ``tide config``, which shows them."""

import json
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar

import click

from server.cli.output import fail, finish, own_words

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
    """Run ``work`` on what a server keeps.

    Raises ``CannotOpen`` and ``ConfigError``; ends the command when the database is lost.
    """
    import asyncio

    from server import logs
    from server.settings.loading import database_url
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
    """Run ``work`` on finished games, likewise."""
    from server.storage.history_store import HistoryStore

    return with_database(settings_in_force(state=state), lambda it: work(HistoryStore(it)))


def kept_record(state: Path | None, game: int) -> str:
    """A finished game's record. Ends the command when there is none."""
    return with_archive(state, lambda history: history.record(game)) or no_such_game(game)


def no_such_game(game: int) -> NoReturn:
    """Say so, and end the command."""
    words = own_words()
    fail(words.t("there is no game {number}; list games with: tide records list", number=game))


commands = click.Group(help="Show or check the server's settings.")


@commands.command()
@config_option
@state_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def show(config: Path | None, state: Path | None, as_json: bool) -> None:
    """Print all settings in force, as a file that `tide serve` reads.

    A comment says where a setting comes from unless it has its default.
    """
    from server.settings.loading import without_password
    from server.settings.settings import declared

    layers, settings = layers_in_force(config=config, state=state)
    values = {key: one.value_in(settings) for key, one in declared().items()}
    values["database"] = without_password(settings.database)
    sources = dict.fromkeys(values, "default")
    sources |= {key: source for source, given in layers for key in given}

    if as_json:
        import msgspec

        found = {key: {"value": values[key], "from": sources[key]} for key in values}
        finish([msgspec.json.encode(found, enc_hook=str).decode()])
    finish(_file(values, sources))


def _file(values: dict[str, Any], sources: dict[str, str]) -> Iterator[str]:
    within = ""
    for key, value in values.items():
        section, _, name = key.rpartition(".")
        if section != within:
            yield f"\n[{section}]"
            within = section
        comment = "" if sources[key] == "default" else f"  # {sources[key]}"
        plain = value if isinstance(value, bool | int | float) else str(value)
        shown = f"{name} = {json.dumps(plain, ensure_ascii=False)}{comment}"
        yield f"#{name} =" if value is None else shown


@commands.command()
@config_option
@state_option
def check(config: Path | None, state: Path | None) -> None:
    """Check settings, SSH keys and certificate.

    The same checks as when the server starts, without starting it.
    The exit status is 2 for a setting that cannot be used, and 1 for a file.
    """
    from server.settings.loading import database_url, readable_by_all, unknown_variables
    from server.transport.access import policy
    from server.transport.ssh.server import COMING, load
    from server.transport.telnet.server import load_certificate

    layers, settings = layers_in_force(config=config, state=state)
    database_url(settings)
    load(settings.keys)
    load(settings.keys, COMING)
    load_certificate(settings.tls_cert, settings.tls_key)
    if settings.access == "password" and policy.read(settings.keys / policy.FILE) is None:
        fail("the server's password is not set; set it with: tide password")

    used = [source for source, given in layers[1:] if given]
    found = f" in: {', '.join(used)}" if used else ": all defaults"
    warnings = [f"warning: {line}" for line in [*unknown_variables(), *readable_by_all(settings)]]
    finish([*warnings, f"No {'other ' * bool(warnings)}problems found{found}."])
