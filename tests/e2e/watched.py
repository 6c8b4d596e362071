"""``tide serve``, with somebody who may ask how much there is of everything: ``python -m
tests.e2e.watched ASKED ANSWERED serve ...``, two descriptors of pipes that the process inherits. For every
line that comes by the first, one of JSON goes by the second. Nothing of this is in a server that is started
otherwise.
"""

import asyncio
import concurrent.futures
import ctypes
import gc
import json
import os
import sys
import threading
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import _lru_cache_wrapper
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Final

OURS: Final = ("asyncssh.", "prompt_toolkit.", "server.", "engine.")
"""Classes whose objects are counted, and whose attributes are looked into."""
_CONTAINERS: Final = (dict, list, set, frozenset, tuple, deque)
_TEXTS: Final = (str, bytes, bytearray)
_TEXT_COUNTS: Final = 256
"""So many characters or bytes count as one thing."""
_SHARING: Final = "cached_by_identity.<locals>.decorate.<locals>.remembered"
"""What ``server.terminal.drawing.caches`` makes of a function ..."""
_LAST_VALUE: Final = "server.terminal.drawing.caches.Memo"
"""... and one result that it keeps there, as large as what was shown last."""


def counted() -> dict[str, Any]:
    """Once garbage has been collected and caches of a fixed size have been emptied: tasks that are not
    done, threads, open descriptors, objects of the server's and its libraries' classes by kind, how much
    there is in each container that belongs to one of them or to a module, how many objects of any kind
    there are, and what all of it takes in KiB.
    """
    gc.unfreeze()
    _empty_caches()
    gc.collect()
    everything = gc.get_objects()
    kinds: Counter[str] = Counter()
    tasks = 0
    for one in everything:
        name = _name(type(one))
        if name.startswith(OURS):
            kinds[name] += 1
        elif isinstance(one, asyncio.Task):
            tasks += not one.done()
    return {
        "tasks": tasks,
        "threads": threading.active_count(),
        "descriptors": descriptors(),
        "objects": kinds,
        "held": held(everything),
        "everything": len(everything),
        "resident": resident(),
    }


def descriptors() -> Counter[str]:
    """Those that are open, by what they are: a file, a socket, a pipe."""
    found: Counter[str] = Counter()
    for one in Path("/proc/self/fd").iterdir():
        with suppress(OSError):  # the one that looks
            found[str(one.readlink()).split(":[")[0]] += 1
    return found


def resident() -> int:
    """KiB of memory, without what the allocator has kept for later."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") // 1024


def held(everything: Iterable[Any]) -> Counter[str]:
    """How much there is in containers, by who holds them: ``module.Class.attribute`` (all objects of the
    class together), ``module.name``, or ``module.function()`` for a cache without a limit.
    """
    found: Counter[str] = Counter()
    seen: set[int] = set()
    for owner, attributes in _owners(everything):
        for name, value in attributes:
            if isinstance(value, _CONTAINERS):
                found[f"{owner}.{name}"] += _size(value, seen)
            elif isinstance(value, _TEXTS):
                found[f"{owner}.{name}"] += len(value) // _TEXT_COUNTS
    for cache in _caches(everything):
        if cache.cache_parameters()["maxsize"] is None:
            found[f"{cache.__module__}.{cache.__qualname__}()"] += cache.cache_info().currsize
    return +found


def _owners(everything: Iterable[Any]) -> Iterator[tuple[str, list[tuple[str, Any]]]]:
    for one in everything:
        kind = type(one)
        if isinstance(one, ModuleType):
            if one.__name__.split(".")[0] not in {"tests", "__main__"}:
                yield one.__name__, list(vars(one).items())
        elif isinstance(one, type):
            if _name(one).startswith(OURS):
                yield _name(one), list(vars(one).items())
        elif _name(kind).startswith(OURS) and not isinstance(one, _CONTAINERS):
            slots = [slot for base in kind.__mro__ for slot in _slots(base)]
            own = [(slot, getattr(one, slot, None)) for slot in slots]
            yield _name(kind), own + list(getattr(one, "__dict__", {}).items())


def _slots(kind: type) -> tuple[str, ...]:
    slots = kind.__dict__.get("__slots__", ())
    names = (slots,) if isinstance(slots, str) else tuple(slots)
    hidden = f"_{kind.__name__.lstrip('_')}"
    return tuple(
        f"{hidden}{name}" if name[:2] == "__" and name[-2:] != "__" else name for name in names
    )


def _size(container: Any, seen: set[int]) -> int:
    """How many things are in it, and in the containers in it that nobody else has counted."""
    total, waiting = 0, [container]
    while waiting:
        one = waiting.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        inside = [*one.keys(), *one.values()] if isinstance(one, dict) else list(one)
        total += len(one)
        waiting += [each for each in inside if isinstance(each, _CONTAINERS)]
    return total


def _name(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"


def _caches(everything: Iterable[Any]) -> Iterator[Any]:
    for one in everything:
        if type(one) is _lru_cache_wrapper:
            yield one


def _empty_caches() -> None:
    """Those of a fixed size: what is in them depends on what was shown last."""
    everything = gc.get_objects()
    for cache in _caches(everything):
        if cache.cache_parameters()["maxsize"] is not None:
            cache.cache_clear()
    for one in everything:
        if isinstance(one, FunctionType) and one.__qualname__ == _SHARING:
            places = dict(zip(one.__code__.co_freevars, one.__closure__ or (), strict=True))
            places["known"].cell_contents.clear()
        elif _name(type(one)) == _LAST_VALUE:
            one.__init__()


def _loop() -> asyncio.AbstractEventLoop:
    """The one that serves. Only between two of its turns does nothing change."""
    return next(
        one
        for one in gc.get_objects()
        if isinstance(one, asyncio.AbstractEventLoop) and one.is_running()
    )


def answer(asked: int, answered: int) -> None:
    """Until nobody asks any more."""
    with os.fdopen(asked) as questions, os.fdopen(answered, "w") as answers:
        loop = None
        for _ in questions:
            gc.unfreeze()
            loop = loop or _loop()
            found: concurrent.futures.Future[dict[str, Any]] = concurrent.futures.Future()
            loop.call_soon_threadsafe(_answer, found)
            print(json.dumps(found.result()), file=answers, flush=True)


def _answer(found: "concurrent.futures.Future[dict[str, Any]]") -> None:
    try:
        found.set_result(counted())
    except Exception as error:
        found.set_exception(error)
        raise


def main() -> None:
    """Serve."""
    pipes = int(sys.argv[1]), int(sys.argv[2])
    threading.Thread(target=answer, args=pipes, daemon=True).start()
    import segno.writers  # noqa: F401  (the server loads it with the first QR code)

    from server import cli

    sys.argv = ["tide", *sys.argv[3:]]
    cli.main()


if __name__ == "__main__":
    main()
