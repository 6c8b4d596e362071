"""Looking around on the local network, choosing a server, and becoming ``ssh``."""

import asyncio
import ipaddress
import json
import os
import shutil
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from server.cli.output import complain, own_words, say
from server.i18n.catalogues import Words
from server.transport.lan.discovery import CannotMulticast, Neighbour, look_around
from server.transport.lan.local_addresses import own_addresses

_KNOCK_SECONDS: Final = 2.0
_AGAIN: Final = "r"
_QUIT: Final = "q"
_SEPARATOR: Final = " · "


@dataclass(frozen=True, kw_only=True)
class Joining:
    """One run of ``tide join``, as it was typed."""

    which: str | None
    name: str | None
    wait: float
    """Seconds."""
    only_list: bool
    at: Sequence[str] | None
    """Addresses of this machine."""
    as_json: bool = False
    words: Words = field(default_factory=own_words)

    def run(self) -> int:
        """The exit status, unless it ends in ``ssh``."""
        words = self.words
        try:
            given = [str(ipaddress.ip_address(one)) for one in self.at or ()]
        except ValueError:
            complain(words.t("--at: that is no address of this machine"))
            return 2
        # Loopback too, for a server beside us.
        networks = given or [*own_addresses(), "127.0.0.1"]
        asking = not self.only_list and sys.stdin is not None and sys.stdin.isatty()
        while True:
            if asking or self.which:
                say(words.t("Looking for servers on this network ..."))
            try:
                found = asyncio.run(look_around(networks, self.wait))
            except CannotMulticast as problem:
                complain(words.t("This network cannot be searched: {reason}", reason=problem))
                return 1
            for line in map(_json, found) if self.as_json else listing(found, words):
                say(line)
            if self.only_list or not (asking or self.which):
                return 0 if found else 1
            chosen = self._chosen(found) if self.which else self._asked(found)
            if isinstance(chosen, int):
                return chosen
            if chosen is not None:
                return self._go(chosen)

    def _chosen(self, found: list[Neighbour]) -> Neighbour | int:
        """The one that was named when the command was typed."""
        assert self.which
        one = choose(found, self.which)
        if one is None and found:
            complain(self.words.t("There is no server {which} in this list.", which=self.which))
        return one or 1

    def _asked(self, found: list[Neighbour]) -> Neighbour | int | None:
        """Whom the player chooses; an exit status, or ``None`` to look again."""
        words = self.words
        if found:
            prompt = words.n(
                "Enter joins it, r looks again, q leaves: ",
                "Its number joins a server, r looks again, q leaves: ",
                len(found),
            )
        else:
            prompt = words.t("r looks again, q leaves: ")
        while True:
            sys.stdout.write(prompt)
            sys.stdout.flush()
            line = sys.stdin.readline()
            answer = line.strip()
            if not line or answer.lower() == _QUIT:
                return 0 if found else 1
            if answer.lower() == _AGAIN:
                return None
            if not answer and len(found) == 1:
                return found[0]
            if one := choose(found, answer):
                return one

    def _go(self, server: Neighbour) -> int:
        words = self.words
        ssh = shutil.which("ssh")
        if ssh is None:
            complain(words.t("There is no ssh on this machine; any SSH client will do:"))
            say(f"{server.addresses[0]} {server.port}")
            return 1
        place = asyncio.run(reachable(server))
        if place is None:
            complain(words.t("{name} does not answer any more.", name=server.name))
            return 1
        command = ssh_to(place, server.port, self.name)
        say(" ".join(["ssh", *command]))
        if server.fingerprint:
            say(words.t("It says that its key is {fingerprint}", fingerprint=server.fingerprint))
            say(words.t("What counts is the key on your host's screen."))
        sys.stdout.flush()
        return os.execv(ssh, ["ssh", *command])


def ssh_to(place: str, port: int, name: str | None) -> list[str]:
    """The arguments for ``ssh``. What came from the network stands behind ``--``, and is an address.

    A server that anybody may have announced gets neither the agent nor the display of whoever plays.
    """
    login = ["-l", name] if name else []
    return ["-a", "-x", "-p", str(port), *login, "--", place]


def choose(found: Sequence[Neighbour], which: str) -> Neighbour | None:
    """The one with this number, or else the only one whose name begins like that."""
    if which.isdecimal() and which.isascii():
        number = int(which[:9])
        return found[number - 1] if 0 < number <= len(found) else None
    alike = [one for one in found if one.name.casefold().startswith(which.casefold())]
    exact = [one for one in alike if one.name.casefold() == which.casefold()]
    candidates = exact or alike
    return candidates[0] if which and len(candidates) == 1 else None


def listing(found: Sequence[Neighbour], words: Words) -> list[str]:
    """What was found, as one line for a server and one below for its key."""
    if not found:
        return [
            words.t("No server answers on this network."),
            words.t("One that was started with `tide serve --lan` would."),
        ]
    lines = []
    for number, server in enumerate(found, 1):
        facts = [f"{number:>3}  {server.name}", f"{shown(server.addresses[0])}:{server.port}"]
        if server.standing is not None:
            people, tables = server.standing
            facts += [
                words.n("{count} person", "{count} people", people),
                words.n("{count} table", "{count} tables", tables),
            ]
        if server.door == "word":
            facts.append(words.t("asks for a password"))
        elif server.door == "keys":
            facts.append(words.t("only for listed keys"))
        lines.append(_SEPARATOR.join(facts))
        if server.fingerprint:
            lines.append(f"     {server.fingerprint}")
    lines.append(words.t("Anybody can announce a name: compare the key with your host's."))
    return lines


def _json(server: Neighbour) -> str:
    """For programs."""
    people, tables = server.standing or (None, None)
    return json.dumps(
        {
            "name": server.name,
            "addresses": server.addresses,
            "port": server.port,
            "fingerprint": server.fingerprint or None,
            "people": people,
            "tables": tables,
            "door": server.door or None,
        }
    )


def shown(place: str) -> str:
    """An address as it stands before a port."""
    return f"[{place}]" if ":" in place else place


async def reachable(server: Neighbour) -> str | None:
    """The first of a server's addresses where something listens; not all need be on our network."""
    for place in server.addresses:
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(_KNOCK_SECONDS):
                _, writer = await asyncio.open_connection(place, server.port)
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()
            return place
    return None
