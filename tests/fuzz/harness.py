"""What a harness is, and the loop in which time passes as soon as nobody has anything left to do."""

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import partial, wraps
from typing import Any, Final, ParamSpec

from hypothesis.strategies import SearchStrategy
from structlog.testing import capture_logs

P = ParamSpec("P")


@dataclass(frozen=True)
class Harness:
    """``check`` gets one input, and fails when an invariant does not hold; its docstring has them."""

    name: str
    inputs: SearchStrategy[Any]
    check: Callable[[Any], None]
    known: tuple[Any, ...] = ()
    """Inputs that are tried every time: those that once did harm, and a few that look as if they could."""
    from_bytes: Callable[[bytes], Any] | None = None
    """Makes an input of any bytes, for a fuzzer that finds its way by changing bytes; without it,
    ``inputs`` has to.
    """
    examples: int = 100
    """In the short run."""

    @property
    def invariants(self) -> str:
        """In words."""
        return (self.check.__doc__ or "").strip()


class _AtOnce(selectors.DefaultSelector):
    """Never waits: time moves on instead."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        found = super().select(0)
        if not found:
            if timeout is None:
                raise RuntimeError("everybody waits, and nothing will ever happen")
            self.now += max(0.0, timeout)
        return found


class HurriedLoop(asyncio.SelectorEventLoop):
    """Its clock starts at 0 and jumps to the next timer. Nothing from outside can be waited for in it."""

    def __init__(self) -> None:
        self._at_once: Final = _AtOnce()
        super().__init__(self._at_once)

    def time(self) -> float:
        """Seconds."""
        return self._at_once.now


def in_a_hurry(main: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run ``main`` in a ``HurriedLoop``. Fails when it does, when a callback or a task of it does, and when
    the server logs an error of its own.
    """
    problems: list[str] = []

    def noted(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        problems.append(f"{context['message']}: {context.get('exception')!r}")

    with capture_logs() as logs, asyncio.Runner(loop_factory=HurriedLoop) as runner:
        runner.get_loop().set_exception_handler(noted)
        runner.run(main())
    problems += [str(entry) for entry in logs if entry["log_level"] in {"error", "critical"}]
    assert not problems, problems


def hurried(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Return a test that is run by ``in_a_hurry``."""

    @wraps(test)
    def run(*args: P.args, **given: P.kwargs) -> None:
        in_a_hurry(partial(test, *args, **given))

    return run
