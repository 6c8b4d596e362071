"""What ``tide serve`` prints: how players join, and by what they know that it is this server."""

import os
import shutil
import sys
from contextlib import suppress
from typing import Final, NamedTuple

from server.runtime.qr import qr_for
from server.transport.lan.local_addresses import own_addresses
from server.transport.ssh.host_keys import HostKey

_SSH: Final = 22
_EVERYWHERE: Final = {"0.0.0.0", "::"}
_LOOPBACK: Final = {"127.0.0.1", "::1"}
_NOWHERE_ELSE: Final = "localhost"
_DOOR: Final = {
    "word": "Players are asked for the server's word, which `tide word` changes.",
    "keys": "Only keys listed in {keys}/players come in (and operators').",
}


class JoinLine(NamedTuple):
    """A way into the house: where it listens, and on which port."""

    addresses: list[str]
    port: int


class JoinInstructions(NamedTuple):
    """What is to be said once the house is open."""

    host: str
    """As it was asked for, such as ``*``."""
    ssh: JoinLine
    telnet: JoinLine | None
    key: HostKey
    lan: str = ""
    """The name that is announced on the network; empty when nothing is announced."""
    door: str = "open"
    """Who may come in, as in the settings."""
    metrics_port: int | None = None

    def lines(self) -> list[str]:
        """One below the other; the last one says how to stop."""
        places = places_of(self.host, self.ssh.addresses)
        lines = self._code(places[0]) if self.lan else []
        lines += ["Turn the Tide is open. To join, type:", ""]
        lines += [f"    {ssh_command(place, self.ssh.port)}" for place in places]
        if self.lan:
            lines += [f"    {ssh_command(self.lan, self.ssh.port)}    (where names in .local work)"]
            lines += ["", "or, where this program is installed:", "", "    tide join"]
        if self.telnet is not None and self.door != "keys":
            lines += ["", "or, where nobody minds who reads along:", ""]
            telnet = places_of(self.host, self.telnet.addresses)
            lines += [f"    telnet {place} {self.telnet.port}" for place in telnet]
        if self.door != "open":
            lines += ["", _DOOR[self.door].format(keys=self.key.path.parent)]
        lines += ["", f"Host key: {self.key.line}"]
        lines += ["For known_hosts:", f"    {self.key.known_hosts(places[0], self.ssh.port)}"]
        if self.key.made:
            lines.append(f"It was made just now, and is kept in {self.key.path}.")
        if self.metrics_port is not None:
            lines.append(
                f"For operators: http://localhost:{self.metrics_port}/metrics and /healthz"
            )
        lines.append("Ctrl-C stops the server.")
        return lines

    def _code(self, place: str) -> list[str]:
        """For telephones. It comes first: what does not fit on the screen must not be what one types."""
        if sys.stdout is None or place == _NOWHERE_ELSE:
            return []
        columns = shutil.get_terminal_size().columns
        text = f"ssh://{_in_url(place)}:{self.ssh.port}"
        code = qr_for(sys.stdout, columns, os.environ, text)
        return [*code, text, ""] if code else []

    def print(self) -> None:
        """On standard output, if anybody reads it."""
        with suppress(OSError, AttributeError, UnicodeError):
            sys.stdout.write("\n".join(self.lines()) + "\n")
            sys.stdout.flush()


def ssh_command(place: str, port: int) -> str:
    """What players type."""
    return f"ssh {place}" if port == _SSH else f"ssh -p {port} {place}"


def way_in(host: str, ssh: JoinLine) -> str:
    """What players type after ``ssh``: where it leads is known to others, too, if there is such a name."""
    return ssh_command(places_of(host, ssh.addresses)[0], ssh.port).removeprefix("ssh ")


def places_of(host: str, addresses: list[str]) -> list[str]:
    """Names under which players reach a server that listens at ``addresses`` for ``host``, each once."""
    found: list[str] = []
    if _EVERYWHERE & set(addresses):
        versions = {6 if ":" in address else 4 for address in _EVERYWHERE & set(addresses)}
        found += [own for own in own_addresses() if (6 if ":" in own else 4) in versions]
        found.append(_NOWHERE_ELSE)
    for address in addresses:
        if address in _LOOPBACK and host == _NOWHERE_ELSE:
            found.append(_NOWHERE_ELSE)
        elif address not in _EVERYWHERE:
            found.append(address)
    return list(dict.fromkeys(found))


def _in_url(place: str) -> str:
    return f"[{place}]" if ":" in place else place
