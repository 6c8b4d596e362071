"""``ssh HOST turns``: the caller's games by correspondence, a line each. Nobody comes in for that."""

from typing import Final

from typing_extensions import override

from server.i18n.lookup import words_for
from server.transport.session.server import Session
from server.viewmodels.lobby import game_lines

WAITS: Final = 0
NONE_WAITS: Final = 1
UNKNOWN: Final = 2
"""How it exits: when it could not be found out, or the caller may not come in, with the last one."""


class TurnsSession(Session):
    """Prints them, and tells by its status whether one waits for the caller."""

    @override
    async def _play(self) -> None:
        caller, server, terminal = self.caller, self.server, self.terminal
        self.status = UNKNOWN
        person, abilities = await self._recognized()
        name = person.name if person is not None else ""
        if self._turned_away(name, caller.identity, caller.address):
            return
        coordinator, words = server.coordinator, words_for(abilities.language)
        games = await coordinator.correspondence_of(person.id) if person is not None else ()
        end = "\n" if terminal.abilities.wraps else "\r\n"
        for line in game_lines(games, name, coordinator.clock.time(), words):
            terminal.write(f"{line}{end}")
        self.status = WAITS if any(game.waits for game in games) else NONE_WAITS
