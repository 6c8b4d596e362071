"""SIGHUP and ``tide admin reload``: settings, keys and certificate are read again, and applied as far as they
can change while people play.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import msgspec
import structlog

from server import logs
from server.config import ConfigError, Settings
from server.coordinator.lobby.lobby import Lobby
from server.moderation.operators import Reread
from server.transport.session.server import GameServer
from server.transport.ssh.host_keys import COMING, KeyProblem, load
from server.transport.ssh.server import SshServer
from server.transport.telnet.server import CertificateProblem, TelnetServer, load_certificate

if TYPE_CHECKING:
    from server.transport.lan.discovery import Announcement

log = structlog.get_logger("server")

LIVE: Final = (
    "door",
    "notice",
    "log_level",
    "log_addresses",
    "stop_seconds",
    "limits",
    "tables",
    "timing",
)
"""Settings that can change while the server runs; all others are looked at only when it starts."""


class Reloader:
    """``read`` reads the settings again, or raises ``ConfigError``."""

    def __init__(
        self,
        settings: Settings,
        read: Callable[[], Settings],
        lobby: Lobby,
        server: GameServer,
        ssh: SshServer,
        telnet: TelnetServer | None,
        announcement: "Announcement | None",
    ) -> None:
        self._settings = settings
        self._read: Final = read
        self._lobby: Final = lobby
        self._server: Final = server
        self._ssh: Final = ssh
        self._telnet: Final = telnet
        self._announcement: Final = announcement
        self._started_with: Final = settings
        """Names the files of keys and certificate: a change of these settings needs a restart."""

    def reload(self) -> Reread:
        """Read and apply, and log what came of it. A file that cannot be used changes nothing."""
        self._reload_keys()
        self._reload_certificate()
        try:
            wanted = self._read()
        except ConfigError as problem:
            log.error("settings not reread", reason=str(problem))
            return Reread(problem=str(problem))
        changed = _changed(self._settings, wanted)
        live = [name for name in changed if name.split(".")[0] in LIVE]
        late = [name for name in changed if name not in live]
        self._settings = msgspec.structs.replace(
            self._settings, **{name: getattr(wanted, name) for name in LIVE}
        )
        self._lobby.adjust(self._settings.timing, self._settings.tables)
        self._server.adjust(self._settings)
        logs.set_level(self._settings.log_level)
        logs.set_addresses(self._settings.log_addresses)
        log.info("settings reread", changed=live)
        if late:
            log.warning("these settings need a restart", settings=late)
        return Reread(tuple(live), tuple(late))

    def _reload_keys(self) -> None:
        directory = self._started_with.keys
        try:
            key, coming = load(directory), load(directory, COMING)
        except KeyProblem as problem:
            log.error("keys not reread", reason=str(problem))
            return
        if key is None:
            log.error("keys not reread", reason=f"there is no key in {directory}")
            return
        self._ssh.use(key, coming)
        if self._announcement is not None:
            self._announcement.fingerprint = key.fingerprint
        log.info("keys reread", key=key.fingerprint, coming=coming.fingerprint if coming else None)

    def _reload_certificate(self) -> None:
        if self._telnet is None:
            return
        try:
            self._telnet.use(
                load_certificate(self._started_with.tls_cert, self._started_with.tls_key)
            )
        except CertificateProblem as problem:
            log.error("certificate not reread", reason=str(problem))


def _changed(before: Settings, after: Settings) -> list[str]:
    """Keys, as in the file, whose values differ."""
    old, new = (msgspec.to_builtins(each, enc_hook=str) for each in (before, after))
    found = []
    for key, value in old.items():
        if isinstance(value, dict):
            found += [f"{key}.{part}" for part in value if value[part] != new[key][part]]
        elif value != new[key]:
            found.append(key)
    return found
