"""What an operator may know of a running server, for Prometheus: no names, no cards, no addresses."""

from collections import Counter
from collections.abc import Mapping
from itertools import product
from typing import Final

from prometheus_client.core import CounterMetricFamily as Count
from prometheus_client.core import GaugeMetricFamily as Gauge
from prometheus_client.core import HistogramMetricFamily, InfoMetricFamily
from prometheus_client.metrics_core import Metric

from server import logs, version
from server.coordinator.lobby.lobby import Lobby
from server.coordinator.lobby.tables import LIMITS
from server.coordinator.messages import Status
from server.counters import Histogram
from server.runtime.health import Health
from server.storage.databases.database import Database
from server.transport.access.limiter import Reason
from server.transport.session.server import GameServer

_LINES: Final = ("ssh", "telnet")
_FRONTENDS: Final = ("screen", "lines", "api")


async def families(watch: Health) -> list[Metric]:
    """All figures of our own that this process has, as they are now."""
    found = [] if watch.server is None else _of_front(watch.server, watch.key_to_frame)
    found += [] if watch.lobby is None else _of_coordinator(watch.lobby, watch.database)
    limits: dict[tuple[str, ...], int] = {}
    if watch.server is not None:
        limits |= {(it.value,): watch.server.limiter.counts[it] for it in Reason}
    if watch.lobby is not None:
        limits |= {(limit,): watch.lobby.shared.tally.limits[limit] for limit in LIMITS}
    return [
        *found,
        _labelled(
            Count("tide_limits", "How often each limit has bitten.", labels=["limit"]), limits
        ),
        InfoMetricFamily("tide", "Which release this is.", {"version": version()}),
        Gauge("tide_open", "1 while players can come in.", int(not watch.trouble)),
        _histogram("tide_loop_lag_seconds", "How late the event loop was.", watch.lag),
        _labelled(
            Count("tide_log_lines", "Log lines by level.", labels=("level",)),
            {(level,): logs.said[level] for level in ("warning", "error")},
        ),
        Count(
            "tide_log_dropped",
            "Log lines that were not written, because nobody read the log.",
            logs.said[logs.DROPPED],
        ),
    ]


def _of_front(server: GameServer, key_to_frame: Histogram) -> list[Metric]:
    limiter = server.limiter
    sessions = Counter((session.caller.line, session.frontend_kind) for session in server.sessions)
    sent = server.sent + Counter()
    for session in server.sessions:
        sent[session.caller.line] += session.terminal.facts.sent
    return [
        _labelled(
            Gauge("tide_sessions", "Sessions that have come in.", labels=("line", "face")),
            {each: sessions[each] for each in product(_LINES, _FRONTENDS)},
        ),
        Count("tide_sessions_ended", "Sessions that are over.", server.ended),
        _labelled(
            Gauge("tide_connections", "Connections.", labels=("state",)),
            {("waiting",): limiter.waiting, ("in",): limiter.inside},
        ),
        _labelled(
            Count("tide_sent_bytes", "Output to players, before encryption.", labels=("line",)),
            {(line,): sent[line] for line in _LINES},
        ),
        _histogram(
            "tide_key_to_frame_seconds",
            "From a key to the change on the screen, without the line.",
            key_to_frame,
        ),
        _labelled(
            Count(
                "tide_metered_seconds",
                "Processor time charged to the networks of connections.",
                labels=["kind"],
            ),
            {(kind,): seconds for kind, seconds in server.usage.seconds.items()},
        ),
        Gauge(
            "tide_networks_waiting",
            "Networks that have used up their share, and wait for a turn.",
            sum(each.waiting for each in (server.newcomers, server.players, server.look_ups)),
        ),
        _histogram(
            "tide_turn_wait_seconds", "How long they waited for a turn.", server.usage.waited
        ),
    ]


def _of_coordinator(lobby: Lobby, store: Database) -> list[Metric]:
    tables, tally = lobby.known.values(), lobby.shared.tally
    by_status = Counter(table.status for table in tables)
    return [
        _labelled(
            Gauge("tide_tables", "Tables.", labels=("status",)),
            {(status.value,): by_status[status] for status in Status},
        ),
        Gauge("tide_seated", "People with a seat.", sum(len(table.people) for table in tables)),
        Gauge(
            "tide_spectators", "People who watch.", sum(len(table.spectators) for table in tables)
        ),
        *(
            _histogram(name, text, value)
            if isinstance(value, Histogram)
            else Count(name, text, value)
            for name, text, value in tally.metrics()
        ),
        _histogram("tide_store_write_seconds", "Transactions to the disk.", store.seconds),
        _histogram("tide_store_group", "Writes that shared a transaction.", store.groups),
        Count("tide_store_failures", "Transactions that failed.", store.failures),
        Count(
            "tide_store_probes",
            "Writes that health checks tried while nothing could be written.",
            store.probes,
        ),
        Gauge("tide_store_trouble", "1 while nothing can be written.", int(bool(store.trouble))),
        Gauge(
            "tide_store_oldest_write_seconds",
            "For how long the oldest write has been waiting.",
            store.oldest,
        ),
    ]


def _labelled(family: Gauge | Count, figures: Mapping[tuple[str, ...], float]) -> Metric:
    for labels, figure in figures.items():
        family.add_metric(labels, figure)
    return family


def _histogram(name: str, text: str, seen: Histogram) -> Metric:
    return HistogramMetricFamily(name, text, buckets=seen.buckets(), sum_value=seen.total)
