"""Metrics of the processes of a server with doors: each tells its own, and they are merged."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.metrics_core import Metric
from prometheus_client.parser import text_string_to_metric_families

from server.private_files import short_path
from server.runtime.metrics_port import Figures, Gathered
from server.storage.statedir import FIGURES

_PATIENCE: Final = 1.0
"""Maximum seconds of an answer."""

T = TypeVar("T")


class Told(NamedTuple):
    """The answer of a process."""

    process: str
    """Its name: ``coordinator``, ``door 2``."""
    pid: int
    figures: Figures | None
    """``None`` if it does not answer."""

    def sum_of(self, name: str) -> float:
        """Return the sum of all samples with this name."""
        text = self.figures.metrics.decode() if self.figures else ""
        families = text_string_to_metric_families(text)
        return sum(it.value for each in families for it in each.samples if it.name == name)


def socket_of(state: Path, pid: int) -> Path:
    """Return the socket at which a process answers."""
    return state / f"{pid}{FIGURES}"


async def tell(state: Path, gather: Callable[[], Awaitable[Any]]) -> asyncio.Server:
    """Answer every connection, of this user alone, with what ``gather`` returns. Raises ``OSError``."""

    async def told(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            writer.write(msgspec.msgpack.encode(await gather()))
            await writer.drain()
        writer.close()

    with short_path(socket_of(state, os.getpid())) as path:
        path.unlink(missing_ok=True)
        server = await asyncio.start_unix_server(told, path)
        path.chmod(0o600)
    return server


async def ask(state: Path, pid: int, kind: type[T], seconds: float = _PATIENCE) -> T | None:
    """Return the answer of a process, or ``None``."""
    try:
        async with asyncio.timeout(seconds):
            with short_path(socket_of(state, pid)) as path:
                reader, writer = await asyncio.open_unix_connection(path)
            data = await reader.read()
            writer.close()
        return msgspec.msgpack.decode(data, type=kind)
    except (OSError, TimeoutError, msgspec.DecodeError):
        return None


async def ask_all(state: Path, processes: Iterable[tuple[str, int]]) -> list[Told]:
    """Return the answers of these processes, each with its name and number."""

    async def told(process: str, pid: int) -> Told:
        return Told(process, pid, await ask(state, pid, Figures))

    return [*await asyncio.gather(*(told(*each) for each in processes))]


def merged(all_told: Iterable[Told], names: Iterable[str]) -> Figures:
    """Return the figures of all processes, each with its name as the label ``process``.

    The trouble of those with ``names`` is that of the whole server, also if one is missing.
    """
    found = {told.process: told.figures for told in all_told}
    troubles = [
        f"{name}: {figures.trouble if figures else 'no answer'}"
        for name in names
        if (figures := found.get(name)) is None or figures.trouble
    ]
    notes, families = list[str](), dict[str, Metric]()
    for process, figures in found.items():
        notes += figures.notes if figures else ()
        text = figures.metrics.decode() if figures else ""
        for family in text_string_to_metric_families(text):
            kept = families.setdefault(
                family.name, Metric(family.name, family.documentation, family.type)
            )
            kept.samples += [
                each._replace(labels={**each.labels, "process": process}) for each in family.samples
            ]
    registry = CollectorRegistry(auto_describe=False)
    registry.register(Gathered(families.values()))
    return Figures("".join(troubles[:1]), tuple(notes), generate_latest(registry))
