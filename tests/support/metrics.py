"""The figures of a server, as Prometheus asks for them."""

import http.client
from contextlib import closing
from typing import NamedTuple

from prometheus_client.parser import text_string_to_metric_families

from tests.support.patience import PATIENCE


class Told(NamedTuple):
    status: int
    kind: str
    body: str

    def figure(self, name: str, **labels: str) -> float:
        for family in text_string_to_metric_families(self.body):
            for sample in family.samples:
                if sample.name == name and sample.labels == labels:
                    return sample.value
        raise AssertionError(f"no {name} {labels} in:\n{self.body}")


def get(port: int, path: str, method: str = "GET", host: str = "127.0.0.1") -> Told:
    with closing(http.client.HTTPConnection(host, port, timeout=PATIENCE)) as line:
        line.request(method, path)
        answer = line.getresponse()
        kind = answer.getheader("Content-Type") or ""
        return Told(answer.status, kind, answer.read().decode())
