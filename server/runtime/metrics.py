"""What an operator may know of a running server, as Prometheus reads it. No names, no cards, no addresses."""

from collections import Counter
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from prometheus_client import CollectorRegistry, GCCollector, ProcessCollector
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
)
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector
from typing_extensions import override

from server import logs
from server.coordinator.lobby.limits import LIMITS
from server.coordinator.messages import Status
from server.measures import Distribution
from server.runtime.health import Health
from server.transport.access.limiter import Reason

LINES: Final = ("ssh", "telnet")
FACES: Final = ("screen", "lines", "api")


def families(watch: Health) -> list[Metric]:
    """All figures of our own, as they are now."""
    return [*_people(watch), *_tables(watch), *_machine(watch)]


def _people(watch: Health) -> Iterator[Metric]:
    house, limiter = watch.house, watch.house.limiter
    sessions = GaugeMetricFamily(
        "tide_sessions", "Sessions that have come in.", labels=("line", "face")
    )
    here = Counter((session.caller.line, session.face) for session in house.sessions)
    for line in LINES:
        for face in FACES:
            sessions.add_metric((line, face), here[line, face])
    yield sessions
    yield CounterMetricFamily("tide_sessions_ended", "Sessions that are over.", value=house.ended)
    connections = GaugeMetricFamily("tide_connections", "Connections.", labels=("state",))
    connections.add_metric(("waiting",), limiter.waiting)
    connections.add_metric(("in",), limiter.inside)
    yield connections
    bites = CounterMetricFamily(
        "tide_limits", "How often each limit has bitten.", labels=("limit",)
    )
    for reason in Reason:
        bites.add_metric((reason.value,), limiter.counts[reason])
    tally = watch.lobby.shared.tally
    for limit in LIMITS:
        bites.add_metric((limit,), tally.limits[limit])
    yield bites
    sent = CounterMetricFamily(
        "tide_sent_bytes", "Output to players, before encryption.", labels=("line",)
    )
    total = house.sent + Counter()
    for session in house.sessions:
        total[session.caller.line] += session.terminal.facts.sent
    for line in LINES:
        sent.add_metric((line,), total[line])
    yield sent


def _tables(watch: Health) -> Iterator[Metric]:
    counts, tally = watch.lobby.counts(), watch.lobby.shared.tally
    tables = GaugeMetricFamily("tide_tables", "Tables.", labels=("status",))
    for status in Status:
        tables.add_metric((status.value,), counts.by_status[status])
    yield tables
    yield GaugeMetricFamily("tide_seated", "People with a seat.", value=counts.seated)
    yield GaugeMetricFamily("tide_spectators", "People who watch.", value=counts.spectators)
    yield CounterMetricFamily("tide_games_begun", "Games begun.", value=tally.games_begun)
    yield CounterMetricFamily("tide_games_over", "Games that are over.", value=tally.games_over)
    yield CounterMetricFamily("tide_bids", "Bids, of people and bots.", value=tally.bids)


def _machine(watch: Health) -> Iterator[Metric]:
    yield InfoMetricFamily("tide", "Which release this is.", value={"version": _version()})
    yield GaugeMetricFamily(
        "tide_open", "1 while players can come in.", value=int(not watch.trouble)
    )
    yield _histogram("tide_loop_lag_seconds", "How late the event loop was.", watch.lag)
    yield _histogram(
        "tide_key_to_frame_seconds",
        "From a key to the change on the screen, without the line.",
        watch.key_to_frame,
    )
    store = watch.database
    yield _histogram("tide_store_write_seconds", "Transactions to the disk.", store.seconds)
    yield _histogram("tide_store_group", "Writes that shared a transaction.", store.groups)
    yield CounterMetricFamily(
        "tide_store_failures", "Transactions that failed.", value=store.failures
    )
    yield CounterMetricFamily(
        "tide_store_probes",
        "Writes that health checks tried while nothing could be written.",
        value=store.probes,
    )
    yield GaugeMetricFamily(
        "tide_store_trouble",
        "1 while nothing can be written.",
        value=int(bool(store.trouble)),
    )
    yield GaugeMetricFamily(
        "tide_store_oldest_write_seconds",
        "For how long the oldest write has been waiting.",
        value=store.oldest,
    )
    said = CounterMetricFamily("tide_log_lines", "Log lines by level.", labels=("level",))
    for level in ("warning", "error"):
        said.add_metric((level,), logs.said[level])
    yield said
    yield CounterMetricFamily(
        "tide_log_dropped",
        "Log lines that were not written, because nobody read the log.",
        value=logs.said[logs.DROPPED],
    )


class Families(Collector):
    """Metrics that were gathered elsewhere."""

    def __init__(self, found: list[Metric]) -> None:
        self._found: Final = found

    @override
    def collect(self) -> Iterator[Metric]:
        yield from self._found


def text_of(found: list[Metric]) -> bytes:
    """The figures, and those of the process, in Prometheus' format. May run on any thread."""
    from prometheus_client import generate_latest

    registry = CollectorRegistry(auto_describe=False)
    registry.register(Families(found))
    ProcessCollector(registry=registry)
    GCCollector(registry=registry)
    return generate_latest(registry)


def _histogram(name: str, text: str, seen: Distribution) -> Metric:
    return HistogramMetricFamily(name, text, buckets=seen.buckets(), sum_value=seen.total)


def _version() -> str:
    try:
        return version("turn-the-tide")
    except PackageNotFoundError:
        return "unknown"
