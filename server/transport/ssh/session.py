"""One session within an SSH connection: its requests, commands, terminal, and bytes of both directions."""

import asyncio
from collections.abc import Mapping
from typing import Final, NamedTuple, cast

import asyncssh
import structlog
from msgspec.structs import replace
from typing_extensions import override

from server.cleaning import clean_text, clean_word, shortened
from server.coordinator.contract import Known
from server.coordinator.messages import Reply
from server.fullscreen.page_map import ReplayRouter
from server.i18n.lookup import Words, languages, words_for
from server.jsonapi.schema import schema
from server.linemode.narration import LineReplay
from server.playback import ReplayedGame
from server.storage.history import REPLAY_CODE
from server.terminal.application import PlayerApplication
from server.terminal.capabilities import ByteStream, Capabilities, ConnectionStats
from server.terminal.drawing.frame import wrap
from server.text.refusals import refusal
from server.timers import SystemClock
from server.transport.access.login import CODE, Login
from server.transport.asyncssh_hooks import BoundedChannel
from server.transport.net.bandwidth import SLOW_LINE_SPEED
from server.transport.net.terminal_detection import Charset, abilities_of, clamp, told_by
from server.transport.session.frontends import DrawnFrontend
from server.transport.session.server import Session
from server.transport.session.terminals import RemoteTerminal
from server.transport.ssh.connection import SshConnection
from server.viewmodels.lobby import game_lines

WAITS: Final = 0
NONE_WAITS: Final = 1
UNKNOWN: Final = 2
"""Exit statuses; the last one if the games could not be looked up, or the caller is banned."""


class TurnsSession(Session):
    """Prints the caller's games by correspondence; its status tells whether one waits for the caller."""

    @override
    async def _play(self) -> None:
        server, terminal = self.server, self.terminal
        self.status = UNKNOWN
        person, abilities = await self._recognized()
        name = person.name if person is not None else ""
        if self._turned_away(name):
            return
        coordinator, words = server.coordinator, words_for(abilities.language)
        games = await coordinator.correspondence_of(person.id) if person is not None else ()
        end = "\n" if terminal.abilities.wraps else "\r\n"
        for line in game_lines(games, name, coordinator.clock.time(), words):
            terminal.write(f"{line}{end}")
        self.status = WAITS if any(game.waits for game in games) else NONE_WAITS


log = structlog.get_logger("session")


class ReplayFrontend(DrawnFrontend):
    """The page of a replay and nothing else, until the viewer leaves it."""

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
    """Shows the game that the caller's login asks for, or prints it where there is no full screen.

    At a terminal, the viewer comes in after it.
    """

    @override
    async def _play(self) -> None:
        caller, terminal = self.caller, self.terminal
        if self._turned_away(""):
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
    """Return a whole game as sentences, as a spectator could see it."""
    replay = LineReplay(game)
    names = ", ".join(seat.name for seat in game.info.seats)
    lines = [words.t("Replay of {title}: {names}.", title=game.info.title, names=names)]
    lines += replay.told(words)
    while replay.move_to(replay.at + 1):
        lines += replay.told(words)
    return lines


_LONGEST: Final = 1024
_COLUMNS: Final = 79
"""Columns of a terminal of unknown size; one is left for the cursor."""


class ExecAnswer(NamedTuple):
    r"""Plain text for a person, and an exit status. Lines end with ``\n``."""

    text: str
    status: int


def answer(command: str | None, login: Login, language: str) -> ExecAnswer | Login:
    """Return the answer to a command, or the login of the session to start; ``None`` asks for nothing."""
    words = words_for(language)
    match asked := (command or "")[:_LONGEST].lower().split():
        case []:
            return login
        case ["exit" | "quit" | "logout" | "true" | ":", *_]:
            return ExecAnswer("", 0)  # as tools that only look whether a login works expect
        case ["help" | "--help" | "-h" | "?"]:
            return ExecAnswer(f"{help_text(words)}\n", 0)
        case ["api"] | ["api", "person"]:
            return login._replace(program=True, steered=len(asked) > 1)
        case ["api", "schema"]:
            return ExecAnswer(schema(), 0)
        case ["replay", code] if REPLAY_CODE.fullmatch(code):
            return login._replace(replay=code)
        case ["replay", *_]:
            text = words.t('Which game? Its code is in what was shared: "replay CODE"')
        case ["turns"]:
            return login._replace(turns=True)
        case ["today"]:
            return login._replace(today=True)
        case ["watch"]:
            return login._replace(watch=True)
        case ["watch" | "join" as what, code, *word] if CODE.fullmatch(code) and len(word) < 2:
            invited = clean_text("".join(word))
            return login._replace(watch=what == "watch", code=code, word=invited)
        case ["join"]:
            text = words.t("Which table? Its code is in the invitation: join CODE [WORD]")
        case ["watch" | "join", code, *_] if CODE.fullmatch(code):
            text = words.t("An invitation has one word after the code: join CODE [WORD]")
        case ["watch" | "join", code, *_]:
            text = words.t(
                '"{code}" is not a table\'s code: those look like kadubilo, and are in the '
                "invitation.",
                code=shortened(code),
            )
        case _:
            said = words.t(
                'There is no command "{command}" here.', command=shortened(" ".join(asked))
            )
            text = f"{said}\n\n{help_text(words)}"
    return ExecAnswer(f"{text}\n", 2)


def help_text(words: Words) -> str:
    """Return the list of commands and suffixes, in ``words``."""
    rows = (
        ("ssh -p PORT NAME@HOST", words.t("play, under that name")),
        (
            "ssh -p PORT NAME+LANGUAGE@HOST",
            words.t("in another language: {languages}", languages=", ".join(languages())),
        ),
        ("ssh -p PORT NAME+plain@HOST", words.t("in plain sentences, for screen readers")),
        (
            "ssh -p PORT NAME+rename@HOST",
            words.t("change your name; otherwise your key keeps the old one"),
        ),
        ("ssh -p PORT NAME+CODE@HOST", words.t("sit down at the table with that code")),
        (
            "ssh -p PORT NAME+CODE+WORD@HOST",
            words.t("at a private table, with its invitation word"),
        ),
        ("ssh -p PORT today@HOST", words.t("play today's tide: twelve rounds, one hand for all")),
        ("ssh -p PORT HOST today", words.t("the same in plain sentences")),
        ("ssh -p PORT NAME+watch@HOST", words.t("watch the busiest table; with +CODE that one")),
        ("ssh -t -p PORT HOST watch", words.t("the same")),
        ("ssh -t -p PORT HOST join CODE [WORD]", words.t("the same as +CODE")),
        ("ssh -t -p PORT HOST replay CODE", words.t("a finished game again, step by step")),
        (
            "ssh -p PORT HOST turns",
            words.t("your games by correspondence; exits with 0 if one waits for you"),
        ),
        ("ssh -T -p PORT NAME@HOST api", words.t("for programs: JSON lines, see docs/api.md")),
        ("ssh -T -p PORT HOST api schema", words.t("what these lines are, as a JSON Schema")),
        ("ssh -p PORT HOST help", words.t("this text")),
    )
    width = max(len(left) for left, _ in rows)
    lines = [words.t("Turn the Tide, a card game for three to six players."), ""]
    for left, right in rows:
        first, *rest = wrap(right, _COLUMNS - width - 4)
        lines.append(f"  {left:<{width}}  {first}")
        lines += (f"{'':{width + 4}}{line}" for line in rest)
    lines.append("")
    for sentence in (
        words.t("If you have an SSH key, it says who you are here; without one you are a guest."),
        words.t("There is no shell here, and there are no files and no forwarding."),
    ):
        lines += wrap(sentence, _COLUMNS)
    return "\n".join(lines)


class SshSession(RemoteTerminal, asyncssh.SSHServerSession[bytes]):
    """A channel, and the player's terminal once one is requested; all other requests are refused."""

    def __init__(self, connection: SshConnection) -> None:
        super().__init__(connection.server.limiter, connection.caller.address)
        self._connection: Final = connection
        self.meter = connection.meter
        self._pty, self._term, self._speed = False, "", 0
        self._command: str | None = None

    # -------------------------------------------------------------- RemoteTerminal

    @override
    def write(self, text: str) -> None:
        self.put(self._charset.encoded(text, cells=not self._lines))

    @property
    @override
    def facts(self) -> ConnectionStats:
        return ConnectionStats(self._sent, self._received, self._term, self._speed, line="ssh")

    @override
    def close(self) -> None:
        self._exit(self._session.status if self._session is not None else 0)

    @override
    def send(self, data: bytes) -> None:
        self._channel.write(data)

    @property
    @override
    def unsent(self) -> int:
        return self._channel.get_write_buffer_size() + self._connection.unsent

    @override
    def ask_for_sign(self) -> bool:
        if self._channel.is_closing() or self._session is None:
            return False
        self._channel.ask_for_answer(self._signed)
        return True

    @override
    def abort(self) -> None:
        self._connection.abort()

    # -------------------------------------------------------------- asyncssh.SSHServerSession

    @override
    def connection_made(self, chan: asyncssh.SSHServerChannel[bytes]) -> None:
        self._channel = cast(BoundedChannel, chan)
        high = self._limits.pause_bytes
        chan.set_write_buffer_limits(high=high, low=high // 4)
        self._connection.opened(self)
        # A channel on which nothing is started is like a connection without one.
        self._timers.later("idle", self._limits.idle_connection_seconds, chan.abort)

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self._timers.stop_all()
        self.end_sending()
        if self._session is not None:
            self._session.hang_up()
            self._session = None
        self._connection.closed(self)

    @override
    def pty_requested(
        self, term_type: str, term_size: tuple[int, int, int, int], term_modes: Mapping[int, int]
    ) -> bool:
        self._pty, self._term = True, clean_word(term_type)
        self.size = clamp(*term_size[:2])
        # Bits a second towards the terminal (RFC 4254, 8), of which not every client tells.
        told = term_modes.get(asyncssh.PTY_OP_OSPEED) or term_modes.get(asyncssh.PTY_OP_ISPEED)
        self._speed = told or 0
        return True

    @override
    def terminal_size_changed(self, width: int, height: int, pixwidth: int, pixheight: int) -> None:
        self._sized(width, height)

    @override
    def shell_requested(self) -> bool:
        """Start the game in place of a shell."""
        return True

    @override
    def exec_requested(self, command: str) -> bool:
        self._command = command
        return True

    @override
    def session_started(self) -> None:
        self._timers.stop("idle")
        self._connection.start()
        environment, login = self._channel.get_environment(), self._connection.caller.login
        found = abilities_of(self._term, environment, login.language)
        self.abilities = replace(
            found,
            lines=login.plain or found.lines,
            echoes=not self._pty,
            wraps=not self._pty,
            reader=login.reader,
            thin=0 < self._speed <= SLOW_LINE_SPEED,
        )
        usual = "utf-8" if self.abilities.unicode else "ascii"
        self._charset = Charset(told_by(self._term, environment) or usual, self._term)
        outcome = answer(self._command, login, self.abilities.language)
        if isinstance(outcome, ExecAnswer):
            self._say(outcome)
            return
        if outcome.program:
            self.abilities = replace(self.abilities, program=True)
            self._charset = Charset("utf-8", program=True)
        caller = replace(self._connection.caller, login=outcome)
        kind = ReplaySession if outcome.replay else TurnsSession if outcome.turns else Session
        self._session = kind(self._connection.server, self, caller)

    @override
    def data_received(self, data: bytes, datatype: int | None) -> None:
        self._received += len(data)
        self._typed(data)

    @override
    def eof_received(self) -> bool:
        """Handle a half-close.

        The client has left, in line mode after the answers, also where the game goes on.
        """
        if self.abilities.lines or self.abilities.program:
            self._typed(b"\x04\x04")
        elif self._session is not None:
            self._session.hang_up()
        return True

    @override
    def signal_received(self, signal: str) -> None:
        if self._session is None:
            return
        if signal == "INT":
            self._session.feed("\x03")
        elif signal in {"HUP", "TERM", "KILL", "QUIT"}:
            self._session.hang_up()

    @override
    def pause_writing(self) -> None:
        """The client's window is full."""
        self.pause("channel")

    @override
    def resume_writing(self) -> None:
        self.resume("channel")

    # -------------------------------------------------------------- inside

    def _typed(self, data: bytes) -> None:
        if self._session is not None and (text := self._charset.typed(data)):
            self._session.feed(text)

    def _signed(self, answer: asyncio.Future[bool]) -> None:
        if answer.exception() is None:  # otherwise the channel has been closed instead
            self._bandwidth.sign()

    def _say(self, said: ExecAnswer) -> None:
        text = said.text.replace("\n", "\r\n") if self._pty else said.text
        if said.status:
            self._channel.write_stderr(text.encode())
        else:
            self.put(text.encode())
        self._exit(said.status)

    def _exit(self, status: int) -> None:
        if not self._channel.is_closing():
            self._channel.exit(status)
            # Whoever does not let us close in good order is cut off.
            self._timers.later("cut", self._limits.stuck_seconds, self.abort)
