"""``tide keys``: the server's SSH key, what to publish of it, and how to change it without alarm."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from server.cli.problems import fail

if TYPE_CHECKING:
    from server.transport.ssh.host_keys import HostKey

_Keys = Annotated[
    Path | None,
    typer.Option(
        "--keys", help="The keys directory, if not the one that `tide serve` uses by itself."
    ),
]
_Port = Annotated[
    int | None,
    typer.Option("--ssh-port", min=1, max=65535, help="That players use. [the server's]"),
]
_Hosts = Annotated[
    list[str] | None,
    typer.Argument(metavar="[HOST]...", help="Names and addresses that players type."),
]
_Finish = Annotated[bool, typer.Option("--finish", help="Put the new key in use.")]
_AtOnce = Annotated[
    bool, typer.Option("--at-once", help="Without waiting for players to learn of the new key.")
]
_Cancel = Annotated[bool, typer.Option("--cancel", help="Give the new key up again.")]

LEARNING_DAYS: Final = 14
"""So long a new key is announced before it may be put in use: players come back that often."""
_DAY: Final = 24 * 60 * 60


def register(app: typer.Typer) -> None:
    """Add the commands."""
    keys = typer.Typer(help="The server's SSH key: show it, change it.", no_args_is_help=True)
    keys.command("show", short_help="Print the key as others may need it: known_hosts, DNS.")(show)
    keys.command("rotate", short_help="Change the key so that nobody's ssh complains.")(rotate)
    app.add_typer(keys, name="keys")


def show(hosts: _Hosts = None, keys: _Keys = None, ssh_port: _Port = None) -> None:
    """Print the key's fingerprint, lines for known_hosts, and SSHFP records for the DNS."""
    from server.cli.output import run, say
    from server.config import ConfigError, load
    from server.runtime.banner import places_of
    from server.transport.net.sockets import BindProblem, addresses
    from server.transport.ssh.host_keys import COMING

    def tell() -> int:
        for line in lines:
            say(line)
        return 0

    try:
        settings = load({"keys": None if keys is None else str(keys)})
        there = [address for _, address in addresses(settings.host)] if not hosts else []
    except (ConfigError, BindProblem) as problem:
        fail(problem, 2)
    places = hosts or places_of(settings.host, there)
    port = ssh_port or settings.ssh_port or 22
    current = _needed(settings.keys)
    lines = _account("in use", current, places, port)
    if coming := _key(settings.keys, COMING):
        lines += ["", *_account("to come, announced beside it", coming, places, port)]
    raise typer.Exit(run(tell))


def rotate(
    keys: _Keys = None, finish: _Finish = False, at_once: _AtOnce = False, cancel: _Cancel = False
) -> None:
    """Change the server's key in two steps, so that nobody's ssh warns of a stranger.

    The first time, a new key is made: the server announces it beside the old one, and OpenSSH's clients learn
    it. Two weeks later, --finish puts it in use. If the old key has leaked: --at-once does both now.
    """
    from server.cli.output import run, say
    from server.config import ConfigError, load
    from server.transport.ssh import host_keys

    def tell() -> int:
        for line in lines:
            say(line)
        return 0

    if cancel and (finish or at_once):
        fail("--cancel goes with nothing else", 2)
    try:
        directory = load({"keys": None if keys is None else str(keys)}).keys
    except ConfigError as problem:
        fail(problem, 2)
    try:
        _needed(directory)
        if cancel:
            gone = host_keys.give_up_coming(directory)
            lines = ["The new key is gone." if gone else "There was no new key."]
        elif at_once or finish:
            _check_age(directory, finish=finish, at_once=at_once)
            host_keys.make_coming(directory)
            key = host_keys.change(directory)
            lines = [
                f"In use, once the server has been told: {key.line}",
                f"The former key is kept in {directory / host_keys.FORMER}; remove it if it has leaked.",
            ]
        else:
            key = host_keys.make_coming(directory)
            lines = [
                f"{'Made' if key.made else 'There is already'} a key to come: {key.line}",
                f"It is announced beside the one in use. In {LEARNING_DAYS} days: tide keys rotate --finish",
            ]
    except host_keys.KeyProblem as problem:
        fail(problem)
    lines.append("Tell a running server: systemctl reload tide, or kill -HUP its process.")
    raise typer.Exit(run(tell))


def _check_age(directory: Path, *, finish: bool, at_once: bool) -> None:
    import time

    from server.transport.ssh.host_keys import COMING

    path = directory / COMING
    if not path.exists():
        if finish and not at_once:
            fail("there is no key to come; tide keys rotate makes one")
        return
    days = (time.time() - path.stat().st_mtime) / _DAY
    if days < LEARNING_DAYS and not at_once:
        fail(
            f"the new key is only {days:.0f} days old; whoever has not been here since would be warned of a "
            f"stranger. Wait until it is {LEARNING_DAYS} days old, or add --at-once"
        )


def _account(what: str, key: "HostKey", places: list[str], port: int) -> list[str]:
    lines = [f"The key {what}:", f"  {key.line}", "For known_hosts:"]
    lines += [f"  {key.known_hosts(place, port)}" for place in places]
    if names := [place for place in places if _is_name(place)]:
        lines.append("For the DNS (SSHFP; worth something with DNSSEC):")
        lines += [f"  {key.sshfp(f'{name}.')}" for name in names]
    return lines


def _is_name(place: str) -> bool:
    """Whether it can have records in the DNS."""
    return place != "localhost" and ":" not in place and not place.replace(".", "").isdecimal()


def _needed(directory: Path) -> "HostKey":
    key = _key(directory, None)
    if key is None:
        fail(f"there is no key in {directory}; the server makes one when it first starts")
    return key


def _key(directory: Path, name: str | None) -> "HostKey | None":
    from server.transport.ssh import host_keys

    try:
        return host_keys.load(directory, name or host_keys.FILE)
    except host_keys.KeyProblem as problem:
        fail(problem)
