"""The games that are over, in line mode: which there are, one of them told again, results, the best."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from server.coordinator.messages import TableSnapshot
from server.i18n.catalogues import Words
from server.linemode.replay import LineReplay, all_hands
from server.playback.recorded_game import OPEN, RecordedGame
from server.session.command_words import Verb
from server.session.game_library import GameLibrary
from server.storage.history import GameRow
from server.text.history import (
    bots_in_words,
    game_words,
    rating_words,
    standing_words,
    tally_words,
    when_words,
)

if TYPE_CHECKING:
    from server.linemode.session import LineSession

VERBS: Final = frozenset({Verb.GAMES, Verb.REPLAY, Verb.RESULTS, Verb.BEST, Verb.REVEAL})
"""What can be asked anywhere ..."""
IN_A_REPLAY: Final = frozenset({Verb.NEXT, Verb.BACK, Verb.GO, Verb.EYES})
"""... and only while a game is told again."""

_MOST_STEPS: Final = 30
"""Moments told at once: more than the rounds of a stage, each of which is two."""


class LineHistory:
    """See the module."""

    def __init__(self, session: "LineSession") -> None:
        self._session: Final = session
        self._rows: tuple[GameRow, ...] = ()
        """The list told last: games are called by their numbers in it, from 1."""
        self._mine = True
        self._replay: LineReplay | None = None

    @property
    def _words(self) -> Words:
        return self._session.words

    @property
    def table(self) -> TableSnapshot | None:
        """The table of the game that is told again, at this moment; ``None`` when none is."""
        return self._replay.now() if self._replay is not None else None

    def leave(self) -> bool:
        """Stop telling a game. False when none is told."""
        told, self._replay = self._replay is not None, None
        return told

    def take(self, verb: Verb, rest: str) -> None:
        """Carry out one of ``VERBS`` or ``IN_A_REPLAY``."""
        library, words = self._session.library, self._words
        if library is None:
            self._session.say(words.t("No games are kept here."))
        elif verb in IN_A_REPLAY or (verb is Verb.REVEAL and self._replay is not None):
            self._in_the_replay(verb, rest.strip())
        else:
            self._ask(verb, rest.strip().casefold(), library)

    def _ask(self, verb: Verb, rest: str, library: GameLibrary) -> None:
        match verb:
            case Verb.GAMES:
                self._games(rest, library)
            case Verb.REPLAY:
                self._open(rest, library, self._begin)
            case Verb.REVEAL:
                self._open(rest, library, self._reveal)
            case Verb.RESULTS:
                self._session.fetch(lambda: self._results(library))
            case Verb.BEST:
                self._session.fetch(lambda: self._best(library))

    # ---------------------------------------------------------------- the list

    def _games(self, rest: str, library: GameLibrary) -> None:
        self._mine = rest not in ("all", self._words.p("games", "all"))
        self._rows = ()
        self._session.fetch(lambda: self._list(library))

    async def _list(self, library: GameLibrary) -> None:
        words, now = self._words, self._session.now
        before = self._rows[-1].id if self._rows else 0
        known = len(self._rows)
        found = await library.games(mine=self._mine, before=before)
        self._rows += found
        lines = [
            f"{number}: {when_words(game, now, words)}, {game_words(game, words)}."
            for number, game in enumerate(found, known + 1)
        ]
        if not self._rows:
            lines = [words.t("No game has been finished yet.")]
        elif not known:
            title = words.t("Your games") if self._mine else words.t("All games")
            lines.insert(0, words.t("{title}; the winners have a star.", title=title))
        # An empty answer is the end of the list.
        then = (lambda: self._session.fetch(lambda: self._list(library))) if found else None
        self._session.read(lines, then)

    # ---------------------------------------------------------------- one game

    def _open(self, rest: str, library: GameLibrary, then: Callable[[RecordedGame], None]) -> None:
        words = self._words
        if rest and not (rest.isdecimal() and 1 <= int(rest[:6]) <= max(1, len(self._rows))):
            self._session.say(words.t("Which game? Say games for the list and its numbers."))
            return

        async def load() -> None:
            rows = self._rows or await library.games(mine=True)
            if not rows:
                self._session.say(words.t("No game has been finished yet."))
                return
            if not rest:  # the newest, also when the list was told before that game was over
                rows = await library.games(mine=self._mine) or rows
            game = await library.game(rows[int(rest) - 1 if rest else 0].id)
            if game is None:
                self._session.say(words.t("That game cannot be shown."))
            else:
                then(game)

        self._session.fetch(load)

    def _begin(self, game: RecordedGame) -> None:
        words = self._words
        self._replay = LineReplay(game)
        names = ", ".join(seat.name for seat in game.info.seats)
        self._session.say(
            words.t("Replay of {title}: {names}.", title=game.title, names=names),
            words.t(
                "Say next (or press Enter), next 4, back, go 3.7, eyes and a name, reveal for all hands,"
                " leave."
            ),
            *self._whose(self._replay),
            *self._replay.told(words),
        )

    def _whose(self, replay: LineReplay) -> tuple[str, ...]:
        """Through whose eyes a game is told from the beginning: one's own, if one has played."""
        if replay.eyes < 0:
            return ()
        name = replay.game.info.seats[replay.eyes].name
        return (self._words.t("Replay, as {name} saw it.", name=name),)

    def _reveal(self, game: RecordedGame) -> None:
        self._session.read(all_hands(game, self._words))

    def _in_the_replay(self, verb: Verb, rest: str) -> None:
        words, replay = self._words, self._replay
        if replay is None:
            self._session.say(words.t("No game is told again just now; say games, then replay."))
            return
        match verb:
            case Verb.NEXT:
                self._on(replay, rest)
            case Verb.BACK:
                moved = replay.step(-self._count(rest))
                first = () if moved else (words.t("That is the beginning."),)
                self._session.say(*first, *replay.told(words))
            case Verb.GO:
                wrong = replay.go_to(rest, words)
                self._session.say(*((wrong,) if wrong else replay.told(words)))
            case Verb.EYES:
                self._session.say(replay.look_through(rest.casefold(), words), *replay.hands(words))
            case Verb.REVEAL:
                replay.eyes = OPEN
                self._session.say(words.t("All hands are open from now on."), *replay.hands(words))

    def _on(self, replay: LineReplay, rest: str) -> None:
        lines: list[str] = []
        for _ in range(self._count(rest)):
            if not replay.step(1):
                lines.append(self._words.t("That is the end; leave goes back."))
                break
            lines += replay.told(self._words)
        self._session.read(lines)

    def _count(self, rest: str) -> int:
        return min(int(rest), _MOST_STEPS) if rest.isdecimal() and len(rest) < 4 else 1

    # ---------------------------------------------------------------- results

    async def _results(self, library: GameLibrary) -> None:
        words, now = self._words, self._session.now
        page = await library.page()
        if page is None:
            self._session.say(words.t("You have not finished a game yet."))
            return
        lines = [
            words.t("Results of {name}", name=self._session.name) + ":",
            *tally_words(page.tally, words),
            rating_words(page, words),
        ]
        if self._session.guest:
            lines.append(
                words.t("You are a guest: with an SSH key, your results would stay yours.")
            )
        lines += [
            f"{when_words(game, now, words)}, {game_words(game, words)}." for game in page.games
        ]
        self._session.read(lines)

    async def _best(self, library: GameLibrary) -> None:
        words, found = self._words, await library.best()
        lines = [" ".join(standing_words(standing, words).split()) for standing in found]
        if not found:
            lines = [words.t("No rated game has been finished yet.")]
        lines.append(words.t("For comparison, the house's bots:"))
        self._session.read([*lines, *(" ".join(line.split()) for line in bots_in_words(words))])
