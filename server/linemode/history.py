"""The games that are over, in line mode: which there are, one of them told again, results, the best."""

from collections.abc import Callable
from typing import Final

from server.linemode.context import LineContext
from server.linemode.replay import LineReplay, all_hands
from server.playback.recorded_game import OPEN, RecordedGame
from server.session.game_library import GameLibrary
from server.text.history import (
    bots_in_words,
    game_words,
    rating_words,
    standing_words,
    tally_words,
    when_words,
)
from server.viewmodels.dealt_hands import hands_in_words

_MOST_STEPS: Final = 30
"""Moments told at once: more than the rounds of a stage, each of which is two."""


def _library(session: LineContext) -> GameLibrary | None:
    """The games that are kept; says so when none are."""
    library = session.account.library
    if library is None:
        session.say(session.words.t("No games are kept here."))
    return library


# ------------------------------------------------------------------- the list


def tell_games(session: LineContext, rest: str) -> None:
    """The newest games: this player's, or everybody's."""
    past, library = session.past, _library(session)
    if library is not None:
        past.mine = rest.casefold() not in ("all", session.words.p("games", "all"))
        past.rows = ()
        session.fetch(lambda: _list(session, library))


async def _list(session: LineContext, library: GameLibrary) -> None:
    words, past, now = session.words, session.past, session.clock.time()
    known = len(past.rows)
    found = await library.games(mine=past.mine, before=past.rows[-1].id if past.rows else 0)
    past.rows += found
    lines = [
        f"{number}: {when_words(game, now, words)}, {game_words(game, words)}."
        for number, game in enumerate(found, known + 1)
    ]
    if not past.rows:
        lines = [words.t("No game has been finished yet.")]
    elif not known:
        title = words.t("Your games") if past.mine else words.t("All games")
        lines.insert(0, words.t("{title}; the winners have a star.", title=title))
    # An empty answer is the end of the list.
    then = (lambda: session.fetch(lambda: _list(session, library))) if found else None
    session.read(lines, then)


# ------------------------------------------------------------------- one game


def begin_replay(session: LineContext, rest: str) -> None:
    """Tell a game again, from its beginning."""
    _open(session, rest, lambda game: _begin(session, game))


def reveal(session: LineContext, rest: str) -> None:
    """All hands: of the replay, of the game that is over at this table, or of one in the list."""
    past, words = session.past, session.words
    table = session.table if not rest and past.table is None else None
    hands = hands_in_words(table.info, words) if table is not None else ()
    if hands:
        session.say(*hands)
    elif past.replay is not None and _library(session) is not None:
        past.replay.eyes = OPEN
        session.say(words.t("All hands are open from now on."), *past.replay.hands(words))
    elif past.replay is None:
        _open(session, rest, lambda game: session.read(all_hands(game, session.words)))


def _open(session: LineContext, rest: str, then: Callable[[RecordedGame], None]) -> None:
    words, past, library = session.words, session.past, _library(session)
    if library is None:
        return
    if rest and not (rest.isdecimal() and 1 <= int(rest[:6]) <= max(1, len(past.rows))):
        session.say(words.t("Which game? Say games for the list and its numbers."))
        return

    async def load() -> None:
        rows = past.rows or await library.games(mine=True)
        if not rows:
            session.say(words.t("No game has been finished yet."))
            return
        if not rest:  # the newest, also when the list was told before that game was over
            rows = await library.games(mine=past.mine) or rows
        game = await library.game(rows[int(rest) - 1 if rest else 0].id)
        if game is None:
            session.say(words.t("That game cannot be shown."))
        else:
            then(game)

    session.fetch(load)


def _begin(session: LineContext, game: RecordedGame) -> None:
    words = session.words
    session.past.replay = replay = LineReplay(game)
    names = [seat.name for seat in game.info.seats]
    session.say(
        words.t("Replay of {title}: {names}.", title=game.title, names=", ".join(names)),
        words.t(
            "Say next (or press Enter), next 4, back, go 3.7, eyes and a name, reveal for all hands,"
            " leave."
        ),
        # From the beginning through one's own eyes, if one has played.
        words.t("Replay, as {name} saw it.", name=names[replay.eyes]) if replay.eyes >= 0 else "",
        *replay.told(words),
    )


# ------------------------------------------------------------------- in a replay


def _replay(session: LineContext) -> LineReplay | None:
    """The game that is told again; says so when none is."""
    replay = session.past.replay
    if replay is None and _library(session) is not None:
        session.say(session.words.t("No game is told again just now; say games, then replay."))
    return replay


def next_moment(session: LineContext, rest: str) -> None:
    """One moment on, or so many."""
    replay, words = _replay(session), session.words
    if replay is None:
        return
    lines: list[str] = []
    for _ in range(_count(rest)):
        if not replay.step(1):
            lines.append(words.t("That is the end; leave goes back."))
            break
        lines += replay.told(words)
    session.read(lines)


def moment_before(session: LineContext, rest: str) -> None:
    """One moment back, or so many."""
    replay, words = _replay(session), session.words
    if replay is not None:
        moved = replay.step(-_count(rest))
        session.say("" if moved else words.t("That is the beginning."), *replay.told(words))


def go_to(session: LineContext, rest: str) -> None:
    """To a stage, or a round of it."""
    replay, words = _replay(session), session.words
    if replay is not None:
        wrong = replay.go_to(rest, words)
        session.say(*((wrong,) if wrong else replay.told(words)))


def look_through(session: LineContext, rest: str) -> None:
    """As another player saw it."""
    replay, words = _replay(session), session.words
    if replay is not None:
        session.say(replay.look_through(rest.casefold(), words), *replay.hands(words))


def _count(rest: str) -> int:
    return min(int(rest), _MOST_STEPS) if rest.isdecimal() and len(rest) < 4 else 1


# ------------------------------------------------------------------- results


def tell_results(session: LineContext, _rest: str) -> None:
    """How this player has done."""
    library = _library(session)
    if library is not None:
        session.fetch(lambda: _results(session, library))


async def _results(session: LineContext, library: GameLibrary) -> None:
    words, now = session.words, session.clock.time()
    page = await library.page()
    if page is None:
        session.say(words.t("You have not finished a game yet."))
        return
    lines = [
        words.t("Results of {name}", name=session.player.name) + ":",
        *tally_words(page.tally, words),
        rating_words(page, words),
    ]
    if session.player.guest:
        lines.append(words.t("You are a guest: with an SSH key, your results would stay yours."))
    lines += [f"{when_words(game, now, words)}, {game_words(game, words)}." for game in page.games]
    session.read(lines)


def tell_best(session: LineContext, _rest: str) -> None:
    """The best players."""
    library = _library(session)
    if library is not None:
        session.fetch(lambda: _best(session, library))


async def _best(session: LineContext, library: GameLibrary) -> None:
    words, found = session.words, await library.best()
    lines = [" ".join(standing_words(standing, words).split()) for standing in found]
    if not found:
        lines = [words.t("No rated game has been finished yet.")]
    lines.append(words.t("For comparison, the server's bots:"))
    session.read([*lines, *(" ".join(line.split()) for line in bots_in_words(words))])
