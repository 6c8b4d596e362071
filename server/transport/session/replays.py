"""``ssh HOST replay CODE``: a finished game for whoever has its code, and from a terminal on to the title."""

from typing import Final

import structlog
from typing_extensions import override

from server.coordinator.contract import Known
from server.coordinator.messages import Reply
from server.coordinator.time_source import SystemClock
from server.fullscreen.replay_router import ReplayRouter
from server.i18n.lookup import Words, words_for
from server.linemode.narration import LineReplay
from server.playback.replayed_game import ReplayedGame
from server.terminal.application import PlayerApplication
from server.terminal.capabilities import ByteStream, Capabilities
from server.terminal.drawing.frame import wrap
from server.text.refusals import refusal
from server.transport.session.frontends import DrawnFrontend
from server.transport.session.server import Session

log = structlog.get_logger("session")


class ReplayFrontend(DrawnFrontend):
    """The page of a replay and nothing else, until the viewer has seen enough."""

    def __init__(self, terminal: ByteStream, game: ReplayedGame, abilities: Capabilities) -> None:
        self._screen: Final = ReplayRouter(game, SystemClock(), abilities)
        self._tui = PlayerApplication(terminal, self._screen)

    @property
    def goes_on(self) -> bool:
        """Whether the viewer has gone back, and not hung up."""
        return not self._screen.hung_up

    @override
    async def run(self) -> None:
        try:
            await self._tui.play()
        finally:
            self._screen.context.close_all()
            self._screen.context.stop()

    @override
    def slow(self) -> None:
        self._screen.context.found(thin=True)


class ReplaySession(Session):
    """Shows the game that the caller's login asks for, or prints it where there is no full screen. At a
    terminal, the viewer comes in after it.
    """

    @override
    async def _play(self) -> None:
        caller, terminal = self.caller, self.terminal
        if self._turned_away("", caller.identity, caller.address):
            return
        self.status = 1
        person, abilities = await self._recognized()
        words, found = words_for(abilities.language), await self._find(person)
        if isinstance(found, str):
            self._tell([refusal(Reply(found), words)])
            return
        self.status = 0
        if abilities.lines or abilities.echoes:
            self._tell(told_again(found, words))
            goes_on = not abilities.wraps
        else:
            log.info("replay", game=found.number, address=caller.address)
            self.frontend = viewer = ReplayFrontend(terminal, found, abilities)
            await viewer.run()
            self.frontend, goes_on = None, viewer.goes_on
        if goes_on:
            await super()._play()

    async def _find(self, person: Known | None) -> ReplayedGame | str:
        visitor = person.id if person is not None else ""
        library = self.server.library_of(visitor, self.caller.address)
        return await library.by_code(self.caller.login.replay) if library else "no_games"

    def _tell(self, lines: list[str]) -> None:
        columns, end = self.terminal.size.columns - 1, "\r\n"
        if self.terminal.abilities.wraps:
            end = "\n"
        if not self.terminal.abilities.reader:
            lines = [part for line in lines for part in wrap(line, columns)]
        self.terminal.write("".join(f"{line}{end}" for line in lines))


def told_again(game: ReplayedGame, words: Words) -> list[str]:
    """All of a game as sentences, as everybody could see it."""
    replay = LineReplay(game)
    names = ", ".join(seat.name for seat in game.info.seats)
    lines = [words.t("Replay of {title}: {names}.", title=game.info.title, names=names)]
    lines += replay.told(words)
    while replay.move_to(replay.at + 1):
        lines += replay.told(words)
    return lines
