"""All the players there are: worker processes, and orders to all of them at once."""

import json
import os
import selectors
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from types import TracebackType
from typing import Any, Final, Self

from bench.load.client import Where
from bench.load.processes import Failed

PATIENCE: Final = 90.0
"""Seconds that an order may take beyond what it is known to take."""


class Crowd:
    """A worker for each of the clients' cores. Use as a context manager."""

    def __init__(self, cores: list[int], where: Where) -> None:
        self._cores: Final = cores
        self._where: Final = where
        self._workers: Final[list[subprocess.Popen[bytes]]] = []
        self._next = 0

    @property
    def pids(self) -> list[int]:
        """Of the workers."""
        return [worker.pid for worker in self._workers]

    def __enter__(self) -> Self:
        for _ in self._cores:
            worker = subprocess.Popen(
                [sys.executable, "-m", "bench.load.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )
            self._workers.append(worker)
        try:
            orders = [
                {"do": "begin", "cores": [core], "where": self._where._asdict()}
                for core in self._cores
            ]
            self._joined(orders, PATIENCE)
        except BaseException as error:
            self.__exit__(type(error), error, None)
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for worker in self._workers:
            assert worker.stdin is not None
            assert worker.stdout is not None
            if kind is not None:
                worker.kill()
            with suppress(BrokenPipeError):
                worker.stdin.close()
            try:
                worker.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                worker.kill()
                worker.wait()
            worker.stdout.close()

    def order(self, do: str, within: float = 0.0, **what: Any) -> dict[str, Any]:
        """Have all workers do the same; their answers in one: lists joined, numbers added.

        It is known to take ``within`` seconds. Raises ``Failed``.
        """
        return self._joined([{"do": do, **what} for _ in self._workers], within + PATIENCE)

    def share(
        self, do: str, players: int, each: int = 1, within: float = 0.0, **what: Any
    ) -> dict[str, Any]:
        """The same, for so many new players, ``each`` of them together."""
        many = len(self._workers)
        orders = []
        groups = players // each
        for number in range(many):
            mine = groups // many + (number < groups % many)
            key = "tables" if each > 1 else "count"
            orders.append({"do": do, "first": self._next, key: mine, **what})
            self._next += mine * each
        return self._joined(orders, within + PATIENCE)

    def _joined(self, orders: list[dict[str, Any]], seconds: float) -> dict[str, Any]:
        end = time.monotonic() + seconds
        for worker, order in zip(self._workers, orders, strict=True):
            assert worker.stdin is not None
            try:
                worker.stdin.write(json.dumps(order).encode() + b"\n")
                worker.stdin.flush()
            except BrokenPipeError:
                raise Failed("a worker has died; what it said is above") from None
        return joined([_heard(worker, end, orders[0]["do"]) for worker in self._workers])


def _heard(worker: subprocess.Popen[bytes], end: float, what: str) -> dict[str, Any]:
    """A worker's answer, a line of JSON, before the time is over."""
    assert worker.stdout is not None
    said = b""
    with selectors.DefaultSelector() as selector:
        selector.register(worker.stdout, selectors.EVENT_READ)
        while not said.endswith(b"\n"):
            if not selector.select(max(0.0, end - time.monotonic())):
                raise Failed(f"a worker has not answered in time: {what}")
            read = os.read(worker.stdout.fileno(), 1 << 20)
            if not read:
                raise Failed("a worker has died; what it said is above")
            said += read
    answer: dict[str, Any] = json.loads(said)
    return answer


def joined(answers: list[dict[str, Any]]) -> dict[str, Any]:
    """Answers of several workers as one: of times and rounds the most, of everything else the sum."""
    result: dict[str, Any] = {}
    for answer in answers:
        for name, value in answer.items():
            if isinstance(value, dict):
                result[name] = result.get(name, Counter()) + Counter(value)
            elif name not in result:
                result[name] = value
            elif name in {"seconds", "rounds"}:
                result[name] = max(result[name], value)
            else:
                result[name] = result[name] + value
    return result
