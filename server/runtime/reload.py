"""SIGHUP: read the settings anew, and take over what can change while people play."""

from collections.abc import Callable
from typing import Final

import msgspec
import structlog

from server import logs
from server.config import ConfigError, Settings
from server.coordinator.lobby.lobby import Lobby
from server.moderation.operators import Reread
from server.transport.session.server import GameServer

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
    """The settings in force. ``reload`` reads them anew, or raises ``ConfigError``."""

    def __init__(self, settings: Settings, reload: Callable[[], Settings]) -> None:
        self.settings = settings
        self._reload: Final = reload
        self._parts: tuple[Lobby, GameServer] | None = None
        self._missed = False
        self._also: Final[list[Callable[[], None]]] = []

    def apply_to(self, lobby: Lobby, house: GameServer) -> None:
        """Who is told of changes; until then there are none."""
        self._parts = lobby, house

    def begin(self, also: Callable[[], None]) -> None:
        """The server is up; ``also`` looks at what else may have changed. What was missed is done now."""
        self._also.append(also)
        if self._missed:
            self.now()

    def now(self) -> Reread:
        """Read and apply, and tell the log what came of it. A file that cannot be used changes nothing."""
        if self._parts is None:
            self._missed = True
            return Reread()
        for look in self._also:
            look()
        try:
            wanted = self._reload()
        except ConfigError as problem:
            log.error("settings not reread", reason=str(problem))
            return Reread(problem=str(problem))
        differing = _differing(self.settings, wanted)
        live = [name for name in differing if name.split(".")[0] in LIVE]
        late = [name for name in differing if name not in live]
        self.settings = msgspec.structs.replace(
            self.settings, **{name: getattr(wanted, name) for name in LIVE}
        )
        lobby, house = self._parts
        lobby.adjust(self.settings.timing, self.settings.tables)
        house.adjust(self.settings)
        logs.set_level(self.settings.log_level)
        logs.set_addresses(self.settings.log_addresses)
        log.info("settings reread", changed=live)
        if late:
            log.warning("these settings need a restart", settings=late)
        return Reread(tuple(live), tuple(late))


def _differing(before: Settings, after: Settings) -> list[str]:
    """Keys, as in the file, whose values differ."""
    old, new = (msgspec.to_builtins(each, enc_hook=str) for each in (before, after))
    found = []
    for key, value in old.items():
        if isinstance(value, dict):
            found += [f"{key}.{part}" for part in value if value[part] != new[key][part]]
        elif value != new[key]:
            found.append(key)
    return found
