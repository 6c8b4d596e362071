"""A game record in words: what is wrong with it (``RecordError`` and doubts), and its table."""

from collections.abc import Mapping
from typing import Final

from engine.errors import RecordError
from engine.records.record_format import Record
from engine.records.replay import Doubt, Finding
from server.cleaning import clean_text
from server.i18n.lookup import Words, _

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
