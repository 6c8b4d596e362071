"""Reloading of settings, keys and certificates while a server runs."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import msgspec
import structlog

from server import logs
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.messages.operator_orders import OperatorReply
from server.coordinator.people.names import forbidden_words
from server.coordinator.people.people import People
from server.runtime.front import Front
from server.settings.settings import ConfigError, Settings, declared
from server.transport.ssh.server import COMING, KeyProblem, load
from server.transport.telnet.server import CertificateProblem, load_certificate

if TYPE_CHECKING:
    from server.transport.lan import Announcement

log = structlog.get_logger("server")

LIVE: Final = (
    *("access", "forbidden_names", "notice", "log_level", "log_addresses", "stop_seconds"),
    *("limits", "tables", "timing"),
)
"""Settings that can change while the server runs; all others are looked at only when it starts."""


@dataclass
class Reloader:
    """SIGHUP and ``tide admin reload``.

    Settings, keys and certificate are read again, and applied as far as they can change while people
    play. ``read`` reads the settings, or raises ``ConfigError``.
    """

    settings: Settings
    read: Callable[[], Settings]
    lobby: Lobby | None = None
    people: People | None = None
    front: Front | None = None
    announcement: "Announcement | None" = None

    def reload(self) -> OperatorReply:
        """Read, apply and log changes. A file that cannot be used changes nothing."""
        self._reload_keys()
        self._reload_certificate()
        try:
            wanted = self.read()
        except ConfigError as problem:
            log.error("settings_not_reread", reason=str(problem))
            return OperatorReply("settings", {"problem": str(problem)})
        changed = [
            key
            for key, setting in declared().items()
            if setting.value_in(self.settings) != setting.value_in(wanted)
        ]
        live = [name for name in changed if name.split(".")[0] in LIVE]
        late = [name for name in changed if name not in live]
        self.settings = msgspec.structs.replace(
            self.settings, **{name: getattr(wanted, name) for name in LIVE}
        )
        if self.lobby is not None:
            self.lobby.adjust(self.settings.timing, self.settings.tables)
        if self.people is not None:
            self.people.forbidden = forbidden_words(self.settings.forbidden_names)
        if self.front is not None:
            self.front.server.adjust(self.settings)
        logs.adjust(self.settings.log_level, self.settings.log_addresses)
        log.info("settings_reread", changed=live)
        if late:
            log.warning("settings_need_restart", settings=late)
        return OperatorReply(facts={"changed": ", ".join(live), "late": ", ".join(late)})

    def _reload_keys(self) -> None:
        directory = self.settings.keys
        try:
            key, coming = load(directory), load(directory, COMING)
        except KeyProblem as problem:
            log.error("keys_not_reread", reason=str(problem))
            return
        if key is None:
            log.error("keys_not_reread", reason=f"there is no key in {directory}")
            return
        if self.front is not None:
            self.front.ssh.use(key, coming)
        if self.announcement is not None:
            self.announcement.fingerprint = key.fingerprint
        log.info("keys_reread", key=key.fingerprint, coming=coming.fingerprint if coming else None)

    def _reload_certificate(self) -> None:
        if self.front is None or self.front.telnet is None:
            return
        try:
            certificate = load_certificate(self.settings.tls_cert, self.settings.tls_key)
            self.front.telnet.use(certificate)
        except CertificateProblem as problem:
            log.error("certificate_not_reread", reason=str(problem))
