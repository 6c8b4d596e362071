"""A whole session on a terminal in memory: keys pressed, frames seen, and nothing left afterwards."""

import asyncio
import gc
import re
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from prompt_toolkit.application import get_app
from prompt_toolkit.input import typeahead

from server.terminal.application import (
    ANSWER_SECONDS,
    REPAINT_SECONDS,
    RESIZE_DELAY,
    PlayerApplication,
)
from server.terminal.capabilities import Capabilities, Colours, Size
from server.terminal.drawing.frame import Frame
from server.terminal.drawing.frame_limiter import BURST, SLOW_LINE_WINDOW, WINDOW
from server.terminal.keys.bursts import HELD_ALONE, HELD_BACK, LONG, TOGETHER
from server.terminal.keys.input import KEYS_A_TURN, MOST_AHEAD
from tests.support.fake_clock import FakeTimers
from tests.support.glass import expected_lines
from tests.support.pilot import NORMAL, FakeTerminal, Pilot
from tests.support.talk import SIXTEEN, Talk


@asynccontextmanager
async def talking(
    drawn: Capabilities = SIXTEEN, **abilities: Any
) -> AsyncIterator[tuple[Talk, Pilot]]:
    """A screen, and somebody at it. ``abilities`` are the terminal's, ``drawn`` those that are drawn for."""
    talk = Talk(drawn)
    async with Pilot(talk, **abilities) as pilot:
        yield talk, pilot


async def test_a_key_whose_answer_will_be_shown_costs_no_frame() -> None:
    async with talking() as (talk, pilot):
        pilot.timers.advance(1)
        before = talk.frames
        pilot.press("a")
        assert talk.frames == before
        talk.tell("here it is")
        pilot.timers.advance(1)
        assert talk.frames == before + 1
        assert "pressed a" in pilot.screen()[1]
        pilot.press("x")
        assert talk.frames == before + 2


async def test_keys_reach_the_screen_and_end_the_session() -> None:
    async with Pilot(Talk()) as pilot:
        assert pilot.screen()[0] == "Turn the Tide 80x24"
        assert pilot.glass.cursor is None
        pilot.press("right", "enter", "x", "s-tab", "f1")
        assert pilot.screen()[1] == "pressed right enter x s-tab f1"
        pilot.press("q")
        await pilot.ended()
        assert not pilot.running
        assert pilot.timers.pending == 0
        assert pilot.glass.mode(7)
        assert not pilot.glass.mode(1049)
        assert not pilot.glass.mode(2004)
        assert pilot.glass.cursor == (0, 0)


@pytest.mark.parametrize(("thin", "pause"), [(False, 0.14), (True, 0.4)])
async def test_arrows_split_into_bytes(thin: bool, pause: float) -> None:
    async with talking(thin=thin) as (talk, pilot):
        for char in "\x1b[D\x1bOC":
            pilot.session.feed(char)
            pilot.timers.advance(pause)
        assert talk.pressed == ["left", "right"]


@pytest.mark.parametrize(("thin", "delay"), [(False, 0.15), (True, 0.5)])
async def test_a_lone_escape_means_escape_after_a_silence(thin: bool, delay: float) -> None:
    async with talking(thin=thin) as (talk, pilot):
        pilot.session.feed("\x1b")
        pilot.timers.advance(delay - 0.01)
        assert talk.pressed == []
        pilot.timers.advance(0.01)
        assert talk.pressed == ["escape"]
        pilot.timers.advance(1)
        assert "pressed escape" in pilot.text


CHORDS = (
    *(f"\x1b{char}" for char in "azxqQ17!?[]PO^_X/ \r\t\x03\x0c\x7f"),
    *(f"\x1b{final}" for final in ("[1;3A", "[1;3B", "\x1b[A", "\x1b[5~", "OP", "[1;4C", "[3;3~")),
    *("\x1b[97;3u", "\x1b[13;3u", "\x1b[27;3;120~", "\x1b[27;7;99~"),
)


@pytest.mark.parametrize("chord", CHORDS)
@pytest.mark.parametrize("split", [False, True])
async def test_a_chord_that_means_nothing_leaves_what_is_typed(chord: str, split: bool) -> None:
    async with talking() as (talk, pilot):
        pilot.press("t")
        pilot.type("hello bo")
        for piece in chord if split else [chord]:
            pilot.session.feed(piece)
        pilot.timers.advance(2)
        pilot.type("!")
        assert talk.entry is not None
        assert talk.entry.text in ("hello bo!", "hello !")
        assert talk.pressed == ["t"]


@pytest.mark.parametrize("left", ["\x1b[1;3D", "\x1b\x1b[D", "\x1b\x1bOD", "\x1bb", "\x1b[1;9D"])
@pytest.mark.parametrize("right", ["\x1b[1;3C", "\x1b\x1b[C", "\x1bf", "\x1b[102;3u"])
async def test_alt_and_an_arrow_move_by_a_word(left: str, right: str) -> None:
    async with Pilot(Talk()) as pilot:
        pilot.press("t")
        pilot.type("ebb and flow")
        pilot.send(left)
        pilot.type("<")
        pilot.send(left)
        pilot.send(left)
        pilot.type("{")
        pilot.send(right)
        pilot.type("}")
        assert pilot.screen()[4] == "> ebb {and} <flow"


async def test_a_line_is_edited() -> None:
    async with talking() as (talk, pilot):
        pilot.press("t")
        pilot.type("ebb flow")
        pilot.press("home", "delete", "E", "end", "backspace", "left")
        pilot.send("\x1bb")  # a word back
        pilot.type("and ")
        pilot.send("\x17")  # delete a word
        pilot.send("\x1f")  # and undo
        assert pilot.screen()[4] == "> Ebb and flo"
        pilot.send("\x15\x0b")
        assert pilot.screen()[4] == ">"
        pilot.send("\x19")
        assert pilot.screen()[4] == "> flo"
        pilot.press("escape")
        assert talk.said == []
        assert talk.entry is None


async def test_earlier_lines_come_back() -> None:
    async with talking() as (talk, pilot):
        for line in ("one", "two"):
            pilot.press("t")
            pilot.type(line)
            pilot.press("enter")
        pilot.press("t")
        await asyncio.sleep(0)  # the history is read by a task of its own
        pilot.press("x")
        await asyncio.sleep(0)
        pilot.press("backspace", "up", "up")
        assert pilot.screen()[4] == "> one"
        pilot.press("down", "enter")
        assert talk.said == ["one", "two", "two"]


async def test_pasted_text_presses_no_keys() -> None:
    async with talking() as (talk, pilot):
        pilot.paste("quit\nq\x1b[A")
        assert talk.pressed == []
        assert talk.said == ["pasted quit"]
        pilot.paste(" \n ")
        assert talk.said == ["pasted quit"]


LINES = (
    "see you tonight",
    "quit",
    "qg",
    "44 is mine",
    "yes",
    "q",
    "\x03d",
    "12 or 44\rq\rg\rd",
    "/q\rq",
)


@given(st.lists(st.sampled_from(LINES) | st.text("qgdy4 \t/é", min_size=2), min_size=1), st.data())
@settings(max_examples=200, deadline=None)
def test_lines_pasted_without_marks_press_few_keys_and_no_enter(
    lines: list[str], data: st.DataObject
) -> None:
    async def play() -> None:
        class Idle(Talk):
            def press(self, name: str, *, at_once: bool = False) -> bool:
                self.pressed.append(name)
                return True

        talk = Idle()
        async with Pilot(talk) as pilot:
            rest = "".join(f"{line}\r" for line in lines)
            if re.match(r"[0-9 ]*\r|(.)\1*\r", rest):
                rest = f"see {rest}"  # as a card is typed, or a key is held down
            while rest:
                length = data.draw(st.integers(1, len(rest)))
                pilot.session.feed(rest[:length])
                rest = rest[length:]
            pilot.timers.advance(1)
            assert "enter" not in talk.pressed
            assert len({*talk.pressed} - {*"0123456789 "}) <= 3

    asyncio.run(play())


async def test_a_card_and_enter_may_be_typed_ahead() -> None:
    async with talking() as (talk, pilot):
        for keys, pressed in (
            ("44\r", "4 4 enter"),
            ("   \r", "      enter"),
            ("hhh", "h h h"),
            ("ln", "l n"),
            ("l\r", "l enter"),
            ("\x1b[C\x1b[C\r", "right right enter"),
            ("\x1b[Cx", "right x"),
        ):
            talk.pressed.clear()
            pilot.send(keys)
            assert " ".join(talk.pressed) == pressed


async def test_what_is_held_back_of_a_long_paste_is_not_for_the_hot_keys() -> None:
    async with talking() as (talk, pilot):
        pilot.press("t")
        pilot.send("xy" * LONG + "\r")
        for helping in ("q", "q\r", "44\rqu", "qqqq", "it\r"):
            pilot.timers.advance(
                HELD_BACK - 0.11
            )  # so long the transport may keep the next helping
            pilot.send(helping)
        assert talk.pressed == ["t", "enter"]
        pilot.timers.advance(HELD_BACK)
        pilot.press("q")
        await pilot.ended()


async def test_who_types_fast_is_no_paste() -> None:
    async with talking() as (talk, pilot):
        for key in "x?4":
            pilot.session.feed(key)
            pilot.timers.advance(TOGETHER)
        assert talk.pressed == ["x", "?", "4"]
        talk.pressed.clear()
        for key in "x?4":
            pilot.session.feed(key)
        assert talk.pressed == ["x", "?", "4"]
        for _ in range(5):
            pilot.session.feed("x")  # which has been shown
            pilot.timers.advance(HELD_ALONE)
        assert talk.pressed[3:] == ["x"] * 5


async def test_a_paste_behind_many_others_leaves_nothing_to_the_hot_keys() -> None:
    """Twenty others who never stop have turns of ten milliseconds."""

    def turn() -> None:
        pilot.timers.now += 0.01
        if pilot.timers.now < 60:
            pilot.terminal.meter.outer.outer.join(turn)

    talk = Talk()
    pilot = Pilot(talk)
    async with pilot:
        for _ in range(20):
            turn()
        pilot.session.feed("\x1b[C" * (2 * KEYS_A_TURN))
        for piece in ("see you tonight", " or tomorrow", "q"):
            pilot.session.feed(piece)
            pilot.timers.advance(0)
        pilot.timers.advance(90)
        assert talk.said == ["pasted see you tonight"]
        assert pilot.running


async def test_many_keys_at_once_are_pressed_a_few_in_a_turn() -> None:
    async with talking() as (talk, pilot):
        pilot.timers.advance(1)
        begin, before = len(talk.pressed), talk.frames
        pilot.session.feed("\x1b[C" * 400)
        assert len(talk.pressed) - begin == KEYS_A_TURN
        pilot.session.feed("k")  # has to wait for those before it
        assert len(talk.pressed) - begin == KEYS_A_TURN
        pilot.timers.advance(0)
        assert talk.pressed[begin:] == [*["right"] * 400, "k"]
        assert talk.frames - before <= 3
        pilot.timers.advance(WINDOW)
        assert "pressed right right right right k" in pilot.text
        pilot.send("\x1b[C" * 20 + "q" + "\x1b[C" * 20)
        await pilot.ended()
        assert talk.pressed[-1] == "q"


async def test_of_keys_that_nothing_holds_back_only_so_many_wait() -> None:
    """A few compressed bytes may be as many keys as they like."""
    async with talking() as (talk, pilot):
        pilot.timers.advance(1)
        begin, helping = len(talk.pressed), MOST_AHEAD // 2
        for _ in range(20):  # and nobody has a turn
            pilot.session.feed("\x1b[C" * helping)
        pilot.timers.advance(1)
        assert len(talk.pressed) - begin == 3 * helping
        pilot.send("k")
        assert talk.pressed[-1] == "k"


async def test_a_flood_of_keys_is_drawn_once_a_helping() -> None:
    class Slow(Talk):
        def press(self, name: str, *, at_once: bool = False) -> bool:
            pilot.timers.now += WINDOW
            return super().press(name)

    talk = Slow()
    pilot = Pilot(talk)
    async with pilot:
        pilot.timers.advance(1)
        begin, before = len(talk.pressed), talk.frames
        for _ in range(10):
            pilot.session.feed("\x1b[C\x1b[D" * 40)
            pilot.timers.advance(20)
        assert len(talk.pressed) - begin == 10 * 80
        assert talk.frames - before <= 10


async def test_lines_pasted_without_marks_stay_together_however_many_turns_they_take() -> None:
    async with talking() as (talk, pilot):
        pilot.press("t")
        long = "x" * (2 * KEYS_A_TURN - 1)  # the return is the last key of a turn
        pilot.send(f"{long}\rq\r" + "q" * 100)
        assert talk.said == [long]
        assert talk.pressed == ["t", "newline"]
        assert pilot.running


async def test_a_mistake_among_many_keys_ends_the_session_and_nothing_stays_behind() -> None:
    talk, timers = Talk(), FakeTimers()
    session = PlayerApplication(FakeTerminal(NORMAL, Capabilities()), talk, timers)
    task = asyncio.create_task(session.play())
    await asyncio.sleep(0)
    session.feed("\x1b[C" * (KEYS_A_TURN + 1) + "!" + "\x1b[C" * 100)
    timers.advance(0)
    with pytest.raises(RuntimeError, match="a mistake"):
        await task
    timers.advance(0)
    assert talk.pressed[-1] == "!"
    assert timers.pending == 0


async def test_the_end_of_the_input_ends_the_session() -> None:
    pilot = Pilot(Talk())
    async with pilot:
        pilot.session.end_of_input()
        await pilot.ended()
    assert not pilot.glass.mode(1049)
    pilot.session.feed("x")
    pilot.session.resized()
    pilot.session.drained()
    pilot.session.end_of_input()
    assert pilot.timers.pending == 0


async def test_a_session_whose_input_ended_before_it_began() -> None:
    terminal = FakeTerminal(NORMAL, Capabilities())
    session = PlayerApplication(terminal, Talk(), FakeTimers())
    session.feed("abc\x1b")
    session.end_of_input()
    await session.play()
    assert terminal.glass.writes == 0


async def test_a_terminal_is_taken_over_together_with_the_first_frame() -> None:
    async with Pilot(Talk()) as pilot:
        assert pilot.glass.writes == 1
        assert pilot.glass.mode(1049)
        assert pilot.screen()[0] == "Turn the Tide 80x24"


async def test_a_controller_that_is_done_from_the_start() -> None:
    talk = Talk()
    talk.done = True
    terminal = FakeTerminal(NORMAL, Capabilities())
    await PlayerApplication(terminal, talk, FakeTimers()).play()
    assert terminal.glass.mode(7)


async def test_done_without_a_key() -> None:
    async with talking() as (talk, pilot):
        talk.done = True
        talk.changed()
        pilot.timers.advance(1)
        await pilot.ended()


async def test_cancellation_is_passed_on_and_gives_the_terminal_back() -> None:
    terminal = FakeTerminal(NORMAL, Capabilities())
    task = asyncio.create_task(PlayerApplication(terminal, Talk(), FakeTimers()).play())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert terminal.glass.mode(1049)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not terminal.glass.mode(1049)
    assert terminal.glass.mode(7)


class Torn(Talk):
    """Cannot draw what comes after the first key."""

    def frame(self, size: Size) -> Frame:
        if self.pressed:
            raise RuntimeError("a mistake in drawing")
        return super().frame(size)


@pytest.mark.parametrize(("talk", "key"), [(Talk(), "!"), (Torn(), "x")])
async def test_mistakes_of_a_screen_come_out_of_run(talk: Talk, key: str) -> None:
    terminal = FakeTerminal(NORMAL, Capabilities())
    session = PlayerApplication(terminal, talk, FakeTimers())
    task = asyncio.create_task(session.play())
    await asyncio.sleep(0)
    session.feed(key)
    with pytest.raises(RuntimeError, match="a mistake in"):
        await task
    assert not terminal.glass.mode(1049)


async def test_keys_from_before_the_first_frame_are_ignored() -> None:
    talk = Talk()
    terminal = FakeTerminal(NORMAL, Capabilities())
    session = PlayerApplication(terminal, talk, FakeTimers())
    session.feed("a script that somebody's terminal types\r")
    task = asyncio.create_task(session.play())
    await asyncio.sleep(0)
    session.feed("x")
    session.end_of_input()
    await task
    assert talk.pressed == ["x"]


# ------------------------------------------------------------------------------------------- when


async def test_the_first_change_after_a_quiet_time_is_shown_at_once() -> None:
    async with talking() as (talk, pilot):
        pilot.timers.advance(1)
        talk.tell("bo has bid")
        pilot.timers.advance(0)
        assert "bo has bid" in pilot.text


async def test_a_flood_of_changes_is_drawn_once_a_window() -> None:
    async with talking() as (talk, pilot):
        pilot.timers.advance(1)
        before = pilot.glass.writes
        for number in range(1000):
            talk.tell(f"news {number}")
            pilot.session.feed("x")
            pilot.timers.advance(0.001)
        assert pilot.glass.writes - before <= 1.0 / WINDOW + 4
        pilot.timers.advance(1)
        assert "news 999" in pilot.text


async def test_on_a_slow_line_a_key_is_shown_together_with_what_it_leads_to() -> None:
    async with talking(replace(SIXTEEN, thin=True)) as (talk, pilot):
        pilot.timers.advance(1)
        before = pilot.glass.writes
        pilot.session.feed("x")
        assert pilot.glass.writes == before
        pilot.timers.advance(ANSWER_SECONDS / 2)
        talk.changed(now=True)
        assert pilot.glass.writes == before + 1
        pilot.timers.advance(1)
        assert pilot.glass.writes == before + 1
        pilot.session.feed("y")
        pilot.timers.advance(ANSWER_SECONDS)
        assert "x y" in pilot.text


async def test_a_thin_line_gets_fewer_frames() -> None:
    async with talking(replace(SIXTEEN, thin=True)) as (talk, pilot):
        pilot.timers.advance(1)
        before = pilot.glass.writes
        for number in range(100):
            talk.tell(f"news {number}")
            pilot.timers.advance(0.01)
        assert pilot.glass.writes - before <= 1.0 / SLOW_LINE_WINDOW + 4
        pilot.timers.advance(1)
        assert "news 99" in pilot.text


async def test_nothing_is_drawn_for_one_who_does_not_read() -> None:
    async with talking() as (talk, pilot):
        pilot.terminal.writable = False
        before, frames = pilot.glass.writes, talk.frames
        for number in range(20):
            talk.tell(f"news {number}")
            pilot.press("x")
        assert (pilot.glass.writes, talk.frames) == (before, frames)
        pilot.terminal.writable = True
        pilot.session.drained()
        assert pilot.glass.writes == before + 1
        assert "\x1b[2J" in pilot.glass.log[-1]
        assert "news 19" in pilot.text


async def test_resizing_repaints_once_it_is_over() -> None:
    async with Pilot(Talk()) as pilot:
        before = pilot.glass.writes
        for columns in range(81, 121):
            pilot.terminal.size = Size(columns, 30)
            pilot.session.resized()
        pilot.glass.resize(pilot.terminal.size)
        pilot.timers.advance(RESIZE_DELAY)
        assert pilot.glass.writes == before + 1
        assert pilot.screen()[0] == "Turn the Tide 120x30"
        pilot.resize(40, 15)
        assert pilot.screen()[0] == "Turn the Tide 40x15"


async def test_repaints_are_not_made_as_fast_as_they_can_be_asked_for() -> None:
    async with Pilot(Talk()) as pilot:
        pilot.timers.advance(1)
        before = pilot.glass.writes
        for _ in range(100):
            pilot.session.feed("\x0c")
            pilot.timers.advance(0.01)
        assert 1.0 / REPAINT_SECONDS <= pilot.glass.writes - before <= 1.0 / REPAINT_SECONDS + 1
        pilot.session.feed("\x0c")
        pilot.glass.write("\x1b[2;2Hrubbish")
        pilot.timers.advance(REPAINT_SECONDS)
        assert "rubbish" not in pilot.text
        pilot.timers.advance(REPAINT_SECONDS)
        before = pilot.glass.writes
        pilot.session.feed("\x0c")
        assert pilot.glass.writes == before + 1
        assert pilot.timers.pending == 0


async def test_other_abilities_show_with_the_next_frame() -> None:
    async with talking() as (talk, pilot):
        talk.abilities = Capabilities(colours=Colours.TRUE)
        talk.tell("colour")
        pilot.timers.advance(1)
        assert "38;2;" in pilot.glass.log[-1]
        assert "\x1b[2J" in pilot.glass.log[-1], "all of it"


# ------------------------------------------------------------------------------------ hostile and many


@given(st.lists(st.text(st.characters() | st.sampled_from("\x1b[]O;~tq\r\x9b\x18")), max_size=12))
@settings(max_examples=60, deadline=None)
def test_nothing_that_is_sent_comes_back_raw(chunks: list[str]) -> None:
    async def play() -> None:
        talk = Talk()
        async with Pilot(talk) as pilot:
            for chunk in chunks:
                pilot.send(re.sub("[aq!]", "", chunk))  # which do something else than to be shown
            assert pilot.running
            shown = [line.rstrip(" ") for line in pilot.glass.full_lines]
            assert shown == expected_lines(talk.frame(NORMAL), NORMAL)
            assert pilot.glass.mode(1049)
            assert pilot.glass.screen.title == ""

    asyncio.run(play())


def population() -> Counter[str]:
    gc.collect()
    return Counter(
        f"{type(thing).__module__}.{type(thing).__qualname__}" for thing in gc.get_objects()
    )


@pytest.mark.slow
async def test_a_thousand_sessions_leave_nothing() -> None:
    async def some(count: int) -> None:
        pilots = [Pilot(Talk(), Size(20, 5)) for _ in range(count)]
        for number, pilot in enumerate(pilots):
            await pilot.__aenter__()
            pilot.press("x", "t", "y")
            pilot.session.feed("\x1b")
            if number % 3 == 0:
                pilot.press("enter", "q")
            elif number % 3 == 1:
                assert pilot._task is not None
                pilot._task.cancel()
        for pilot in pilots:
            with suppress(asyncio.CancelledError):
                await pilot.__aexit__(None, None, None)

    await some(20)  # what is made once
    before, tasks = population(), len(asyncio.all_tasks())
    for _ in range(20):
        await some(50)
    after = population()
    assert len(asyncio.all_tasks()) == tasks
    grown = {name: after[name] - before[name] for name in after if after[name] > before[name] + 20}
    # Bounded caches of lines and their changes may fill up.
    assert not {name for name in grown if "prompt_toolkit" in name or "server.terminal" in name} - {
        "server.terminal.drawing.frame_encoder.CellRow",
        "server.terminal.drawing.frame_encoder.RowChange",
    }
    assert not grown.keys() & {"builtins.function", "builtins.generator", "builtins.coroutine"}
    assert sum(map(len, typeahead._buffer.values())) == 0
    assert len(typeahead._buffer) <= 1


async def test_a_session_is_a_running_application_from_its_first_frame_to_its_last() -> None:
    seen: list[object] = []

    class Asking(Talk):
        def frame(self, size: Size) -> Frame:
            seen.append(get_app())
            return super().frame(size)

        def press(self, name: str, *, at_once: bool = False) -> bool:
            seen.append(get_app())
            return super().press(name)

    async with Pilot(Asking()) as one, Pilot(Asking()) as other:
        assert one.session.is_running
        assert seen == [one.session, other.session]
        seen.clear()
        other.press("x")
        one.press("t", "q")
        assert {*seen} == {one.session, other.session}
        assert seen[0] is other.session
        assert one.session.current_buffer.text == "q"
        assert one.session.layout.has_focus(one.session.layout.current_control)
    assert not one.session.is_running
    assert not isinstance(get_app(), PlayerApplication)


async def test_what_one_cuts_no_other_can_paste() -> None:
    one, other = Talk(), Talk()
    async with Pilot(one) as first, Pilot(other) as second:
        first.press("t", *"secret")
        first.send("\x15")
        second.press("t", "a")
        second.send("\x19\r")
        assert other.said == ["a"]
        first.send("\x19\r")
        assert one.said == ["secret"]


async def test_what_is_drawn_at_once_takes_what_waits_for_leisure_along() -> None:
    async with talking() as (talk, pilot):
        pilot.timers.advance(1)
        before, frames = pilot.glass.writes, talk.frames
        talk.news = "a wave"
        with pilot.session.queues.hurry(True):
            talk.changed(in_background=True)
            pilot.timers.advance(0)
        pilot.press("x")
        assert "a wave" in pilot.text
        pilot.timers.advance(1)
        assert (pilot.glass.writes - before, talk.frames - frames) == (1, 1)


async def test_what_has_changed_as_a_whole_is_drawn_at_once_but_no_oftener_than_the_rest() -> None:
    async with talking() as (talk, pilot):
        pilot.timers.advance(1)
        start = pilot.glass.writes
        for talk.news in map(str, range(10)):
            talk.changed(now=True)
        drawn = pilot.glass.writes - start
        assert 1 <= drawn <= BURST + 1
        pilot.timers.advance(1)
        assert pilot.glass.writes - start == drawn + 1
        assert "9" in pilot.text


async def test_a_flood_of_what_nobody_waits_for_is_drawn_once_a_window_too() -> None:
    async with talking() as (talk, pilot):
        pilot.timers.advance(1)
        before = pilot.glass.writes
        for number in range(100):
            talk.news = f"wave {number}"
            talk.changed(in_background=True)
            pilot.timers.advance(0.01)
        assert pilot.glass.writes - before <= 1.0 / WINDOW + 4
        pilot.timers.advance(1)
        assert "wave 99" in pilot.text
        assert pilot.timers.pending == 0
