"""The games that are over, in line mode: which there are, one of them told again, results, the best."""

from collections.abc import Callable, Coroutine
from typing import Any, Final

from server.coordinator.events.days import DayPage
from server.coordinator.messages import PlayToday, Reply
from server.i18n.lookup import _
from server.linemode.narration import LineContext, LineReplay
from server.playback import OPEN, ReplayedGame
from server.session import table_in_sentences
from server.session.account import MOST_MONTHS, GameLibrary
from server.session.commands import Verb, full_word
from server.session.learning import Puzzles
from server.session.sharing import GameList, Shared, shared_day, shared_game, shared_here
from server.storage.history import REPLAY_CODE, GameRow
from server.terminal.capabilities import Copying, clipboard
from server.text.bots import review_lines
from server.text.events import (
    commitment_lines,
    day_lines,
    leaders_in_words,
    no_tries,
    opponents_in_words,
    opponents_title,
    try_in_words,
)
from server.text.history import (
    ago_in_words,
    copied_in_words,
    copying_in_words,
    game_words,
    held_in_words,
    rating_words,
    tally_words,
)
from server.text.people import bots_in_words, season_lines, season_words, sentences, standing_words
from server.text.refusals import refusal
from server.text.rounds import capital
from server.text.times import day_in_words, month_in_words
from server.viewmodels.table import hands_in_words

_MOST_STEPS: Final = 30
"""Moments told at once: more than the rounds of a stage, each of which is two."""

_Handler = Callable[[LineContext, str], None]


def _reads(load: Callable[[LineContext, GameLibrary, str], Coroutine[Any, Any, None]]) -> _Handler:
    """A command that needs the games that are kept; says so when none are."""

    def handler(session: LineContext, rest: str) -> None:
        library = session.account.library
        if library is None:
            session.say(session.words.t("No games are kept here."))
        else:
            session.fetch(load(session, library, rest))

    return handler


def _in_replay(do: Callable[[LineContext, LineReplay, str], None]) -> _Handler:
    """A command about the game that is told again; says so when none is."""

    def handler(session: LineContext, rest: str) -> None:
        words, replay = session.words, session.replay
        if replay is not None:
            do(session, replay, rest)
        else:
            session.say(
                words.t('No replay is open; type "games" for the list, then "replay" and a number.')
            )

    return handler


# ------------------------------------------------------------------- the list


@_reads
async def tell_games(session: LineContext, library: GameLibrary, rest: str) -> None:
    """The newest games: this player's, or everybody's."""
    mine = rest.casefold() not in ("all", session.words.p("games", "all"))
    session.games = GameList(mine=mine)
    await _list(session, library)


async def _list(session: LineContext, library: GameLibrary) -> None:
    words, games, now = session.words, session.games, session.clock.time()
    known = len(games.rows)
    found = await games.read_on(library)
    lines = [
        f"{number}: {ago_in_words(now - game.kept, words)}, {game_words(game, words)}."
        for number, game in enumerate(found, known + 1)
    ]
    if not found and known:
        lines = [words.t("There is no more.")]
    elif not found and games.mine:
        lines = [words.t('You have not finished a game yet; type "games all" for everybody\'s.')]
    elif not found:
        lines = [words.t("No game has been finished yet.")]
    elif not known:
        title = words.t("Your games") if games.mine else words.t("All games")
        lines.insert(0, words.t("{title}; the winners have a star.", title=title))
    more = None if games.complete else lambda: session.fetch(_list(session, library))
    session.read(lines, more)


# ------------------------------------------------------------------- one game


async def _game(session: LineContext, library: GameLibrary, rest: str) -> ReplayedGame | None:
    """The game with this number in the list, or with this code, or the newest; says so without one."""
    words = session.words
    if (code := REPLAY_CODE.search(rest.lower())) is not None:
        found = await library.by_code(code[0])
        if isinstance(found, ReplayedGame):
            return found
        session.say(refusal(Reply(found), words))
        return None
    if rest and not (
        rest.isdecimal() and len(rest) <= 6 and 1 <= int(rest) <= max(1, len(session.games.rows))
    ):
        session.say(words.t('Which game? Type "games" for the list and its numbers.'))
        return None
    rows = session.games.rows or await library.games(mine=True)
    if not rows:
        session.say(words.t("You have not finished a game yet."))
        return None
    if not rest:  # the newest, also when the list was told before that game was over
        rows = await library.games(mine=session.games.mine) or rows
    game = await library.game(rows[int(rest) - 1 if rest else 0].id)
    if game is None:
        session.say(words.t("That game cannot be shown."))
    return game


async def _meant(session: LineContext, library: GameLibrary, rest: str) -> ReplayedGame | None:
    """The game of the replay, if there is one and no number; else as ``_game``."""
    if session.replay is not None and not rest:
        return session.replay.game
    return await _game(session, library, rest)


@_reads
async def begin_replay(session: LineContext, library: GameLibrary, rest: str) -> None:
    """Tell a game again, from its beginning."""
    game, words = await _game(session, library, rest), session.words
    if game is None:
        return
    session.replay = replay = LineReplay(game)
    names = [seat.name for seat in game.info.seats]
    session.say(
        words.t("Replay of {title}: {names}.", title=game.info.title, names=", ".join(names)),
        words.t(
            'Type "next" (or press Enter), "next 4", "back", "go 3.7", "view" and a '
            'name, "reveal" for all hands, or "leave".'
        ),
        # From the beginning through one's own eyes, if one has played.
        replay.seen_in_words(words) if replay.viewpoint >= 0 else "",
        *replay.told(words),
    )


def reveal(session: LineContext, rest: str) -> None:
    """All hands: of the replay, of the game that is over at this table, or of one in the list."""
    replay, words = session.replay, session.words
    table = session.table if not rest and replay is None else None
    if hands := hands_in_words(table.info, words) if table is not None else ():
        session.say(*hands)
    elif replay is not None and not replay.look_from(OPEN):
        session.say(held_in_words(words))
    elif replay is not None:
        session.say(words.t("All hands are open from now on."), *replay.hands(words))
    else:
        _dealt(session, rest)


@_reads
async def _dealt(session: LineContext, library: GameLibrary, rest: str) -> None:
    words = session.words
    if game := await _game(session, library, rest):
        session.read(hands_in_words(game.info, words) or [held_in_words(words)])


def share(session: LineContext, rest: str) -> None:
    """A text to copy: about the game of the replay, that is over at this table, or one in the list.

    About what the player has made of a day.
    """
    table = session.table if not rest and session.replay is None else None
    before = _DAYS.get(full_word(rest, session.words) or "")
    if before is not None:
        _share_day(session, before)
    elif table is None or table.table is None or not table.table.winners:
        _share(session, rest)
    else:
        session.fetch(_share_here(session))


_DAYS: Final[dict[str, str]] = {Verb.TODAY: "0", Verb.YESTERDAY: "1"}


@_reads
async def _share(session: LineContext, library: GameLibrary, rest: str) -> None:
    if game := await _meant(session, library, rest):
        tell_shared(session, await shared_game(session, library, game, unicode=False))


@_reads
async def _share_day(session: LineContext, library: GameLibrary, before: str) -> None:
    page = await library.day(int(before))
    told = None if page is None else await shared_day(session, library, page, unicode=False)
    if told is None:
        session.say(session.words.t("You have not finished that one."))
    else:
        tell_shared(session, told)


async def _share_here(session: LineContext) -> None:
    tell_shared(session, await shared_here(session, unicode=False))


def tell_shared(session: LineContext, told: Shared) -> None:
    """A text to pass on, and how it can be copied; without a chart, which a screen reader would spell."""
    words, copies = session.words, session.abilities.copies
    session.read([*told.lines, *filter(None, [told.note, told.counts])])
    if copies is not Copying.NEVER and not session.abilities.wraps:
        text = clipboard("\n".join(told.lines))
        question = words.t('Type "yes" to copy these lines.')
        session.ask(
            f"{question} {copying_in_words(copies, words)}",
            lambda: session.say(copied_in_words(copies, words) + text),
        )


@_reads
async def review(session: LineContext, library: GameLibrary, rest: str) -> None:
    """The bids of the game of the replay, or of one in the list, beside the bot's."""
    game, words = await _meant(session, library, rest), session.words
    if game is None:
        return
    replay = None if rest else session.replay
    seat = game.reviewed_seat(game.viewpoint if replay is None else replay.viewpoint)
    names = tuple(each.name for each in game.info.seats)
    session.say(words.t("Reviewing the bids of {name} takes some seconds.", name=names[seat]))
    session.read(review_lines([one async for one in library.review(game, seat)], names, words))


@_reads
async def puzzle(session: LineContext, library: GameLibrary, rest: str) -> None:
    """Answer the puzzle that was told with a card, or tell the next one."""
    words, puzzles = session.words, session.puzzles or Puzzles(library)
    session.puzzles = puzzles
    asks = words.t('Which card would you bid? Type "puzzle" and its number.')
    if rest and (told := session.puzzle) is not None:
        own = told.position(words).now().own
        if own is None or rest not in map(str, own.hand):
            session.say(asks)
            return
        session.puzzle = None
        session.say(*await puzzles.answered(told, int(rest), words))
        return
    session.puzzle = found = await puzzles.next()
    if found is None:
        session.say(words.t("There are no more: play a game, and look again."))
        return
    table = found.position(words).now()
    assert table.table is not None
    assert table.table.offer is not None
    low, high = table.table.offer
    text = _("Stage {stage}, round {round}: tides {low} and {high}.")
    place = {"stage": found.bid.stage + 1, "round": found.bid.round + 1}
    session.say(
        words.t(text, **place, low=low, high=high),
        table_in_sentences.levels_line(table, words),
        *table_in_sentences.hand_lines(table, words),
        asks,
    )


# ------------------------------------------------------------------- in a replay


@_in_replay
def play_on(session: LineContext, replay: LineReplay, rest: str) -> None:
    """Play on against bots, on the seat that is looked from."""
    game, moment = replay.game, replay.moment
    if not game.info.seed:
        session.say(held_in_words(session.words))
        return
    session.replay = None
    seat = game.reviewed_seat(replay.viewpoint)
    session.play_on(game, seat, moment.stage, moment.round)


@_in_replay
def next_moment(session: LineContext, replay: LineReplay, rest: str) -> None:
    """One moment on, or so many."""
    words = session.words
    lines: list[str] = []
    for _step in range(_count(rest)):
        if not replay.move_to(replay.at + 1):
            lines.append(words.t('That is the end; "leave" goes back.'))
            break
        lines += replay.told(words)
    session.read(lines)


@_in_replay
def moment_before(session: LineContext, replay: LineReplay, rest: str) -> None:
    """One moment back, or so many."""
    words, moved = session.words, replay.move_to(replay.at - _count(rest))
    session.say("" if moved else words.t("That is the beginning."), *replay.told(words))


@_in_replay
def go_to(session: LineContext, replay: LineReplay, rest: str) -> None:
    """To a stage, or a round of it."""
    wrong = replay.go_to(rest, session.words)
    session.say(*((wrong,) if wrong else replay.told(session.words)))


@_in_replay
def look_through(session: LineContext, replay: LineReplay, rest: str) -> None:
    """As another player saw it."""
    words = session.words
    session.say(replay.look_through(rest.casefold(), words), *replay.hands(words))


def _count(rest: str) -> int:
    return min(int(rest), _MOST_STEPS) if rest.isdecimal() and len(rest) < 4 else 1


# ------------------------------------------------------------------- results


@_reads
async def tell_results(session: LineContext, library: GameLibrary, _rest: str) -> None:
    """How this player has done."""
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
        lines.append(words.t("You are a guest: with an SSH key you would keep your results."))
    lines += [
        f"{ago_in_words(now - game.kept, words)}, {game_words(game, words)}." for game in page.games
    ]
    session.read(lines)


@_reads
async def tell_statistics(session: LineContext, library: GameLibrary, _rest: str) -> None:
    """How this player plays."""
    found, days = await library.statistics(), await library.streak()
    session.read(sentences(found, session.words, days))


@_reads
async def tell_best(session: LineContext, library: GameLibrary, _rest: str) -> None:
    """The best players."""
    words, found = session.words, await library.best()
    lines = [standing_words(standing, words) for standing in found]
    if not found:
        lines = [words.t("No rated game has been finished yet.")]
    lines += [words.t("For comparison, the server's bots:"), *bots_in_words(words)]
    session.read([" ".join(line.split()) for line in lines])


@_reads
async def tell_season(session: LineContext, library: GameLibrary, rest: str) -> None:
    """This month's best players, or those of so many months before."""
    words = session.words
    if rest and not (rest.isdecimal() and len(rest) <= 5 and int(rest) <= MOST_MONTHS):
        session.say(words.t('Type "season 1" for the last month, "season 2" for the one before.'))
        return
    page = await library.season(int(rest or 0))
    if page is None:
        session.say(words.t("No games are kept here."))
        return
    season = words.t("Season {month}", month=month_in_words(page.month, words))
    lines = [f"{season}:", *season_lines(page, words)]
    lines += [season_words(line, words) for line in page.rows]
    if page.earlier:
        text = words.t('The month before: "season {number}".', number=int(rest or 0) + 1)
        lines.append(text)
    session.read([" ".join(line.split()) for line in lines])


# ------------------------------------------------------------------- today's tide


@_reads
async def today(session: LineContext, library: GameLibrary, rest: str) -> None:
    """Today's tide; who can play is asked."""
    page = await _tell_day(session, library, rest, 0)
    if page is None or not page.playable:
        return
    question = session.words.t('Type "yes" to begin your one try.')
    if page.state == "begun":
        question = session.words.t('Type "yes" to go on.')
    session.ask(question, lambda: session.do(PlayToday()))


@_reads
async def yesterday(session: LineContext, library: GameLibrary, rest: str) -> None:
    """Yesterday's tide, whose games can be told again."""
    await _tell_day(session, library, rest, 1)


async def _tell_day(
    session: LineContext, library: GameLibrary, rest: str, before: int
) -> DayPage | None:
    """The day so many days ``before``, or what its deal can be checked with; it, where all of it was told."""
    words, page = session.words, await library.day(before)
    none = _("There was none.") if before else _("Today's tide is not played on this server.")
    if page is None:
        session.say(words.t(none))
        return None
    title = _("Yesterday's tide, {day}.") if before else _("Today's tide, {day}.")
    lines = [words.t(title, day=day_in_words(page.day, words))]
    if rest.casefold() in ("commitment", words.p("today", "commitment")):
        session.read([*lines, *commitment_lines(page, words)])
        return None
    lines += _told_day(session, page)
    if not before and (last := leaders_in_words(await library.day(1), words)):
        lines.append(f"{last}.")
    if before and page.closed and page.tries:
        rows = (GameRow(each.game, page.closes, "", True, False, ()) for each in page.tries)
        session.games = GameList(mine=False, rows=tuple(rows))
        lines.append(words.t('Type "replay 1" for the first of these games.'))
    session.read(lines)
    return page


def _told_day(session: LineContext, page: DayPage) -> list[str]:
    """People first, then the bots."""
    words = session.words
    bots = ", ".join(opponents_in_words(page, words))
    people = [
        # The number is what replay wants.
        f"{f'{n}: ' if page.closed else ''}{try_in_words(each, words)}."
        for n, each in enumerate(page.tries, 1)
    ]
    return [
        *(people or [no_tries(page, words)]),
        f"{capital(opponents_title(page, words))}: {bots}.",
        *day_lines(page, session.player.id, session.clock.time(), words),
    ]
