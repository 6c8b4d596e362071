"""Telling the local network that there is a server here. Imported only by servers that do."""

from collections.abc import Callable

from server.coordinator.lobby.lobby import Lobby
from server.runtime.banner import places_of
from server.transport.lan.discovery import Announcement, ServerAnnouncement
from server.transport.lan.local_addresses import host_name
from server.transport.ssh.host_keys import HostKey
from server.transport.ssh.server import SshServer
from server.version import version


def announcement(host: str, line: SshServer, key: HostKey, door: Callable[[], str]) -> Announcement:
    """What is to be announced of a server that listens for ``host``; on loopback when it is nowhere else.
    ``door`` is the setting, as it is now.
    """

    def addresses() -> list[str]:
        places = places_of(host, line.addresses)
        return [place for place in places if place != "localhost"] or ["127.0.0.1"]

    return Announcement(host_name(), line.port, addresses, key.fingerprint, version(), door)


def standing(lobby: Lobby) -> ServerAnnouncement:
    """How busy this server is."""
    counts = lobby.counts()
    return ServerAnnouncement(counts.visits, counts.tables)
