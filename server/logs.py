"""Where log lines go: to standard error, for people on a terminal, else as JSON.

They are written by a thread: a full pipe, or a terminal in which somebody pressed Ctrl-S, must stop nobody.
"""

import atexit
import ipaddress
import logging
import os
import select
import sys
import time
import traceback
from collections import Counter
from contextlib import suppress
from json import JSONEncoder
from queue import SimpleQueue
from threading import Event, Thread
from typing import Any, Final, TextIO, cast

import structlog
from structlog.dev import ConsoleRenderer, plain_traceback
from structlog.processors import TimeStamper, format_exc_info

said: Final[Counter[str]] = Counter()
"""How many lines there were of each level since the start; and under ``DROPPED``, how many of all were not
written."""
DROPPED: Final = "dropped"


def places(error: BaseException) -> list[str]:
    """Where a mistake has happened, the innermost place last. What it says is left out, and so is every
    variable: they may name a card.
    """
    frames = traceback.extract_tb(error.__traceback__)
    return [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames[-6:]]


_MOST: Final = 1000
"""Lines that wait to be written; what is too much is dropped."""
_GATHERS: Final = 0.02
"""Seconds in which lines come together: the event loop gives up the interpreter once for all of them."""


class _Stderr:
    """Standard error, as long as somebody reads it: a server must outlive the program it is piped into."""

    def __init__(self) -> None:
        self._lines: Final[SimpleQueue[str | Event]] = SimpleQueue()
        """What is to be written, and in between what is to be set then."""
        self._told = said[DROPPED]
        self._descriptor: int | None = None
        self._encoding = "ascii"
        with suppress(AttributeError, OSError, ValueError):  # closed, or no file
            self._encoding = sys.stderr.encoding or self._encoding
            self._descriptor = sys.stderr.fileno()
        Thread(target=self._run, name="log", daemon=True).start()

    def write(self, text: str) -> None:
        if self._lines.qsize() < _MOST:
            self._lines.put(text)
        else:
            said[DROPPED] += 1

    def flush(self) -> None:
        """Do nothing: nobody waits for the log."""

    def msg(self, line: str) -> None:
        """Write a line, for structlog, whose own loggers lock a file for each."""
        self.write(f"{line}\n")

    debug = info = warning = error = critical = msg

    def drain(self, seconds: float) -> None:
        """Wait until everything has been written, but no longer than that."""
        written = Event()
        self._lines.put(written)
        written.wait(seconds)

    def _run(self) -> None:
        while True:
            found = [self._lines.get()]
            if isinstance(found[0], str):
                time.sleep(_GATHERS)
            found += [self._lines.get() for _ in range(self._lines.qsize())]
            text = "".join([each for each in found if isinstance(each, str)])
            with suppress(OSError):  # nobody reads it any more
                self._write(text.encode(self._encoding, "backslashreplace"))
            if missing := self._lines.empty() and said[DROPPED] - self._told:
                self._told += missing
                structlog.get_logger("server").warning("log lines dropped", lines=missing)
            for each in found:
                if isinstance(each, Event) and missing:
                    self._lines.put(each)  # behind that line
                elif isinstance(each, Event):
                    each.set()

    def _write(self, line: bytes) -> None:
        # Not through Python's own file: who waits there for a reader keeps the program from ending.
        while line and self._descriptor is not None:
            try:
                line = line[os.write(self._descriptor, line) :]
            except BlockingIOError:  # another program has set the terminal so
                select.select([], [self._descriptor], [])


_stderr: _Stderr | None = None


def drain(seconds: float = 1.0) -> None:
    """Wait until all lines so far have been written, but no longer than that."""
    if _stderr is not None:
        _stderr.drain(seconds)


_KEPT_BITS: Final = {4: 24, 6: 48}
"""Of a shortened address: as a rule what belongs to one town's customers, or to one customer."""

_addresses = "full"


def adjust(level: str, addresses: str) -> None:
    """From now on tell what is at least so important (debug, info, warning or error), with addresses in
    ``full``, ``short`` (the network they are in), or without them (``none``).
    """
    global _addresses  # noqa: PLW0603 - as structlog's own configuration is
    _addresses = addresses
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(level))


def shortened(address: str) -> str:
    """The network around an address: /24, or /48 of IPv6. What is no address is nothing."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0].partition("/")[0])
    except ValueError:
        return ""
    at = getattr(found, "ipv4_mapped", None) or found
    rest = at.max_prefixlen - _KEPT_BITS[at.version]
    return f"{type(at)(int(at) >> rest << rest)}/{_KEPT_BITS[at.version]}"


def _noted(
    _logger: Any, level: str, line: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """The line, counted, with its address as it may be told."""
    said["error" if level == "critical" else level] += 1
    if _addresses != "full" and "address" in line:
        address = str(line.pop("address"))
        if _addresses == "short":
            line["address"] = shortened(address)
    return line


def set_up(style: str = "auto", level: str = "info") -> None:
    """``style`` is ``auto``, ``human`` or ``json``; ``level`` one of debug, info, warning, error."""
    global _stderr  # noqa: PLW0603 - as structlog's own configuration is
    for_people = style == "human" or (style == "auto" and sys.stderr.isatty())
    stamp = TimeStamper(fmt="%H:%M:%S" if for_people else "iso", utc=not for_people)
    first: list[Any] = [structlog.stdlib.add_log_level, _noted, stamp]
    # structlog's JSONRenderer sets up an encoder for each line.
    encode = JSONEncoder(default=repr).encode
    last: list[Any] = [format_exc_info, lambda _logger, _level, line: encode(line)]
    if for_people:
        # Its default for exceptions shows local variables, and so hands and sealed bids.
        shown, colors = plain_traceback, sys.stderr.isatty()
        last = [ConsoleRenderer(colors=colors, pad_event_to=0, exception_formatter=shown)]
    drain()
    _stderr = _Stderr()
    stream = _stderr
    structlog.configure(
        processors=[*first, *last],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=lambda *_: stream,
        cache_logger_on_first_use=False,
    )
    # What libraries have to say, in the same form: asyncio's own complaints are ours to mend.
    told = logging.StreamHandler(cast(TextIO, stream))
    told.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.add_logger_name, *first],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
        )
    )
    logging.basicConfig(level=logging.WARNING, handlers=[told])
    atexit.register(drain)
