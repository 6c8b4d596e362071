"""The server's files: options for them, ``tide config``, ``tide keys`` and ``tide password``."""

import json
import sys
import time
import unicodedata
from collections.abc import Awaitable, Callable, Iterator
from getpass import getpass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar

import click
import msgspec

from server.cli.commands import fail, finish, own_words
from server.settings import loading
from server.settings.settings import Settings, declared

if TYPE_CHECKING:
    from server.storage.databases.database import Database
    from server.storage.history_store import HistoryStore
    from server.transport.ssh.server import HostKey


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
) -> tuple[list[loading.Layer], Settings]:
    """Return the sources of the settings, given these options, and the settings. Raises ``ConfigError``."""
    given = {"state": state, "keys": keys}
    found = loading.layers({key: str(path) for key, path in given.items() if path}, config=config)
    return found, loading.settings_of(found)


def settings_in_force(**given: Path | None) -> Settings:
    """Return the settings, given these options of ``layers_in_force``."""
    return layers_in_force(**given)[1]


def with_database(settings: Settings, work: "Callable[[Database], Awaitable[T]]") -> T:
    """Run ``work`` on a server's database, and return its result.

    Raises ``CannotOpen`` and ``ConfigError``; ends the command if there is no database, or it fails.
    """
    import asyncio

    from server import StoreError, logs
    from server.storage.statedir import NothingKept, open_archive

    url = loading.database_url(settings)

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
    """Run ``work`` on the finished games, as ``with_database`` does."""
    from server.storage.history_store import HistoryStore

    return with_database(settings_in_force(state=state), lambda it: work(HistoryStore(it)))


def kept_record(state: Path | None, game: int) -> str:
    """Return a finished game's record. Ends the command if there is none."""
    return with_archive(state, lambda history: history.record(game)) or no_such_game(game)


def no_such_game(game: int) -> NoReturn:
    """End the command, as there is no game with this number."""
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
    layers, settings = layers_in_force(config=config, state=state)
    values = {key: one.value_in(settings) for key, one in declared().items()}
    values["database"] = loading.without_password(settings.database)
    sources = dict.fromkeys(values, "default")
    sources |= {key: source for source, given in layers for key in given}

    if as_json:
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
    from server.transport.access import password
    from server.transport.ssh.server import COMING, load
    from server.transport.telnet.server import load_certificate

    layers, settings = layers_in_force(config=config, state=state)
    loading.database_url(settings)
    load(settings.keys)
    load(settings.keys, COMING)
    load_certificate(settings.tls_cert, settings.tls_key)
    if settings.access == "password" and password.read(settings.keys / password.FILE) is None:
        fail("the server's password is not set; set it with: tide password")

    used = [source for source, given in layers[1:] if given]
    found = f" in: {', '.join(used)}" if used else ": all defaults"
    doubts = [*loading.unknown_variables(), *loading.readable_by_all(settings)]
    warnings = [f"warning: {line}" for line in doubts]
    finish([*warnings, f"No {'other ' * bool(warnings)}problems found{found}."])


LEARNING_DAYS: Final = 14
"""How long a new key is announced before it may be put into use."""


key_commands = click.Group(help="Show or change the server's SSH key.")


@key_commands.command("show")
@click.argument("host", nargs=-1, help="Names and addresses that players type.")
@keys_option
@click.option(
    "--ssh-port",
    metavar="N",
    type=click.IntRange(1, 65535),
    help="Port that players use.",
    show_default="as for tide serve",
)
@click.option("--json", "as_json", is_flag=True, help="One line of JSON for each key.")
def show_keys(
    host: tuple[str, ...], keys: Path | None, ssh_port: int | None, as_json: bool
) -> None:
    """Print fingerprint, known_hosts lines and SSHFP records."""
    from server.runtime.banner import places_of
    from server.transport.net.sockets import BindProblem, addresses
    from server.transport.ssh.server import COMING, load

    settings = settings_in_force(keys=keys)
    try:
        there = [address for _, address in addresses(settings.host)] if not host else []
    except BindProblem as problem:
        fail(problem, 2)
    current, coming = _needed(settings.keys), load(settings.keys, COMING)
    places = list(host) or places_of(settings.host, there)
    port = ssh_port or settings.ssh_port or 22
    if as_json:
        found = {"in use": current} | ({"announced": coming} if coming else {})
        lines = [json.dumps(_as_json(state, key, places, port)) for state, key in found.items()]
    else:
        lines = _account("in use", current, places, port)
        if coming:
            lines += ["", *_account("announced, not yet in use", coming, places, port)]
    finish(lines)


@key_commands.command()
@keys_option
@click.option("--finish", "put_into_use", is_flag=True, help="Put the new key into use.")
@click.option("--at-once", is_flag=True, help="Do not wait until players know the new key.")
@click.option("--cancel", is_flag=True, help="Discard the new key.")
def rotate(keys: Path | None, put_into_use: bool, at_once: bool, cancel: bool) -> None:
    """Change the key in two steps, without warnings from ssh.

    First, a new key is made, which the server announces beside the old one; OpenSSH clients learn it when
    they connect. Two weeks later, --finish puts it into use. If the old key has leaked, --at-once does both.
    """
    from server.transport.ssh import server

    if cancel and (put_into_use or at_once):
        fail("--cancel cannot be combined with other options", 2)
    directory = settings_in_force(keys=keys).keys
    _needed(directory)
    if cancel:
        gone = server.give_up_coming(directory)
        lines = ["The new key has been discarded." if gone else "There was no new key."]
    elif at_once or put_into_use:
        if not at_once:
            _check_age(directory / server.COMING)
        server.make_coming(directory)
        key = server.change(directory)
        lines = [
            f"In use after the server has reloaded: {key.line}",
            f"The former key is kept in {directory / server.FORMER}; delete it if it has leaked.",
        ]
    else:
        key = server.make_coming(directory)
        lines = [
            f"{'Made a new key' if key.made else 'There is already a new key'}: {key.line}",
            f"It is announced beside the current one. In {LEARNING_DAYS} days: tide keys rotate --finish",
        ]
    lines.append("Have a running server reload: systemctl reload tide, or kill -HUP its process.")
    finish(lines)


def _check_age(path: Path) -> None:
    if not path.exists():
        fail("there is no new key; make one with: tide keys rotate")
    days = (time.time() - path.stat().st_mtime) / 86_400
    if days < LEARNING_DAYS:
        fail(
            f"the new key is only {days:.0f} days old: ssh would warn players who have not connected since. "
            f"Wait until it is {LEARNING_DAYS} days old, or add --at-once"
        )


def _account(what: str, key: "HostKey", places: list[str], port: int) -> list[str]:
    lines = [f"The key {what}:", f"  {key.line}", "For known_hosts:"]
    lines += [f"  {key.known_hosts(place, port)}" for place in places]
    if names := [place for place in places if _is_name(place)]:
        lines.append("For DNS (SSHFP; only useful with DNSSEC):")
        lines += [f"  {key.sshfp(f'{name}.')}" for name in names]
    return lines


def _as_json(state: str, key: "HostKey", places: list[str], port: int) -> dict[str, object]:
    return {
        "state": state,
        "fingerprint": key.fingerprint,
        "known_hosts": [key.known_hosts(place, port) for place in places],
        "sshfp": [key.sshfp(f"{place}.") for place in places if _is_name(place)],
    }


def _is_name(place: str) -> bool:
    """Return whether a place can have records in the DNS."""
    return place != "localhost" and ":" not in place and not place.replace(".", "").isdecimal()


def _needed(directory: Path) -> "HostKey":
    """Return the current key. Ends the command if there is none; raises ``KeyProblem``."""
    from server.transport.ssh.server import load

    return load(directory) or fail(
        f"there is no key in {directory}; the server makes one on its first start"
    )


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
    """Read a new password and normalize it. Ends the command if it is not valid."""
    from server.transport.access import password as passwords

    if sys.stdin.isatty():
        # Unlike click's prompt, this one comes once the echo is off.
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
