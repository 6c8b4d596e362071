"""Memory that is in use is put into huge pages, where Linux has them for who asks."""

import ctypes
import mmap
import os
import re
from pathlib import Path

import pytest

from server.runtime import huge_pages
from server.runtime.huge_pages import HugePages

MIB = 1 << 20
KERNEL = Path("/sys/kernel/mm/transparent_hugepage")


def address(memory: mmap.mmap) -> int:
    return ctypes.addressof(ctypes.c_char.from_buffer(memory))


def kilobytes(memory: mmap.mmap, what: str) -> int:
    """Of the part of memory that begins where this does."""
    told = Path("/proc/self/smaps").read_text()
    begin = f"{address(memory):x}-"
    part = re.split(r"(?m)^(?=[0-9a-f]+-[0-9a-f]+ )", told)
    mine = next(each for each in part if each.startswith(begin))
    found = re.search(rf"{what}: +(\d+) kB", mine)
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
    lines = (f"{address(it):x}-{address(it) + len(it):x} rw-p 00000000 00:00 0 \n" for it in parts)
    told.write_text("".join(lines))
    return told


def kernel(folder: Path, enabled: str, size: int = 2 * MIB) -> Path:
    """What a kernel says of its huge pages."""
    (folder / "enabled").write_text(enabled)
    (folder / "hpage_pmd_size").write_text(f"{size}\n")
    return folder


def has_them() -> bool:
    """Whether this machine makes huge pages for who asks."""
    release = tuple(map(int, re.findall(r"\d+", os.uname().release)[:2]))
    enabled = KERNEL / "enabled"
    return release >= (6, 1) and enabled.exists() and "[never]" not in enabled.read_text()


needs_them = pytest.mark.skipif(not has_them(), reason="this kernel makes no huge pages")


@needs_them
def test_memory_in_use_is_put_into_some_at_a_time(tmp_path: Path) -> None:
    size = int((KERNEL / "hpage_pmd_size").read_text())
    memory = own((huge_pages.MOST + 4) * size)
    memory.write(b"x" * len(memory))
    pages = HugePages(maps=maps(tmp_path, memory))
    assert kilobytes(memory, "AnonHugePages") == 0
    assert pages.ask_for_some() == huge_pages.MOST
    assert kilobytes(memory, "AnonHugePages") == huge_pages.MOST * size // 1024
    assert 3 <= pages.ask_for_some() <= 4
    assert pages.ask_for_some() == 0
    assert memory[:] == b"x" * len(memory)


@needs_them
def test_memory_that_is_little_used_stays_as_it_is(tmp_path: Path) -> None:
    size = int((KERNEL / "hpage_pmd_size").read_text())
    memory = own(4 * size)
    for place in range(0, len(memory), 2 * mmap.PAGESIZE):
        memory[place] = 1
    before = kilobytes(memory, "Rss")
    assert HugePages(maps=maps(tmp_path, memory)).ask_for_some() == 0
    assert kilobytes(memory, "Rss") == before


@needs_them
def test_what_is_used_again_after_it_was_given_back_is_asked_for_again(tmp_path: Path) -> None:
    size = int((KERNEL / "hpage_pmd_size").read_text())
    memory, other = own(3 * size), own(size)
    memory.write(b"x" * len(memory))
    told = maps(tmp_path, memory)
    pages = HugePages(maps=told)
    assert (first := pages.ask_for_some()) > 0
    maps(tmp_path, other)
    assert pages.ask_for_some() == 0
    maps(tmp_path, memory)
    assert pages.ask_for_some() == first


@pytest.mark.parametrize("enabled", ["always madvise [never]\n", None])
async def test_nobody_asks_where_there_shall_be_none(tmp_path: Path, enabled: str | None) -> None:
    if enabled:
        kernel(tmp_path, enabled)
    await HugePages(kernel=tmp_path, maps=tmp_path / "missing").ask()


async def test_an_older_kernel_is_asked_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = own(6 * MIB)
    memory.write(b"x" * len(memory))
    # No kernel knows -1, as none before 6.1 knows MADV_COLLAPSE.
    monkeypatch.setattr(huge_pages, "_COLLAPSE", -1)
    told = maps(tmp_path, memory)
    pages = HugePages(kernel(tmp_path, "always [madvise] never\n"), told)
    assert pages.ask_for_some() == 0
    told.unlink()
    await pages.ask()


def test_only_memory_of_its_own_is_looked_at() -> None:
    lines = [
        "5643d521a000-5643d523b000 rw-p 00000000 00:00 0                          [heap]",
        "7f72edf3d000-7f72edf5f000 rw-p 00000000 00:00 0 ",
        "7f72edf5f000-7f72edfb6000 r--p 00000000 fe:00 329635     /usr/lib/locale/C.utf8/LC_CTYPE",
        "7f72ee195000-7f72ee197000 rw-p 001d3000 fe:00 339380     /usr/lib/libc.so.6",
        "7ffd4d8b6000-7ffd4d8d7000 rw-p 00000000 00:00 0                          [stack]",
        "7f72ee197000-7f72ee1a4000 rw-s 00000000 00:01 7    /memfd:shared",
    ]
    found = huge_pages._OWN.findall("".join(f"{line}\n" for line in lines))
    assert [begin for begin, _ in found] == ["5643d521a000", "7f72edf3d000"]
