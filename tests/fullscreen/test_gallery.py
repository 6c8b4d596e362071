"""Every main screen in every size, language and character set: nothing overflows, what decides is there.

The same screens are for people to look at: ``python -m tests.support.gallery``.
"""

import math
import re
from itertools import product
from typing import Any, Final

import pytest

from engine.views import SeatView
from server.coordinator import messages as m
from server.i18n.lookup import Plural, Words, languages, words_for
from server.terminal.capabilities import Capabilities, Colours, Size
from server.terminal.drawing.frame import Frame, row_width, text_width
from server.terminal.drawing.frame_encoder import FrameEncoder
from server.terminal.drawing.theme import SEA, theme_for
from server.text.happenings import HAPPENINGS, closing_forms
from server.text.refusals import REFUSALS
from server.text.times import shown_seconds, time_in_words
from server.transport.net.terminal_detection import Charset
from tests.support.fakes import Player1
from tests.support.gallery import LATE_SECONDS, LINES, NAMES, SCREENS, SEALED_SECONDS, SIZES
from tests.support.snapshots import plain

TABLES = ("table_early", "table_late", "table_of_six", "sealed")
SHORTEST = 3
"""Columns of a name that are always left of it."""


def named(size: Size) -> str:
    return f"{size.columns}x{size.rows}"


def of_terminals() -> list[dict[str, Any]]:
    return [{"unicode": unicode, "thin": thin} for unicode, thin in ((True, False), (False, True))]


@pytest.mark.slow
@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", SCREENS)
async def test_nothing_overflows(name: str, language: str) -> None:
    latin = Charset("latin-1")
    for abilities in of_terminals():
        player = await SCREENS[name]({"language": language, **abilities})
        for size in SIZES:
            player.size = size
            frame = player.frame
            assert len(frame.rows) <= size.rows, size
            for row in frame.rows:
                assert row_width(row) <= size.columns, (size, row)
                assert all(style in SEA for style, _ in row)
                assert "".join(text for _, text in row).replace("\xa0", " ").isprintable()
            if not abilities["unicode"]:
                for line in plain(frame.rows).splitlines():
                    _check_old_charsets(line, latin)
        player.controller.close()


def _check_old_charsets(line: str, latin: Charset) -> None:
    """What ASCII terminals get has no other bytes, and each letter the place it had."""
    for charset in ("ascii", "cp437"):
        data = Charset(charset).encoded(line, cells=True)
        assert len(data) == text_width(line)
        assert charset != "ascii" or max(data, default=0) < 0x80
    drawn = line.encode("ascii", "ignore").decode()
    # The drawing itself is ASCII; only words and names have other letters, and German its quotation marks
    # and no-break spaces. Names are legible.
    assert all(char.isalpha() for char in set(line) - set(drawn) - set("„“\xa0")), line
    assert latin.encoded(line, cells=True).count(b"?") == line.count("?")


def seen(frame: Frame) -> str:
    return plain(frame.rows)


@pytest.mark.parametrize("size", SIZES, ids=named)
@pytest.mark.parametrize("name", TABLES)
async def test_a_table_has_all_that_decides_a_bid(name: str, size: Size) -> None:
    for language, abilities in product(languages(), of_terminals()):
        player = await SCREENS[name]({"language": language, **abilities})
        player.size = size
        text = seen(player.frame)
        own = player.game.snapshot(0).own
        assert own is not None
        _check_cards(own, text)
        _check_seats(player, own, text)
        if name in ("table_late", "table_of_six", "sealed"):
            words = words_for(language)
            left = SEALED_SECONDS if name == "sealed" else LATE_SECONDS
            seconds = shown_seconds(left, abilities["thin"])
            assert words.t("{count} s", count=seconds) in text.splitlines()[0]
        player.controller.close()


def _check_cards(own: SeatView, text: str) -> None:
    """The hand, in whatever encloses a card, and the tides on offer."""
    assert own.table.offer is not None
    for card in own.hand:
        assert re.search(rf"(?<!\d){card}(?!\d)", text), card
    low, high = own.table.offer
    # Between them there may be that the second bid takes the higher one.
    assert re.search(rf"(?<!\d){low}(?:\D|2(?:[.º]|nd) )+{high}(?!\d)", text)


def _check_seats(player: Player1, own: SeatView, text: str) -> None:
    lines = text.splitlines()
    # A line a seat, on small screens and on thin lines, in which level, life preservers and points stand.
    in_lines = player.size.columns < 56 or player.controller.context.abilities.thin
    for number, who in enumerate(own.table.seats):
        start = _start_of(NAMES[number])
        assert start in text, start
        compact = [line for line in lines if line[1:].startswith(start) and len(line) > 12]
        if in_lines and not who.eliminated:
            (line,) = compact
            level = str(who.level) if who.level else "(dry|-|seco)"
            assert re.search(rf" {level}!? ", line), (level, line)
            assert len(re.findall("[o○]", line[14:])) >= min(1, who.life_preservers)
            if not player.controller.context.abilities.thin:
                marked = bool(re.search(rf" {who.score}[* ][█#]", line))
            elif number == own.seat:
                words = player.controller.context.words
                marked = words.t("The {card} is sealed.", card=own.bid) in text
            else:
                marked = line.startswith("#")
            assert marked is who.has_bid, line
        elif who.level:
            assert re.search(rf"(?<!\d){who.level}(?!\d)", text)
    if not in_lines:
        sealed = sum(seat.has_bid for seat in own.table.seats)
        # The line below the columns says what the sign means.
        lines = [line for line in text.splitlines() if "──" not in line and "--" not in line]
        shown = sum(line.count("▐█▌") + line.count("[#]") for line in lines)
        assert shown == sealed


def _start_of(name: str) -> str:
    wide = ""
    for char in name:
        if text_width(wide + char) > SHORTEST + 1:
            break
        wide += char
    return wide[:SHORTEST]


def together(text: str) -> str:
    """A screen's words, however its lines are broken."""
    return " ".join(text.split())


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("size", SIZES[:3], ids=named)
async def test_small_screens_lose_nothing_that_matters(size: Size, language: str) -> None:
    words = words_for(language)
    told: dict[str, str] = {}
    for name in ("title", "standings", "stage_summary", "leave", "replay_open"):
        player = await SCREENS[name]({"language": language})
        player.size = size
        told[name] = together(seen(player.frame))
        if name == "standings":
            view = player.controller.page.table.table
            assert view is not None
            for seat in view.seats:
                assert re.search(rf" {seat.score}\*?( |$)", seen(player.frame), re.MULTILINE)
        player.controller.close()
    assert "ada+k7m2-p9xq-3dhw" in told["title"]
    coming = words.n(
        "You get the hand that was dealt to {hand}, with {count} life preserver. So far: {made}.",
        "You get the hand that was dealt to {hand}, with {count} life preservers. So far: {made}.",
        4,
        hand="Sprat",
        made="Sprat +5",
    )
    assert coming in told["stage_summary"]
    assert words.t("a bot plays on for you, for good; the result stays yours") in told["leave"]
    hands = re.findall(r"(?<!\d)\d+(?!\d)", told["replay_open"])
    assert {"35", "29", "6", "32"} <= set(hands)


@pytest.mark.parametrize(
    ("name", "most"), [("title", 760), ("lobby", 850), ("waiting", 650), ("table_early", 960)]
)
async def test_on_a_thin_line_first_pictures_are_small(name: str, most: int) -> None:
    """At 1,200 bits per second, 120 bytes are a second. 18 undo what another program may have left on."""
    size = Size(80, 24)
    for unicode in (True, False):
        able = Capabilities(colours=Colours.TRUE, unicode=unicode, thin=True)
        player = await SCREENS[name]({"language": "en", "unicode": unicode, "thin": True})
        player.size = size
        renderer = FrameEncoder(theme_for(able))
        sent = renderer.enter() + renderer.update(player.frame, size)
        player.controller.close()
        assert len(sent.encode()) <= most


# ---------------------------------------------------------------- whole texts


LANGUAGES = pytest.mark.parametrize("language", ["en", "de", "pt"])
NARROW = Size(40, 15)


@pytest.mark.slow
@LANGUAGES
@pytest.mark.parametrize("name", SCREENS)
async def test_no_sentence_is_cut_on_the_smallest_screen(name: str, language: str) -> None:
    """On every screen of the gallery, with the longest names. Names may be cut, and what people write; and
    a list of facts ends with a sign where there are more of them.
    """
    player = await SCREENS[name]({"language": language})
    player.size = NARROW
    for _ in range(6):
        seen = player.text
        cut = [line for line in seen.splitlines() if "…" in line and not _may_be_cut(line, seen)]
        assert not cut, seen
        await player.press("pagedown")
    player.controller.close()


def _may_be_cut(line: str, screen: str) -> bool:
    before, _, after = line.partition("…")
    if before.endswith((" ", ",")) and not after.strip():
        return True  # more facts, none of which is cut
    if line.startswith(">"):
        value = before.lstrip("> ").rpartition("< ")[2].strip()
        if " ".join(screen.split()).count(value) > 1:
            return True  # in full below the list
    word = re.split(r"[\s,]", before)[-1]
    # Bots of finished games are called so.
    names = (*NAMES, "dora", "cem")
    cut_name = any(each.startswith(word) and word for each in names)
    return cut_name or any(word in each.text for each in LINES if len(word) > 1)


_LONGEST: Final = {
    **dict.fromkeys(("name", "other", "names", "bot"), "Maximilianna"),
    **dict.fromkeys(("title", "tournament", "table"), "kadubilo"),
    **dict.fromkeys(("count", "card", "most", "limit"), 60),
    "number": 6,
    "players": 3,
    "least": 9,
}


def _filled(text: str | Plural, words: Words) -> str:
    """With the longest names and numbers."""
    time = time_in_words(3540, words)
    return words.fill(text, **_LONGEST, time=time, motion="", problem="", what="", code="")


@LANGUAGES
@pytest.mark.parametrize("name", ["lobby", "waiting", "tournament"])
async def test_why_something_is_not_done_is_whole(name: str, language: str) -> None:
    player = await SCREENS[name]({"language": language})
    player.size = NARROW
    context = player.controller.context
    for text in REFUSALS.values():
        said = _filled(text, context.words)
        context.say("error", said)
        player.controller.changed()
        assert said in " ".join(player.text.split())


@LANGUAGES
async def test_what_happens_at_a_table_is_whole_there(language: str) -> None:
    player = await SCREENS["table_early"]({"language": language})
    player.size = NARROW
    context = player.controller.context
    refused = ("too_late", "not_in_hand", "no_guess", "no_hints", "storage", "uncertain")
    told = [REFUSALS[code] for code in (*refused, "silenced", "rated_round", "not_kept")]
    told += [text for each in HAPPENINGS.values() for text in (each.text, each.own) if text]
    for text in told:
        context.message = context.notice = ("", "")
        said = _filled(text, context.words)
        context.say("error" if text in REFUSALS.values() else "notice", said)
        player.controller.changed()
        assert said in " ".join(player.text.split())


@LANGUAGES
async def test_the_server_says_when_it_shuts_down_in_one_row(language: str) -> None:
    for seconds in (0.0, 75.0, math.inf):
        player = Player1(language=language)
        player.size = NARROW
        closing = player.clock.time() + seconds
        await player.lobby(m.LobbySnapshot((), ("ada",), closing))
        said = closing_forms(seconds, player.controller.context.words, thin=False)
        assert f" {said[-1]} " in player.text.replace("\n", " ")
