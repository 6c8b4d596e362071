"""What ``tide serve`` prints: how players join, and the key that identifies the server."""

import os
import shutil
import sys
from typing import Final

from server.settings.loading import public_address
from server.settings.settings import Settings
from server.terminal.drawing.svg import qr_code
from server.transport.lan import own_addresses
from server.transport.net.sockets import Listening
from server.transport.ssh.server import HostKey

_SSH: Final = 22
_AFTER: Final = 7
"""Rows that follow a QR code: what it says, how to stop the server, and what is logged at once."""
_EVERYWHERE: Final = {"0.0.0.0", "::"}
_LOOPBACK: Final = {"127.0.0.1", "::1"}
_NOWHERE_ELSE: Final = "localhost"
_ACCESS: Final = {
    "password": "Players are asked for the server's password (set it with: tide password).",
    "keys": "Only keys listed in {keys}/players can log in (and operators').",
}


def join_lines(
    settings: Settings,
    ssh: Listening,
    telnet: Listening | None,
    key: HostKey,
    *,
    lan: str = "",
    metrics_port: int | None = None,
) -> list[str]:
    """What is printed once the server is up; the last line says how to stop it.

    ``lan`` is the name that is announced on the network; empty when nothing is announced.
    """
    places = places_of(settings.host, ssh.addresses)
    reached = [(place, ssh.port) for place in places]
    if public := public_address(settings):
        reached.insert(0, (public[0], public[1] or ssh.port))
    code = _code(places[0], ssh.port) if lan else []
    lines = ["Turn the Tide is open. To join, type:", ""]
    lines += [f"    {ssh_command(*each)}" for each in dict.fromkeys(reached)]
    if lan:
        lines += [f"    {ssh_command(lan, ssh.port)}    (where names in .local work)"]
        lines += ["", "or, where this program is installed:", "", "    tide join"]
    if telnet is not None and settings.access != "keys":
        lines += ["", "or, on a trusted network (telnet is not encrypted):", ""]
        places = places_of(settings.host, telnet.addresses)
        lines += [f"    telnet {place} {telnet.port}" for place in places]
    if settings.access != "open":
        lines += ["", _ACCESS[settings.access].format(keys=key.path.parent)]
    lines += ["", f"Host key: {key.line}"]
    lines += ["For known_hosts:", f"    {key.known_hosts(*reached[0])}"]
    if key.made:
        lines.append(f"It is new, and stored in {key.path}.")
    if metrics_port is not None:
        host = settings.metrics_host
        place = _NOWHERE_ELSE if host == "*" else f"[{host}]" if ":" in host else host
        lines.append(f"For operators: http://{place}:{metrics_port}/metrics and /healthz")
    return [*lines, *code, "Ctrl-C stops the server."]


def _code(place: str, port: int) -> list[str]:
    """A QR code and what it says, printed last: nothing that follows scrolls it off the screen.

    None where there are not rows enough.
    """
    if sys.stdout is None or place == _NOWHERE_ELSE:
        return []
    host = f"[{place}]" if ":" in place else place
    text = f"ssh://{host}:{port}"
    size = shutil.get_terminal_size()
    code = qr_code(text, sys.stdout, size.columns)
    return ["", *code, text, ""] if code and len(code) + _AFTER <= size.lines else []


def ssh_command(place: str, port: int) -> str:
    """What players type."""
    return f"ssh {place}" if port == _SSH else f"ssh -p {port} {place}"


def way_in(settings: Settings, ssh: Listening) -> str:
    """What players type after ``ssh``, preferably with an address that others can reach.

    Empty when it is not known: behind a load balancer or in a container
    (https://systemd.io/CONTAINER_INTERFACE), that is another machine's.
    """
    if public := public_address(settings):
        host, port = public
    elif settings.proxies or "container" in os.environ:
        return ""
    else:
        host, port = places_of(settings.host, ssh.addresses)[0], 0
    return ssh_command(host, port or ssh.port).removeprefix("ssh ")


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
