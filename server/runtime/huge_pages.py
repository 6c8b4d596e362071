"""The server's memory in huge pages, of 2 MB on most machines, where Linux has them.

A round touches most of what a thousand players have in memory. In pages of 4 KB, a twentieth of a virtual
machine's time goes to finding out where they are. Where ``transparent_hugepage/enabled`` is ``madvise``,
Linux makes a huge page of others only for who asks for it, as it can from version 6.1 on: madvise(2),
MADV_COLLAPSE.
"""

import asyncio
import ctypes
import errno
import mmap
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from server.coordinator.time_source import Clock

LOOK_SECONDS: Final = 5.0
PAUSE_SECONDS: Final = 0.5
"""Between two: each takes 2 to 4 ms of a thread, for which a key may have to wait."""
_COLLAPSE: Final = 25  # MADV_COLLAPSE in asm-generic/mman-common.h
_KERNEL: Final = Path("/sys/kernel/mm/transparent_hugepage")
_OWN: Final = re.compile(r"(\w+)-(\w+) rw-p \w+ 00:00 0 *(?:\[heap\])?\n")
"""Memory in /proc/self/maps that is neither a file's nor the stack."""
_ENTRY: Final = 8
"""Bytes of /proc/self/pagemap for a page; all of the last one's bits are 0 if there is no such page."""


class HugePages:
    """Asks for one after the other. A server that has grown has most of its memory in them after a minute."""

    def __init__(
        self, clock: Clock, kernel: Path = _KERNEL, maps: Path = Path("/proc/self/maps")
    ) -> None:
        self._clock = clock
        self._maps = maps
        self._size = _size(kernel)
        self._made: set[int] = set()
        """The addresses of those that it has asked for."""
        if self._size:
            self._madvise = ctypes.CDLL(None, use_errno=True).madvise
            self._madvise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)

    async def ask(self) -> None:
        """Have all memory that is in use put into some, beside the event loop."""
        if self._size:
            for place in await asyncio.to_thread(self._wanted):
                await asyncio.to_thread(self._make, place)
                await self._clock.sleep_until(self._clock.time() + PAUSE_SECONDS)

    def ask_at_once(self) -> None:
        """The same before anybody is there who would have to wait: some 60 ms."""
        for place in self._wanted() if self._size else ():
            self._make(place)

    def _wanted(self) -> list[int]:
        """Where one could be and is not; nowhere if the system does not tell what memory there is. What is
        used for less than 15/16 would grow.
        """
        found = list[int]()
        with suppress(OSError), Path("/proc/self/pagemap").open("rb", buffering=0) as pagemap:
            places = list(self._places())
            self._made.intersection_update(places)
            for place in places:
                if place not in self._made:
                    pagemap.seek(place // mmap.PAGESIZE * _ENTRY)
                    pages = pagemap.read(self._size // mmap.PAGESIZE * _ENTRY)[_ENTRY - 1 :: _ENTRY]
                    if pages.count(0) <= len(pages) // 16:
                        found.append(place)
        return found

    def _make(self, place: int) -> None:
        """Unless there is no memory for it now; where there never is, as in an older Linux, it tries once."""
        done = self._madvise(place, self._size, _COLLAPSE) == 0
        if done or ctypes.get_errno() == errno.EINVAL:
            self._made.add(place)

    def _places(self) -> Iterator[int]:
        """Where a huge page could be."""
        for begin, end in _OWN.findall(self._maps.read_text()):
            first = -(-int(begin, 16) // self._size) * self._size
            yield from range(first, int(end, 16) - self._size + 1, self._size)


def _size(kernel: Path) -> int:
    """Bytes of a huge page; 0 where there are none, or where nobody shall have them."""
    try:
        if "[never]" in (kernel / "enabled").read_text():
            return 0
        return int((kernel / "hpage_pmd_size").read_text())
    except OSError:
        return 0
