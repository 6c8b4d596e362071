"""One visit, as every frontend has it: who and where somebody is, what was chosen, what is asked for."""

import asyncio
import shlex
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, NamedTuple

import structlog
from msgspec.structs import replace

from engine.bots.estimates import Analysis
from server import StoreError
from server.coordinator import messages as m
from server.coordinator.contract import NOTHING, Visit
from server.coordinator.events.days import is_day
from server.i18n.lookup import Words, _, words_for
from server.logs import places
from server.playback import ReplayedGame
from server.session.account import FAMILIAR, LESSON, PLAYED, SEEN, Account, GameLibrary
from server.session.attention import AlertHandler, Alerts, ChatHistory
from server.session.preferences import (
    SETTINGS,
    SOLO,
    TUTORIAL,
    PlayerSetting,
    Preferences,
    abilities_from,
    is_tutorial,
    preferences_from,
    same_people,
    to_settings,
)
from server.session.tutorial import Lesson, Tutorial
from server.storage.people import BLOCKED, blocked_in
from server.terminal.capabilities import Capabilities, ConnectionStats
from server.terminal.fair_queue import queues_of
from server.text.events import last_result, streak_in_words
from server.text.happenings import ENDINGS, LOST, SHUTDOWN
from server.text.refusals import refusal
from server.timers import Clock
from server.viewmodels.lobby import OwnGames, own_games
from server.viewmodels.table import code_of
from server.viewmodels.table_options import OptionLine

_log = structlog.get_logger("session")


class Visitor(NamedTuple):
    """The person for whom a frontend is, with whatever it has for that."""

    player: m.Player
    clock: Clock
    abilities: Capabilities
    """What the terminal can do, or how the player wants it used by now."""
    account: Account = Account()
    visit: Visit | None = None
    """Missing where there is no server: a replay of a file has no table to ask."""
    facts: Callable[[], ConnectionStats] = ConnectionStats
    """About the connection, as they are now."""


class UpdateHandler(AlertHandler):
    """The part of a frontend that shows one person an update.

    Up to ``caught_up``, these are called in this order (``SessionClient.catch_up``).
    """

    def happened(self, before: m.Update, update: m.Update) -> None:
        """Where the player is now, what has happened there, and what was said."""

    def taught(self, lessons: Sequence[Lesson]) -> None:
        """What the guide has to say of it."""

    def announced(self, word: m.ServerMessage) -> None:
        """What the server says."""

    def ended(self, why: Sequence[str]) -> None:
        """The server has ended the visit."""

    def caught_up(self, before: m.Update, update: m.Update) -> None:
        """That was all."""


def _has_finished(before: m.TableSnapshot | None, now: m.TableSnapshot | None) -> bool:
    """Whether a game in which the player has a seat, and that is over now, was going on before."""
    if before is None or now is None:
        return False
    same = (before.info.id, before.info.game) == (now.info.id, now.info.game)
    return same and before.info.status is m.Status.PLAYING and now.seat >= 0


class SessionClient:
    """What the full screen, line mode and the JSON API build upon."""

    invited = "", ""
    """Name of the last person who has invited, and the code of the table."""
    _mistakes: frozenset[tuple[str, ...]] = frozenset()
    """Errors that have been logged."""

    def __init__(self, who: Visitor) -> None:
        self.player: Final = who.player
        self.clock: Final = who.clock
        self.account: Final = who.account
        self._use(abilities_from(self.account.settings, who.abilities))
        self.preferences: Preferences = preferences_from(self.account.settings)
        self.facts = who.facts
        known = self.account.settings.get(PLAYED)
        self.games_played = known if isinstance(known, int) else 0
        """The number of games that this player has finished, up to ``FAMILIAR``."""
        self.lobby: m.LobbySnapshot | None = None
        self.table: m.TableSnapshot | None = None
        self.tournaments: tuple[m.TournamentInfo, ...] = ()
        self.correspondence: tuple[m.CorrespondenceGame, ...] = ()
        """The player's games by correspondence (``Update.correspondence``)."""
        self.standings: str | None = None
        """What a terminal shows that shows everybody whatever goes on (``Update.standings``)."""
        self.guide: Final = Tutorial(partial(self._note, LESSON))
        self.chat_history: Final = ChatHistory(who.player.name)
        """What has been said."""
        self.done = False
        self.players_doing = 0
        """What happens while this is not 0 is the player's own doing (``doing``)."""
        self._chosen: Final[dict[str, object]] = {}
        self._tasks: Final[dict[asyncio.Task[object], Callable[[Exception], None]]] = {}
        """What is under way, and what a mistake in it leads to."""
        self.hint: Analysis | None = None
        """The last one."""
        self._visit: Final = who.visit
        self._last = NOTHING
        """The last update that the frontend has been told of."""
        self._shown_by(UpdateHandler())

    @property
    def words(self) -> Words:
        """The player's language."""
        return words_for(self.abilities.language)

    @property
    def way_back(self) -> str:
        """The name with which a guest logs in to be the same again; empty for who needs none."""
        code = self.account.rejoin_code
        if not code:
            return ""
        language = self.abilities.language
        asked = language if self.account.settings.get("language") == language else ""
        able = self.abilities
        plain = "reader" if able.reader else "plain" if able.lines and not able.program else ""
        # As this time, which is kept nowhere else.
        return "+".join(filter(None, (self.player.name, code, plain, asked)))

    @property
    def learns(self) -> bool:
        """Whether this is a first game, after which there is a whole one."""
        table = self.table
        return table is not None and table.seat >= 0 and is_tutorial(table.info)

    @property
    def corresponds(self) -> bool:
        """Whether the player has a seat here and plays by correspondence: no need to stay, then."""
        table = self.table
        if table is None or table.seat < 0:
            return False
        return table.info.options.pace is m.Pace.CORRESPONDENCE

    @property
    def own_games(self) -> OwnGames:
        """The player's games by correspondence; none is next from a seat that keeps the player there."""
        table = self.table
        games = own_games(self.correspondence, self.words, table.info.id if table else "")
        bound = table is not None and table.seat >= 0 and not self.corresponds
        return games._replace(next="") if bound and games.next else games

    @property
    def closing_time(self) -> float:
        """When the server goes down; 0 while it stays."""
        if self.table is not None:
            return self.table.info.closing
        return self.lobby.closing if self.lobby is not None else 0.0

    # ---------------------------------------------------------------- what was chosen

    def prefer(self, **changes: object) -> None:
        """Change preferences, also for the next visit."""
        self.preferences = replace(self.preferences, **changes)
        self.chat_history.moved(self.chat_history.place, self.preferences.chat)
        self._remember()

    def set_abilities(self, **changes: object) -> None:
        """The player wants the terminal used otherwise."""
        self._use(replace(self.abilities, **changes))
        self._chosen.update(changes)
        self._remember()

    def value_of(self, setting: PlayerSetting) -> Any:
        """What was chosen."""
        return getattr(self.abilities if setting.ability else self.preferences, setting.name)

    def step(self, setting: PlayerSetting, by: int) -> None:
        """Go on to a setting's next value (1), or the one before (-1)."""
        values, now = tuple(setting.values()), self.value_of(setting)
        if now not in values:
            now = self.words.language if setting.name == "language" else values[0]
        change = self.set_abilities if setting.ability else self.prefer
        change(**{setting.name: values[(values.index(now) + by) % len(values)]})

    def settings(self) -> tuple[OptionLine, ...]:
        """All that screens and line mode list."""
        return tuple(self._line_of(setting) for setting in SETTINGS if setting.label)

    def _line_of(self, setting: PlayerSetting) -> OptionLine:
        words, hint = self.words, setting.hint
        if setting.name == "notify" and not self.abilities.notifies:
            hint = _("not with this terminal")
        return OptionLine(
            words.t(setting.label),
            setting.shown(self.value_of(setting), words),
            words.t(hint),
            partial(self.step, setting),
            choices=lambda: [(setting.shown(value, words), "") for value in setting.values()],
        )

    def found(self, **abilities: object) -> bool:
        """The terminal, or the line to it, has turned out to have these.

        Returns whether that is taken into account: not where the player has said otherwise. It is
        not kept for the next visit, which may come from elsewhere.
        """
        if abilities.keys() & {*self._chosen, *self.account.settings}:
            return False
        self._use(replace(self.abilities, **abilities))
        return True

    def _use(self, able: Capabilities) -> None:
        self.abilities = able
        """How the player wants the terminal to be used."""

    def _remember(self) -> None:
        self.account.remember(to_settings(self.preferences, self._chosen, self.account.settings))

    def _note(self, setting: str, value: object) -> None:
        """Have the account remember something that nobody has chosen."""
        self.account.remember({**self.account.settings, setting: value})

    # ---------------------------------------------------------------- what happens

    def listen(self, ready: Callable[[], None]) -> None:
        """Call ``ready`` in the next turn of the event loop whenever there is something to take.

        A table tells everybody first, and what comes together is taken together.
        """
        assert self._visit is not None
        self._visit.feed.listen(lambda: self.clock.call_at(self.clock.time(), ready))

    def show_in(self, handler: UpdateHandler) -> None:
        """Tell ``handler`` how things stand, and from then on what happens."""
        self._shown_by(handler)
        self.catch_up()
        self.listen(self.catch_up)

    def _shown_by(self, handler: UpdateHandler) -> None:
        self._handler = handler
        self._alerts = Alerts(self.clock, handler)

    def catch_up(self) -> None:
        """Take what has happened since, and have the frontend show it."""
        if (update := self.take()) is None:
            return
        before, self._last = self._last, update
        handler = self._handler
        try:
            handler.happened(before, update)
            if lessons := self.lessons(before.table, update):
                handler.taught(lessons)
            self._alerts.updated(update.table)
            for word in update.said:
                handler.announced(word)
        except Exception as error:  # the snapshots are there: only what was to be told is lost
            self.failed(error)
        if update.closed:
            handler.ended(self.farewell(update.closed))
        handler.caught_up(before, update)
        if self.corresponds:
            self._remember_round()

    def take(self) -> m.Update | None:
        """What has happened since; ``lobby`` and ``table`` are as it says then."""
        update = None if self.done or self._visit is None else self._visit.feed.take()
        if update is not None:
            before, now = self.table, update.table
            over = now is not None and now.info.status is m.Status.OVER
            if over and self.games_played < FAMILIAR and _has_finished(before, now):
                self.games_played += 1
                self._note(PLAYED, self.games_played)
            self.lobby, self.table = update.lobby, update.table
            self.tournaments, self.standings = update.tournaments, update.standings
            self.correspondence = update.correspondence
            for word in update.said:
                if word.kind == "invited":
                    self.invited = word.text, word.about
        return update

    @property
    def news(self) -> tuple[m.News, ...]:
        """What has happened lately, in the lobby; without those whom the player has blocked."""
        blocked = {name.casefold() for name in blocked_in(self.account.settings).values()}
        return tuple(
            news
            for news in (self.lobby.news if self.lobby is not None else ())
            if blocked.isdisjoint(name.casefold() for name in (*news.winners, *news.against))
        )

    async def told_of_yesterday(self, library: GameLibrary) -> str:
        """The result of yesterday's tide, for a player who has just come in and has played it.

        Raises ``StoreError``.
        """
        told = last_result(await library.day(1), self.player.id, self.words)
        streak = streak_in_words((await library.streak()).now, self.words)
        return " ".join(filter(None, (told, streak)))

    def missed(self, now: m.TableSnapshot) -> tuple[Sequence[m.RoundResolved], int]:
        """Return the reveals of this stage, and how many of them this player has seen.

        For somebody who comes back to a game by correspondence.
        """
        view, seen = now.table, self._seen.get(now.info.id)
        if view is None or seen is None or not self.corresponds:
            return (), 0
        reveals = [m.RoundResolved(view.stage, *each) for each in enumerate(view.rounds)]
        return reveals, seen[2] if seen[:2] == [now.info.game, view.stage] else 0

    @property
    def _seen(self) -> dict[str, list[int]]:
        return dict(self.account.settings.get(SEEN, {}))

    def _remember_round(self) -> None:
        """Keep that all is seen that has been revealed here until now."""
        table = self.table
        if table is None or table.table is None:
            return
        seen = self._seen
        last = [table.info.game, table.table.stage, len(table.table.rounds)]
        if seen.get(table.info.id) != last:
            going = {game.table for game in self.correspondence}
            kept = {code: it for code, it in seen.items() if code in going}
            self._note(SEEN, {**kept, table.info.id: last})

    def lessons(self, before: m.TableSnapshot | None, update: m.Update) -> Sequence[Lesson]:
        """What the guide has to say of it; ``before`` is the table until then.

        To a first game that is today's tide, the guide comes by itself.
        """
        guide, now, game = self.guide, update.table, self.account.settings.get(LESSON)
        if game and not guide.here and (again := guide.come_back(now, game)):
            return again
        if (before is None or before.table is None) and self._is_first_day(now):
            return guide.begin(now)
        return guide.updated(before, now, update.happenings) if guide.here else ()

    def _is_first_day(self, now: m.TableSnapshot | None) -> bool:
        if self.games_played or now is None or now.own is None or not is_day(now.info.event):
            return False
        playing = now.info.status is m.Status.PLAYING and not self.guide.here
        return playing and not self.abilities.program

    def farewell(self, reason: str) -> tuple[str, ...]:
        """Say why the server has ended the visit (``Update.closed``), and how to come back.

        Empty when the player knows, or has been told by the server (``Update.said``).
        """
        words, facts = self.words, self.facts()
        if reason == "taken_over":
            said = words.t("You have connected from somewhere else, and go on there.")
            return (said,)
        if reason in ENDINGS:
            return (words.t(ENDINGS[reason]),)
        if reason not in {"shutdown", "lost"}:
            return ()
        why = words.t(LOST if reason == "lost" else SHUTDOWN)
        if facts.line == "ssh" and facts.way_in:
            *options, host = facts.way_in.split(" ")
            login = f"{self.way_back or self.player.name}@{host}"
            command = shlex.join(["ssh", *options, login])
            return why, words.t("To come back: {command}", command=command)
        if not self.way_back:
            return (why,)
        return why, words.t("To go on where you left off, log in as {login}", login=self.way_back)

    # ---------------------------------------------------------------- commands

    async def submit(self, command: m.Command) -> m.Reply:
        """Have a command carried out; the account remembers who is blocked."""
        assert self._visit is not None
        reply = await self._visit.submit(command)
        self.hint = reply.hint or self.hint
        if reply.ok and "cut" in reply.details:
            self._handler.announced(m.ServerMessage("cut", str(reply.details["cut"])))
        if isinstance(command, m.Block) and reply.ok:
            person, name = str(reply.details["person"]), str(reply.details["name"])
            blocked = blocked_in(self.account.settings)
            blocked.pop(person, None)
            if command.on:
                blocked[person] = name
            if not await self.account.keep({**self.account.settings, BLOCKED: blocked}):
                return m.Reply("not_kept")
        return reply

    @contextmanager
    def doing(self, really: bool = True) -> Iterator[None]:
        """What happens meanwhile is the player's own doing, if it ``really`` is."""
        self.players_doing += really
        try:
            yield
        finally:
            self.players_doing -= really

    async def carry_out(
        self, command: m.Command, answered: Callable[[m.Reply], None] | None = None
    ) -> m.Reply:
        """Have a command carried out, call ``answered``, and take what has come of it.

        That is the player's own doing, but for a bid: others wait for it, and a round that ends with it may
        have ended without it as well.
        """
        bids = isinstance(command, m.PlaceBid | m.Touch)
        with self.doing(not bids), queues_of(asyncio.get_running_loop()).hurry(bids):
            reply = await self.submit(command)
            if answered is not None and not self.done:
                answered(reply)
            self.catch_up()
        return reply

    def do(
        self,
        command: m.Command,
        then: Callable[[], None] | None = None,
        refused: Callable[[str], None] | None = None,
    ) -> None:
        """Have a command carried out; ``then`` follows success.

        A refusal is told, and its code to ``refused``.
        """

        def not_done(reply: m.Reply) -> None:
            self.complain(refusal(reply, self.words))
            if refused is not None:
                refused(reply.code)

        def answered(reply: m.Reply) -> None:
            if not reply.ok:
                self.together(partial(not_done, reply))
            elif then is not None:
                self.together(then)

        self.spawn(self.carry_out(command, answered))

    def complain(self, why: str) -> None:
        """Tell the player why something is not done."""
        raise NotImplementedError

    def together(self, work: Callable[[], None]) -> None:
        """Show the player at once all that ``work`` changes or says."""
        raise NotImplementedError

    def do_all(self, commands: Sequence[m.Command]) -> None:
        """Carry out commands one after the other; the first refusal ends it."""
        if commands:
            self.do(commands[0], lambda: self.do_all(commands[1:]))

    def touch(self) -> None:
        """A key was pressed: whom a bot bids for is back."""
        table = self.table
        if table is not None and table.seat >= 0 and table.info.seats[table.seat].away:
            self.do(m.Touch())

    def call_guide(self) -> None:
        """The guide is at the player's side from now on, until this game is left."""
        self.guide.begin(self.table)

    def learn(self) -> None:
        """Play a first game, with the guide, who is there before the table's news: they may come first."""
        self.guide.begin(None)
        self.do(m.QuickGame(TUTORIAL), refused=lambda _: self.guide.end())

    def play_again(self, then: Callable[[], None] | None = None) -> None:
        """Another game at this table, or a whole one at another table after a first one."""
        if self.table is not None and self.table.info.status is m.Status.OVER and self.learns:
            self.do(m.QuickGame(SOLO))
        else:
            self.do(m.Rematch(), then)

    def play_with_same(self) -> None:
        """Open another table for those who have played the game that is over here, and invite them.

        Or go to the one to which one of them has invited. Whoever is blocked is left out.
        """
        table, (host, code) = self.table, self.invited
        blocked = {*blocked_in(self.account.settings).values()}
        people = same_people(table, self.player.name) if table is not None else ()
        keep = tuple([name for name in people if name not in blocked])
        self.invited = "", ""
        if table is None or not keep:
            self.complain(
                self.words.t(
                    "This opens a table for the people of a finished game. At a private table, "
                    "just play another game."
                )
            )
        elif host in people and code != table.info.id:
            self.do(m.JoinTable(code))
        else:
            self.do(m.CreateTable(table.info.options, keep=keep))

    def go_to_next_game(self) -> None:
        """To the next game by correspondence, if there is one."""
        if code := self.own_games.next:
            self.do(m.JoinTable(code))

    def rename(self, name: str) -> None:
        """End the visit, for another one under this name."""
        self.account.rename(name)
        self.leave()

    def leave(self) -> None:
        """End the session."""
        raise NotImplementedError

    def play_deal(self, code: str) -> None:
        """Play a deal again, or one of a word, against bots at a new table; from a game that is over."""
        self.do(m.QuickGame(SOLO, deal=code))

    def play_on(self, game: ReplayedGame, seat: int, stage: int, round_: int) -> None:
        """Take this seat of a finished game, as that stood before a round, and play on against bots."""
        stages = [each.bids for each in game.replay.record.stages]
        played = (*stages[:stage], stages[stage][:round_])
        self.do(m.QuickGame(SOLO, deal=code_of(game.info), seat=seat, played=played))

    async def reading(
        self, load: Coroutine[Any, Any, object], failed: Callable[[str], None] | None = None
    ) -> None:
        """Do what has to ask the database; where that does not work, the player is told, or ``failed`` is."""
        try:
            await load
        except StoreError:
            said = self.words.t("That could not be read just now: try again later.")
            (failed or self.complain)(said)

    def fetch(
        self, load: Coroutine[Any, Any, None], failed: Callable[[str], None] | None = None
    ) -> None:
        """Fetch something without waiting for it."""
        # If it has not begun when the session ends, it never does.
        self.spawn(self.reading(load, failed)).add_done_callback(lambda _: load.close())

    def spawn(
        self, work: Coroutine[Any, Any, object], failed: Callable[[Exception], None] | None = None
    ) -> asyncio.Task[object]:
        """Do something that takes time, as long as the session lasts. ``failed`` hears of a mistake in it."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks[task] = failed or self.failed
        task.add_done_callback(self._carried_out)
        return task

    def _carried_out(self, task: asyncio.Task[object]) -> None:
        failed = self._tasks.pop(task)
        if not task.cancelled() and isinstance(error := task.exception(), Exception):
            failed(error)

    def failed(self, error: Exception) -> None:
        """Something that was asked for has failed by our own mistake: the player is told."""
        raise NotImplementedError

    def log_mistake(self, error: Exception, page: str = "") -> None:
        """Log a mistake of ours, on a ``page`` if on any, once for each place in the code."""
        where, name = places(error), type(error).__name__
        if (seen := (page, name, *where[-1:])) not in self._mistakes:
            self._mistakes |= {seen}
            _log.error("session_mistake", name=self.player.name, page=page, error=name, where=where)

    def resized(self) -> None:
        """Ignored: lines have no size."""

    def slow(self) -> None:
        """Ignored: a line cannot be said with less."""

    def stop(self) -> None:
        """The session is over: so is what it had under way, and what comes is no longer taken."""
        self.done = True
        self._alerts.stop()
        for task in self._tasks:
            task.cancel()
