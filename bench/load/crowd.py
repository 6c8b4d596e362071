"""All the players there are: worker processes, and orders to all of them at once."""

import json
import subprocess
import sys
from collections import Counter
from types import TracebackType
from typing import Any, Final, Self

from bench.load.client import Where


class Crowd:
    """A worker for each of the clients' cores. Use as a context manager."""

    def __init__(self, cores: list[int], where: Where) -> None:
        self._cores: Final = cores
        self._where: Final = where
        self._workers: Final[list[subprocess.Popen[str]]] = []
        self._next = 0

    @property
    def pids(self) -> list[int]:
        """Of the workers."""
        return [worker.pid for worker in self._workers]

    def __enter__(self) -> Self:
        for core in self._cores:
            worker = subprocess.Popen(
                [sys.executable, "-m", "bench.load.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            self._workers.append(worker)
            self._say(worker, {"do": "begin", "cores": [core], "where": self._where._asdict()})
        for worker in self._workers:
            self._hear(worker)
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
            worker.stdin.close()
            if kind is not None:
                worker.kill()
            worker.wait()
            worker.stdout.close()

    def order(self, do: str, **what: Any) -> dict[str, Any]:
        """Have all workers do the same; their answers in one: lists joined, numbers added."""
        return self._joined([{"do": do, **what} for _ in self._workers])

    def share(self, do: str, players: int, each: int = 1, **what: Any) -> dict[str, Any]:
        """The same, for so many new players, ``each`` of them together."""
        many = len(self._workers)
        orders = []
        groups = players // each
        for number in range(many):
            mine = groups // many + (number < groups % many)
            key = "tables" if each > 1 else "count"
            orders.append({"do": do, "first": self._next, key: mine, **what})
            self._next += mine * each
        return self._joined(orders)

    def _joined(self, orders: list[dict[str, Any]]) -> dict[str, Any]:
        for worker, order in zip(self._workers, orders, strict=True):
            self._say(worker, order)
        return joined([self._hear(worker) for worker in self._workers])

    def _say(self, worker: subprocess.Popen[str], order: dict[str, Any]) -> None:
        assert worker.stdin is not None
        worker.stdin.write(json.dumps(order) + "\n")
        worker.stdin.flush()

    def _hear(self, worker: subprocess.Popen[str]) -> dict[str, Any]:
        assert worker.stdout is not None
        line = worker.stdout.readline()
        if not line:
            raise RuntimeError("a worker has died; what it said is above")
        answer: dict[str, Any] = json.loads(line)
        return answer


def joined(answers: list[dict[str, Any]]) -> dict[str, Any]:
    """Answers of several workers as one: of times and rounds the most, of everything else the sum."""
    result: dict[str, Any] = {}
    for answer in answers:
        for name, value in answer.items():
            if name not in result:
                result[name] = Counter(value) if isinstance(value, dict) else value
            elif name in {"seconds", "rounds"}:
                result[name] = max(result[name], value)
            else:
                result[name] = result[name] + value
    return result
