"""Memory that is in use is put into huge pages, where Linux has them for who asks."""

import ctypes
import mmap
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from server.runtime import huge_pages
from server.runtime.huge_pages import HugePages
from tests.support.fake_clock import FakeClock

KERNEL = Path("/sys/kernel/mm/transparent_hugepage")
SIZE = 2 << 20


class Pauses(FakeClock):
    """Does something in each pause, and goes on."""

    def __init__(self, each: Callable[[], object]) -> None:
        super().__init__()
        self._each = each

    async def sleep_until(self, when: float) -> None:
        assert when == self.time() + huge_pages.PAUSE_SECONDS
        self._each()


def address(memory: mmap.mmap) -> int:
    return ctypes.addressof(ctypes.c_char.from_buffer(memory))


def kilobytes(memory: mmap.mmap, what: str) -> int:
    """Of the part of memory that begins where this does."""
    told = Path("/proc/self/smaps").read_text().partition(f"\n{address(memory):x}-")[2]
    found = re.search(rf"{what}: +(\d+) kB", told)
    assert found
    return int(found[1])


def own(size: int) -> mmap.mmap:
    """Memory that shares its part of /proc/self/maps with nobody."""
    memory = mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    memory.madvise(mmap.MADV_DONTFORK)
    return memory


def maps(folder: Path, *parts: mmap.mmap) -> Path:
    """A file that tells of these only."""
    told = folder / "maps"
    ends = ((address(it), address(it) + len(it)) for it in parts)
    told.write_text("".join(f"{begin:x}-{end:x} rw-p 00000000 00:00 0 \n" for begin, end in ends))
    return told


def kernel(folder: Path, enabled: str) -> Path:
    """What a kernel says of its huge pages."""
    (folder / "enabled").write_text(enabled)
    (folder / "hpage_pmd_size").write_text(f"{SIZE}\n")
    return folder


def has_them() -> bool:
    """Whether this machine makes huge pages of that size for who asks."""
    release = tuple(map(int, re.findall(r"\d+", os.uname().release)[:2]))
    size, enabled = KERNEL / "hpage_pmd_size", KERNEL / "enabled"
    if release < (6, 1) or not size.exists() or "[never]" in enabled.read_text():
        return False
    return int(size.read_text()) == SIZE


needs_them = pytest.mark.skipif(not has_them(), reason="this kernel makes no huge pages of 2 MB")


@needs_them
async def test_memory_in_use_is_put_into_one_after_the_other(tmp_path: Path) -> None:
    memory, found = own(5 * SIZE), list[int]()
    memory.write(b"x" * len(memory))
    clock = Pauses(lambda: found.append(kilobytes(memory, "AnonHugePages") * 1024 // SIZE))
    pages = HugePages(clock, maps=maps(tmp_path, memory))
    await pages.ask()
    assert found in ([1, 2, 3, 4], [1, 2, 3, 4, 5])
    await pages.ask()
    assert len(found) in (4, 5), "asked for again"
    assert memory[:] == b"x" * len(memory)


@needs_them
def test_before_anybody_is_there_all_are_asked_for_at_once(tmp_path: Path) -> None:
    memory = own(5 * SIZE)
    memory.write(b"x" * len(memory))
    HugePages(Pauses(pytest.fail), maps=maps(tmp_path, memory)).ask_at_once()
    assert kilobytes(memory, "AnonHugePages") * 1024 // SIZE in (4, 5)


@needs_them
async def test_memory_that_is_little_used_stays_as_it_is(tmp_path: Path) -> None:
    memory = own(4 * SIZE)
    for place in range(0, len(memory), 2 * mmap.PAGESIZE):
        memory[place] = 1
    before = kilobytes(memory, "Rss")
    await HugePages(Pauses(pytest.fail), maps=maps(tmp_path, memory)).ask()
    assert kilobytes(memory, "Rss") == before


@needs_them
async def test_memory_at_a_place_that_was_given_back_is_asked_for_again(tmp_path: Path) -> None:
    memory, other, asked = own(3 * SIZE), own(SIZE // 2), list[bool]()
    memory.write(b"x" * len(memory))
    pages = HugePages(Pauses(lambda: asked.append(True)), maps=maps(tmp_path, memory))
    await pages.ask()
    first = len(asked)
    maps(tmp_path, other)
    await pages.ask()
    assert len(asked) == first > 0
    maps(tmp_path, memory)
    await pages.ask()
    assert len(asked) == 2 * first


@pytest.mark.parametrize("enabled", ["always madvise [never]\n", None])
async def test_nobody_asks_where_there_shall_be_none(tmp_path: Path, enabled: str | None) -> None:
    if enabled:
        kernel(tmp_path, enabled)
    await HugePages(Pauses(pytest.fail), kernel=tmp_path, maps=tmp_path / "missing").ask()


async def test_nobody_asks_where_the_system_does_not_tell(tmp_path: Path) -> None:
    here = kernel(tmp_path, "always [madvise] never\n")
    pages = HugePages(Pauses(pytest.fail), here, maps=tmp_path / "missing")
    pages.ask_at_once()
    await pages.ask()


async def test_an_older_kernel_is_asked_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # No kernel knows -1, as none before 6.1 knows MADV_COLLAPSE.
    monkeypatch.setattr(huge_pages, "_COLLAPSE", -1)
    memory, asked = own(3 * SIZE), list[bool]()
    memory.write(b"x" * len(memory))
    clock = Pauses(lambda: asked.append(True))
    pages = HugePages(clock, kernel(tmp_path, "always [madvise] never\n"), maps(tmp_path, memory))
    await pages.ask()
    first = len(asked)
    await pages.ask()
    assert len(asked) == first > 0


async def test_nothing_but_its_own_memory_is_looked_at(tmp_path: Path) -> None:
    told = tmp_path / "maps"
    told.write_text(
        "5643d5200000-5643d5800000 r--p 00000000 fe:00 329635     /usr/lib/locale/C.utf8/LC_CTYPE\n"
        "7f72ee000000-7f72ee800000 rw-p 001d3000 fe:00 339380     /usr/lib/libc.so.6\n"
        "7ffd4d800000-7ffd4e000000 rw-p 00000000 00:00 0                          [stack]\n"
        "7f72ef000000-7f72ef800000 rw-s 00000000 00:01 7    /memfd:shared\n"
    )
    pages = HugePages(Pauses(pytest.fail), kernel(tmp_path, "[always] madvise never\n"), told)
    await pages.ask()
