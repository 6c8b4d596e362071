"""Finished games in words: lists, results, records, and the text that is passed on to others."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from engine.editions import called
from engine.errors import RecordError
from engine.records.record_format import Record
from engine.records.replay import Doubt, Finding
from engine.standings import standings
from engine.state import RoundResult, StageResult
from engine.views import TableView
from server.cleaning import clean_text
from server.coordinator.events.days import DayPage, day_of
from server.coordinator.people.names import TODAY
from server.i18n.lookup import Words, _
from server.storage.history import GameRow, PlayerPage, PlayerTotals
from server.storage.ratings import Rating
from server.terminal.capabilities import Copying
from server.text.events import day_in_brief
from server.text.rounds import Names, highlights_in_words, signed, winner_name

_TABLE_WIDTH: Final = 24

_SENTENCES: Final[Mapping[str, str]] = {
    # not JSON, or not what JSON should be
    "empty": _("there is no record in it"),
    "too_large": _("longer than the {limit} bytes that a record may have"),
    "utf8": _("this is not text: byte {byte} is not UTF-8"),
    "json": _("broken JSON at line {line}, column {column}"),
    "nesting": _("lists or objects nested deeper than {limit}"),
    "number_too_large": _("a number far too large"),
    "not_a_number": _("{found} is not a number in JSON"),
    "text": _("a text with half a character (an unpaired surrogate)"),
    "duplicate_key": _('the key "{key}" appears twice'),
    "missing_field": _('"{field}" is missing'),
    "not_an_object": _('"{field}" has to be an object'),
    "not_a_list": _('"{field}" has to be a list'),
    "not_an_integer": _('"{field}" holds something that is not an integer'),
    "not_a_boolean": _('"{field}" has to be true or false'),
    "not_a_string": _('"{field}" holds something that is not text'),
    # not a record of this game
    "format": _('not a record of this game: its "format" is not "{wanted}"'),
    "version": _("written in version {found} of the format; this program reads version {wanted}"),
    "edition": _("there is no such edition"),
    "players": _("{players} players cannot play the edition {edition}"),
    "stages": _("{players} players cannot play {stages} stages"),
    "modified_drowning": _("modified drowning does not go with the edition {edition}"),
    # dealt wrongly
    "hands": _("{hands} hands are dealt to {players} players"),
    "hand_size": _("{cards} cards are dealt instead of {hand_size}"),
    "no_such_card": _("there is no weather card {card}"),
    "card_twice": _("card {card} is dealt twice"),
    # played wrongly
    "tide_pair": _("two tide cards are turned up, not {cards}"),
    "tide_range": _("there is no tide card {tide} in this game"),
    "tide_copies": _("tide card {tide} is turned up a third time in this stage"),
    "bids_of_round": _("{bids} bids for {players} seats"),
    "missing_tides": _("there are bids, but no tide cards"),
    "missing_bids": _("the bids are missing, and yet play goes on"),
    "missing_bid": _("the bid is missing, and the player has not been eliminated"),
    "eliminated": _("a bid of a player who has been eliminated"),
    "not_in_hand": _("card {card} is not, or no longer, in this hand"),
    "stage_not_over": _("the next stage begins before this one is over"),
    "stage_over": _("play goes on although the stage is over"),
    "game_over": _("play goes on although the game is over"),
}

_DOUBTS: Final[Mapping[Doubt, str]] = {
    Doubt.NO_SEED: _("the record has no seed"),
    Doubt.NO_COMMITMENT: _("the record has no commitment that was published before the game"),
    Doubt.UNKNOWN_ALGORITHM: _(
        "the seed is for a way of shuffling that this program does not know"
    ),
    Doubt.BAD_SEED: _("the seed is not 32 bytes in hexadecimal"),
    Doubt.COMMITMENT: _("the commitment was made from another seed, or for other rules"),
    Doubt.HAND: _("the seed deals another hand"),
    Doubt.TIDES: _("the seed turns up other tide cards"),
}


def _placed(why: str, words: Words, stage: int | None, round_: int | None, seat: int | None) -> str:
    """``why`` after "stage 2, round 4, seat 1", as far as known; arguments count from 0, people from 1."""
    where = []
    if stage is not None:
        where.append(words.t("stage {stage}", stage=stage + 1))
    if round_ is not None:
        where.append(words.t("round {round}", round=round_ + 1))
    if seat is not None:
        where.append(words.t("seat {seat}", seat=seat + 1))
    return f"{', '.join(where)}: {why}" if where else why


def record_error_in_words(error: RecordError, words: Words, first_line: int = 1) -> str:
    """Where and why, as one line: "stage 2, round 4, seat 1: ...".

    ``first_line`` is the line of its file on which the record begins. May hold characters of the record:
    clean it before a terminal sees it.
    """
    details = dict(error.details)
    if error.code == "json":
        details["line"] = int(details["line"]) + first_line - 1
    text = _SENTENCES.get(error.code, _("not a valid record ({code})"))
    if error.code == "not_an_object" and details["field"] == "record":
        text = _("a record has to be a JSON object")
    why = words.t(text, code=error.code, **details)
    return _placed(why, words, error.stage, error.round, error.seat)


def doubt_in_words(finding: Finding, words: Words) -> str:
    """Where a record and its seed differ, as one line."""
    place = (None if number < 0 else number for number in finding[1:])
    return _placed(words.t(_DOUBTS[finding.doubt]), words, *place)


def table_of(record: Record) -> str:
    """What the table was called, fit for a terminal; empty when the record does not say."""
    named = record.fields().get("table")
    return clean_text(named, _TABLE_WIDTH) if isinstance(named, str) else ""


_MINUTE, _HOUR, _DAY = 60, 3600, 86_400


def ago_in_words(seconds: float, words: Words) -> str:
    """Say how long ago something was."""
    ago = max(0, int(seconds))
    if ago < _MINUTE:
        return words.t("just now")
    if ago < _HOUR:
        return words.n("{count} min ago", "{count} min ago", ago // _MINUTE)
    if ago < _DAY:
        return words.n("{count} h ago", "{count} h ago", ago // _HOUR)
    return words.n("{count} day ago", "{count} days ago", ago // _DAY)


def game_words(game: GameRow, words: Words) -> str:
    """Say who played, with what scores.

    The winners have a star, a bot in the place of a player who left, too.
    """
    best = max((seat.score for seat in game.seats), default=0)
    seats = (
        f"{winner_name(seat.name, seat.kind == 'left', words)} {seat.score}*"
        if game.complete and seat.score == best
        else f"{seat.name} {seat.score}"
        for seat in game.seats
    )
    facts = ", ".join(seats), called(game.edition), *notes_in_words(game, words)
    return " - ".join(filter(None, facts))


def notes_in_words(game: GameRow, words: Words) -> list[str]:
    """What there is to know of a game besides who played."""
    notes = {
        words.t("abandoned"): not game.complete,
        words.t("rated"): game.rated,
        words.t("guided"): game.tutorial,
        words.t("known deal"): game.again,
        words.t("deal still secret"): game.held,
    }
    return [note for note, applies in notes.items() if applies]


def held_in_words(words: Words) -> str:
    """Why not all of a game can be looked at yet."""
    return words.t(
        "Others may still play this deal: until that is over, you see what you saw as you played; all hands"
        " and the record come later."
    )


def tally_words(tally: PlayerTotals, words: Words) -> tuple[str, ...]:
    """Results over all games, as sentences."""
    if not tally.games:
        return (words.t("You have not finished a game yet."),)
    facts = [
        words.t(
            "{games}, {won} ({share}%)",
            games=words.n("{count} game", "{count} games", tally.games),
            won=words.n("{count} won", "{count} won", tally.wins),
            share=round(100 * tally.wins / tally.games),
        ),
        words.t("{points} points a stage", points=words.decimal(tally.mean_points)),
    ]  # fmt: skip
    if tally.compared:
        facts += [
            words.t(
                "With the same hands you scored {own} points a stage, the others {others}.",
                own=words.decimal(tally.own_with_hand),
                others=words.decimal(tally.others_with_hand),
            ),
            words.n(
                "In {best} of {count} stage nobody scored more with that hand than you.",
                "In {best} of {count} stages nobody scored more with that hand than you.",
                tally.compared,
                best=tally.best_with_hand,
            ),
        ]
    return tuple(facts)


def rated_in_words(rating: Rating, words: Words) -> str:
    """A rating without a place."""
    return words.n(
        "Rating {rating}, after {count} rated game.",
        "Rating {rating}, after {count} rated games.",
        rating.games,
        rating=rating.shown,
    )


def rating_words(page: PlayerPage, words: Words) -> str:
    """A player's rating."""
    if page.rating is None:
        return words.t("No rated games yet.")
    if not page.rank:
        said = rated_in_words(page.rating, words)
        why = words.t(
            "You are listed among the best after ten rated games with four or more people from elsewhere."
        )
        return f"{said} {why}"
    return words.n(
        "Rating {rating}, number {rank} here, after {count} rated game.",
        "Rating {rating}, number {rank} here, after {count} rated games.",
        page.rating.games,
        rating=page.rating.shown,
        rank=page.rank,
    )


_SPARKS: Final = "▁▂▃▄▅▆▇█"
_STRIP: Final = {True: tuple("▁▃▅▇×"), False: tuple("_-=#x")}
"""Signs of a round, in Unicode or not: how many others still in have a lower tide, and last that a life
preserver was lost. No program for chats takes them for markup or makes pictures of them.
"""
_HIGHLIGHTS: Final = 3
_COPYING: Final = {
    Copying.KNOWN: _("Your terminal is known to put them on your clipboard."),
    Copying.ITERM2: _("iTerm2 does it if its settings let programs access the clipboard."),
    Copying.TMUX: _('tmux does it if its option "set-clipboard" is "on".'),
    Copying.UNKNOWN: _("Many terminals can do that; yours does not say which one it is."),
    Copying.NEVER: _("Your terminal cannot copy them for you: mark them with the mouse."),
}


def shared_own(
    points: Sequence[int],
    event: str,
    title: str,
    words: Words,
    way_in: str = "",
) -> list[str]:
    """A game whose deal others may still play.

    The points that this seat made in each stage, and nothing else of the game. ``title`` is that of its
    table; ``way_in`` what one types after ``ssh``, empty where that is not known.
    """
    day = day_of(event)
    game = f"{words.t('Turn the Tide')} {day}" if day else f"{words.t('Turn the Tide')}, {title}"
    total = words.n("{count} point", "{count} points", sum(points))
    told = f"{game}: {total}" if day else f"{game}: {total} ({' '.join(map(signed, points))})"
    return _lines(told, today_line(way_in) if day else _address(way_in))


def shared_try(page: DayPage, player: str, strip: str, way_in: str, words: Words) -> list[str]:
    """What the player with this id has made of a day, in two lines: points, place, days in a row.

    A sign for each round, and what one types to play it.
    """
    row = words.n("{count} day in a row", "{count} days in a row", page.streak)
    facts = (day_in_brief(page, player, words), row if page.streak > 1 else "")
    head = f"{words.t('Turn the Tide')} {page.day}: {', '.join(filter(None, facts))}"
    return _lines(head, " ".join(filter(None, (strip, today_line(way_in)))))


def shared_text(
    view: TableView,
    names: Names,
    words: Words,
    *,
    left: Collection[int] = (),
    unicode: bool = True,
    way_in: str = "",
    replay: str = "",
) -> list[str]:
    """A finished game in a few lines.

    Who won, places, points, how the totals went, what was remarkable, and what one types to see its
    ``replay`` and to play there. ``left`` are the seats whose players have given it up.
    """
    players = words.n("{count} player", "{count} players", view.rules.players)
    head = f"{words.t('Turn the Tide')} ({view.rules.edition.called}, {players})"
    if winners := tuple(winner_name(names[it], it in left, words) for it in view.winners):
        won = words.n("{names} won", "{names} won", len(winners), names=words.listed(winners))
        head = f"{head}: {won}"
    places = []
    seats = standings(view)
    totals = [total for seat in seats for total in (0, *seat.totals)]
    for seat in seats:
        place = 1 + sum(other.total > seat.total for other in seats)
        spark = "".join(_sparks((0, *seat.totals), min(totals), max(totals))) if unicode else ""
        stages = ", ".join(map(str, seat.totals))
        places.append(f"{place}. {names[seat.seat]} {seat.total}  {spark or f'({stages})'}")
    told = highlights_in_words(view, names, words)
    return _lines(head, *places, *told[-_HIGHLIGHTS:], replay, _address(way_in))


def strip_of(stage: StageResult, seat: int, *, unicode: bool = True) -> str:
    """A sign for each round in which ``seat`` took part.

    It says how ``seat`` stood among the others, and nothing of cards and tides, which somebody else may
    still have to find out.
    """
    return "".join(_sign(each, seat, unicode) for each in stage.rounds if each.bids[seat])


def _sign(result: RoundResult, seat: int, unicode: bool) -> str:
    *depths, lost = _STRIP[unicode]
    own = result.levels[seat]
    if own is None or seat in result.lost:
        return lost
    return depths[sum(level is not None and level < own for level in result.levels)]


def strip_in_words(words: Words, *, unicode: bool = True) -> str:
    """What the signs of a strip mean."""
    dry, *_between, deep, lost = _STRIP[unicode]
    return words.t(
        "A sign for each round: from {dry} (the lowest tide of all) to {deep} (the highest); {lost} lost"
        " a life preserver or was eliminated.",
        dry=dry,
        deep=deep,
        lost=lost,
    )


def copying_in_words(copies: Copying, words: Words) -> str:
    """Whether lines get to the clipboard of such a terminal."""
    return words.t(_COPYING[copies])


def copied_in_words(copies: Copying, words: Words) -> str:
    """What is said once they have been sent there."""
    if copies is Copying.KNOWN:
        return words.t("Copied.")
    return words.t("Sent to your terminal. If there is nothing to paste, mark the lines.")


def _lines(*lines: str) -> list[str]:
    return [line for line in lines if line]


def today_line(way_in: str) -> str:
    """What anybody types to play today's tide there; ``way_in`` as in ``shared_own``."""
    *options, host = way_in.split(" ")
    return " ".join(("ssh", *options, f"{TODAY}@{host}")) if way_in else ""


def _address(way_in: str) -> str:
    return f"ssh {way_in}" if way_in else ""


def _sparks(values: Sequence[int], low: int, high: int) -> Iterator[str]:
    for value in values:
        yield _SPARKS[round((value - low) * (len(_SPARKS) - 1) / max(1, high - low))]
