"""``tide join``: find servers on the local network, choose one, and become the system's ``ssh``."""

import json
import os
import shutil
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import click
from click.exceptions import Exit

from server.cli.commands import complain, own_words, run, say

if TYPE_CHECKING:
    from server.i18n.lookup import Words
    from server.transport.lan import Neighbour


_KNOCK_SECONDS: Final = 2.0
_AGAIN: Final = "r"
_QUIT: Final = "q"
_SEPARATOR: Final = " · "


@click.command()
@click.argument(
    "which",
    metavar="[SERVER]",
    required=False,
    help="Number or name from the list: join it right away.",
)
@click.option(
    "--name", metavar="NAME", help="Login, such as ada or ada+de.", show_default="your user name"
)
@click.option(
    "--wait",
    metavar="SECONDS",
    type=click.FloatRange(0.1, 60),
    default=3.0,
    help="How long to listen for servers.",
)
@click.option("--list", "only_list", is_flag=True, help="List servers without joining one.")
@click.option(
    "--at",
    metavar="ADDRESS",
    multiple=True,
    help="Search only the network where this machine has this address; can be repeated.",
    show_default="all networks",
)
@click.option(
    "--json", "as_json", is_flag=True, help="With --list: one line of JSON for each server."
)
def join(
    which: str | None,
    name: str | None,
    wait: float,
    only_list: bool,
    at: tuple[str, ...],
    as_json: bool,
) -> None:
    """Find servers on the local network, and join one with ssh.

    Servers started with --lan are found. The list shows which of them ask for a password or admit listed keys
    only. Anyone on the network can announce a server under any name: compare the fingerprint that ssh shows
    with the one on the host's screen.
    """

    def search() -> int:
        import asyncio
        import ipaddress

        from server.transport.lan import CannotMulticast, look_around, own_addresses

        words, listed = own_words(), only_list or as_json
        try:
            given = [str(ipaddress.ip_address(one)) for one in at]
        except ValueError:
            complain(words.t("--at: this machine does not have that address"))
            return 2
        # Loopback, too, for a server on this machine.
        networks = given or [*own_addresses(), "127.0.0.1"]
        asking = not listed and sys.stdin is not None and sys.stdin.isatty()
        while True:
            if asking or which:
                say(words.t("Looking for servers on this network ..."))
            try:
                found = asyncio.run(look_around(networks, wait))
            except CannotMulticast as problem:
                complain(words.t("This network cannot be searched: {reason}", reason=problem))
                return 1
            for line in map(_json, found) if as_json else listing(found, words):
                say(line)
            if listed or not (asking or which):
                return 0 if found else 1
            chosen = choose(found, which) if which else _asked(found, words)
            if chosen == _QUIT:
                return 0 if found else 1
            if isinstance(chosen, tuple):
                return _go(chosen, name, words)
            if which:
                if found:
                    complain(words.t("There is no server {which} in this list.", which=which))
                return 1

    raise Exit(run(search))


def _asked(found: "Sequence[Neighbour]", words: "Words") -> "Neighbour | str":
    """Ask for a server; return it, or ``_AGAIN`` or ``_QUIT``."""
    if found:
        prompt = words.n(
            "Enter joins it, r looks again, q leaves: ",
            "A number joins that server, r looks again, q leaves: ",
            len(found),
        )
    else:
        prompt = words.t("r looks again, q leaves: ")
    while True:
        sys.stdout.write(prompt)
        sys.stdout.flush()
        line = sys.stdin.readline()
        answer = line.strip() if line else _QUIT
        if answer.lower() in {_QUIT, _AGAIN}:
            return answer.lower()
        if not answer and len(found) == 1:
            return found[0]
        if one := choose(found, answer):
            return one


def _go(server: "Neighbour", name: str | None, words: "Words") -> int:
    ssh = shutil.which("ssh")
    if ssh is None:
        complain(words.t("There is no ssh on this machine; any SSH client will do:"))
        say(f"{server.addresses[0]} {server.port}")
        return 1
    place = reachable(server)
    if place is None:
        complain(words.t("{name} does not answer any more.", name=server.name))
        return 1
    command = ssh_to(place, server.port, name)
    say(" ".join(["ssh", *command]))
    if server.fingerprint:
        say(words.t("It says that its key is {fingerprint}", fingerprint=server.fingerprint))
        say(words.t("What counts is the key on your host's screen."))
    sys.stdout.flush()
    return os.execv(ssh, ["ssh", *command])


def ssh_to(place: str, port: int, name: str | None) -> list[str]:
    """Return the arguments for ``ssh``: what came from the network is an address, after ``--``.

    Anybody may have announced the server: it gets neither the user's agent nor the display.
    """
    login = ["-l", name] if name else []
    return ["-a", "-x", "-p", str(port), *login, "--", place]


def choose(found: "Sequence[Neighbour]", which: str) -> "Neighbour | None":
    """Return the server with this number, or else the only one whose name begins with it."""
    if which.isdecimal() and which.isascii():
        number = int(which[:9])
        return found[number - 1] if 0 < number <= len(found) else None
    alike = [one for one in found if one.name.casefold().startswith(which.casefold())]
    exact = [one for one in alike if one.name.casefold() == which.casefold()]
    candidates = exact or alike
    return candidates[0] if which and len(candidates) == 1 else None


def listing(found: "Sequence[Neighbour]", words: "Words") -> list[str]:
    """Return the list of servers: a line for each, and one below for its key."""
    if not found:
        return [
            words.t("No server answers on this network."),
            words.t("Only servers that were started with `tide serve --lan` answer."),
        ]
    lines = []
    for number, server in enumerate(found, 1):
        address = server.addresses[0]
        place = f"[{address}]" if ":" in address else address
        facts = [f"{number:>3}  {server.name}", f"{place}:{server.port}"]
        if server.people is not None:
            facts.append(words.n("{count} person", "{count} people", server.people))
        if server.tables is not None:
            facts.append(words.n("{count} table", "{count} tables", server.tables))
        if server.access == "password":
            facts.append(words.t("asks for a password"))
        elif server.access == "keys":
            facts.append(words.t("only for listed keys"))
        lines.append(_SEPARATOR.join(facts))
        if server.fingerprint:
            lines.append(f"     {server.fingerprint}")
    lines.append(words.t("Anybody can announce a name: compare the key with your host's."))
    return lines


def _json(server: "Neighbour") -> str:
    """Return a server as JSON."""
    return json.dumps({key: None if it == "" else it for key, it in server._asdict().items()})


def reachable(server: "Neighbour") -> str | None:
    """Return the first address of a server that can be reached; not all need be on our network."""
    for place in server.addresses:
        address = (place, server.port)
        with suppress(OSError), socket.create_connection(address, _KNOCK_SECONDS):
            return place
    return None
