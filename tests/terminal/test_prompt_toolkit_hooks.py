"""What we use of prompt_toolkit's private parts is there, and does what we use it for."""

import asyncio
import gc
import inspect
import signal
import sys
import weakref
from contextlib import suppress

from prompt_toolkit.application import Application, get_app
from prompt_toolkit.cache import SimpleCache
from prompt_toolkit.input import DummyInput
from prompt_toolkit.key_binding import KeyBindings, KeyPress, key_processor
from prompt_toolkit.keys import Keys
from prompt_toolkit.output import DummyOutput

from server.terminal.prompt_toolkit_hooks import (
    FLUSH,
    UNDONE,
    BoundedBuffer,
    BoundedKeyBindings,
    SharedApplication,
)


def shared() -> SharedApplication:
    return SharedApplication(input=DummyInput(), output=DummyOutput())


def test_a_lone_escape_is_pressed_at_once_when_it_is_flushed() -> None:
    pressed: list[str] = []
    bindings = KeyBindings()
    bindings.add("escape")(lambda event: pressed.append("escape"))
    bindings.add("escape", "b")(lambda event: pressed.append("a word back"))
    processor = key_processor.KeyProcessor(bindings)
    processor.feed(KeyPress(Keys.Escape))
    waiting: list[str] = [*pressed]
    asyncio.run(_process(processor))
    assert (waiting, pressed) == ([], [])
    processor.feed(FLUSH)
    asyncio.run(_process(processor))
    assert pressed == ["escape"]


async def _process(processor: key_processor.KeyProcessor) -> None:
    processor.process_keys()


def test_what_all_sessions_have_alike_is_there_once() -> None:
    one, other = shared(), shared()
    one.reset()
    other.reset()
    stock = vars(Application[None](input=DummyInput(), output=DummyOutput()))
    own = {*("input", "output", "context", "future", "loop", "_loop_thread", "_is_running")}
    own |= {"exit_style", "_background_tasks"}
    assert vars(one).keys() == own <= stock.keys()
    # What could change is a session's own, but for what nobody changes here.
    changeable = {name for name, value in stock.items() if isinstance(value, list | dict | set)}
    assert changeable - own == {"pre_run_callables", "_invalidate_events"}
    for name in stock.keys() - own - {"clipboard"}:
        assert getattr(one, name) is getattr(other, name)


def test_nobody_gets_what_somebody_else_has_cut() -> None:
    one, other = shared(), shared()
    one.clipboard.set_text("my password")
    assert one.clipboard.get_data().text == "my password"
    assert other.clipboard.get_data().text == ""


async def test_a_running_session_leaves_alone_what_is_the_process_s() -> None:
    class Running(SharedApplication):
        def redraw(self, render_as_done: bool = False) -> None:
            super().redraw(render_as_done)
            seen.append((sys.breakpointhook, signal.getsignal(signal.SIGWINCH)))
            assert self.is_running
            assert get_app() is self

    seen: list[object] = []
    before = (sys.breakpointhook, signal.getsignal(signal.SIGWINCH))
    app = Running(input=DummyInput(), output=DummyOutput())
    with suppress(EOFError):  # the input has ended
        await app.run_async(app.redraw)
    assert seen == [before]
    assert not app.is_running
    assert get_app() is not app


async def test_what_outlives_a_session_does_not_keep_it() -> None:
    def open_a_table() -> None:
        tables.append(asyncio.create_task(going_on.wait()))

    tables: list[asyncio.Task[bool]] = []
    going_on = asyncio.Event()
    app = shared()
    with suppress(EOFError):  # the input has ended
        await app.run_async(open_a_table)
    gone = weakref.ref(app)
    del app
    gc.collect()
    assert len(tables) == 1
    assert gone() is None
    going_on.set()


def test_a_session_runs_as_an_application_does() -> None:
    for name in ("run_async", "_redraw"):
        ours, theirs = (
            inspect.signature(getattr(each, name)) for each in (SharedApplication, Application)
        )
        assert ours.parameters.keys() == theirs.parameters.keys()
    stock = Application[None](input=DummyInput(), output=DummyOutput())
    assert vars(stock).keys() >= {"_is_running", "_loop_thread", "context", "future", "loop"}
    for name in ("_pre_run", "cancel_and_wait_for_background_tasks"):
        assert name in inspect.getsource(Application.run_async)


def test_a_page_s_bindings_remember_few_keys() -> None:
    bindings, stock = BoundedKeyBindings(), KeyBindings()
    bindings.add(Keys.Any)(lambda event: None)
    for name, cache in vars(stock).items():
        assert not isinstance(cache, SimpleCache) or vars(bindings)[name].maxsize == 256
    for char in map(chr, range(0x4E00, 0x4E00 + 600)):
        assert bindings.get_bindings_for_keys((char,))
    assert len(bindings._get_bindings_for_keys_cache._data) == 256


def test_a_line_that_is_changed_all_night_stays_small() -> None:
    line = BoundedBuffer()
    for number in range(3 * UNDONE):
        line.save_to_undo_stack()
        line.text = str(number)
    assert len(line._undo_stack) == UNDONE
    line.undo()
    assert line.text == str(3 * UNDONE - 2)
