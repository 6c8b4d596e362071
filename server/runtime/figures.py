"""What the processes of a server with doors tell of themselves, and all of it in one place."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.metrics_core import Metric
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.registry import Collector
from typing_extensions import override

from server.private_files import short_path
from server.runtime.metrics_port import Figures
from server.storage.statedir import FIGURES

_PATIENCE: Final = 1.0
"""Seconds in which a process has to answer."""


def socket_of(state: Path, process: str) -> Path:
    """Where ``coordinator`` or ``door 2`` tells."""
    return state / f"{process.replace(' ', '-')}{FIGURES}"


async def tell_figures(
    state: Path, process: str, gather: Callable[[], Awaitable[Figures]]
) -> asyncio.Server:
    """Tell whoever connects, for this user alone. Raises ``OSError``."""

    async def told(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            writer.write(msgspec.msgpack.encode(await gather()))
            await writer.drain()
        writer.close()

    with short_path(socket_of(state, process)) as path:
        path.unlink(missing_ok=True)
        server = await asyncio.start_unix_server(told, path)
        path.chmod(0o600)
    return server


async def figures_from(state: Path, process: str) -> Figures | None:
    """What a process tells; ``None`` when it does not."""
    try:
        async with asyncio.timeout(_PATIENCE):
            with short_path(socket_of(state, process)) as path:
                reader, writer = await asyncio.open_unix_connection(path)
            data = await reader.read()
            writer.close()
        return msgspec.msgpack.decode(data, type=Figures)
    except (OSError, TimeoutError, msgspec.DecodeError):
        return None


def processes_in(state: Path) -> list[str]:
    """Return the names of processes that publish figures, or did before they ended."""
    found = [path.name.removesuffix(FIGURES) for path in state.glob(f"*{FIGURES}")]
    return sorted(each.replace("-", " ") for each in found)


def sample_of(figures: Figures, name: str) -> float:
    """The sum of all samples with this name."""
    families = text_string_to_metric_families(figures.metrics.decode())
    return sum(it.value for each in families for it in each.samples if it.name == name)


class _Merged(Collector):
    def __init__(self, families: dict[str, Metric]) -> None:
        self._families: Final = families

    @override
    def collect(self) -> Sequence[Metric]:
        return list(self._families.values())


async def figures_of_all(state: Path, processes: Sequence[str]) -> Figures:
    """Return the figures of all processes, each with its name as the label ``process``."""
    trouble, notes, families = "", list[str](), dict[str, Metric]()
    for process in processes:
        found = await figures_from(state, process)
        if found is None or found.trouble:
            trouble = trouble or f"{process}: {found.trouble if found else 'no answer'}"
        if found is None:
            continue
        notes += found.notes
        for family in text_string_to_metric_families(found.metrics.decode()):
            kept = families.setdefault(
                family.name, Metric(family.name, family.documentation, family.type)
            )
            kept.samples += [
                each._replace(labels={**each.labels, "process": process}) for each in family.samples
            ]
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Merged(families))
    return Figures(trouble, tuple(notes), generate_latest(registry))
