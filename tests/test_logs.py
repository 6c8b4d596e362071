import json
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any

import pytest
import structlog

from server import logs
from tests.support.patience import PATIENCE


def said(capfd: pytest.CaptureFixture[str]) -> str:
    """What has been logged so far."""
    logs.drain()
    return capfd.readouterr().err


@contextmanager
def read_by(descriptor: int) -> Iterator[None]:
    """Log lines go there."""
    with pytest.MonkeyPatch.context() as patch, os.fdopen(descriptor, "w") as file:
        patch.setattr("sys.stderr", file)
        logs.set_up("json")
        yield


def fail(secret: str) -> None:
    structlog.get_logger().info("something", with_=len(secret))
    try:
        raise RuntimeError("on purpose")
    except RuntimeError:
        structlog.get_logger().exception("failed")


@pytest.mark.parametrize("style", ["human", "json"])
def test_tracebacks_are_logged_without_the_values_of_variables(
    style: str, capfd: pytest.CaptureFixture[str]
) -> None:
    logs.set_up(style)
    fail("a hand of cards")
    text = said(capfd)
    assert "on purpose" in text
    assert "a hand of cards" not in text


def test_json_is_one_object_a_line(capfd: pytest.CaptureFixture[str]) -> None:
    logs.set_up("json")
    fail("x")
    lines = [json.loads(line) for line in said(capfd).splitlines()]
    assert [line["event"] for line in lines] == ["something", "failed"]
    assert [line["level"] for line in lines] == ["info", "error"]
    logs.set_up("json", "error")
    fail("x")
    assert "something" not in said(capfd)


def test_a_reader_that_has_gone_is_no_error(capfd: pytest.CaptureFixture[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with read_by(writing):
        fail("x")
        logs.drain()
    assert said(capfd) == ""


def test_a_log_that_nobody_reads_stops_nobody_and_says_later_what_is_missing() -> None:
    reading, writing = os.pipe()
    before = logs.said[logs.DROPPED]
    with read_by(writing):
        log = structlog.get_logger()

        def much() -> None:
            for number in range(3000):
                log.info("line", number=number, text="x" * 100)

        thread = Thread(target=much, daemon=True)
        thread.start()
        thread.join(PATIENCE)
        assert not thread.is_alive(), "somebody waits for a reader"
        missing = logs.said[logs.DROPPED] - before
        assert missing > 0
        logs.drain(0)  # nor does the end of the program
        found: list[dict[str, Any]] = []
        with os.fdopen(reading) as pipe:
            while not found or found[-1]["event"] == "line":
                found.append(json.loads(pipe.readline()))
        assert found[-1]["event"] == "log_lines_dropped"
        assert found[-1]["lines"] == missing
        assert len(found) - 1 == 3000 - missing
        logs.drain()


def test_draining_waits_for_what_is_said_of_missing_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    goes_on, written = Event(), list[bytes]()

    def write(_descriptor: int, data: bytes) -> int:
        goes_on.wait(PATIENCE)
        written.append(data)
        return len(data)

    monkeypatch.setattr("server.logs.os.write", write)
    logs.set_up("json")
    log = structlog.get_logger()
    for number in range(3000):
        log.info("line", number=number)
    goes_on.set()
    logs.drain()
    assert json.loads(written[-1])["event"] == "log_lines_dropped"


@contextmanager
def bare_logging() -> Iterator[None]:
    """As in a process of its own: pytest listens to what libraries log."""
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    root.handlers.clear()
    try:
        yield
    finally:
        root.handlers[:] = before
        root.setLevel(level)


def test_what_libraries_say_has_the_same_form(capfd: pytest.CaptureFixture[str]) -> None:
    before = logs.said["error"]
    with bare_logging():
        logs.set_up("json")
        try:
            raise RuntimeError("on purpose")
        except RuntimeError:
            logging.getLogger("asyncio").exception("a task of %s failed", "ours")
        logging.getLogger("asyncio").info("nothing much")
    (line,) = (json.loads(line) for line in said(capfd).splitlines())
    assert (line["event"], line["logger"], line["level"]) == (
        "a task of ours failed",
        "asyncio",
        "error",
    )
    assert "on purpose" in line["exception"]
    assert logs.said["error"] == before + 1


@pytest.mark.parametrize(
    ("address", "short"),
    [
        ("192.0.2.77", "192.0.2.0/24"),
        ("::ffff:192.0.2.77", "192.0.2.0/24"),
        ("2001:db8:1:2:3::4", "2001:db8:1::/48"),
        ("2001:db8:1:2::/64", "2001:db8:1::/48"),
        ("fe80::1%eth0", "fe80::/48"),
        ("nonsense", ""),
    ],
)
def test_addresses_are_shortened_to_their_network(address: str, short: str) -> None:
    assert logs.shortened(address) == short


def test_addresses_are_told_as_asked(capfd: pytest.CaptureFixture[str]) -> None:
    logs.set_up("json")
    try:
        for style in ("full", "short", "none"):
            logs.adjust("info", style)
            structlog.get_logger().info(style, address="192.0.2.77")
    finally:
        logs.adjust("info", "full")
    told = [json.loads(line).get("address") for line in said(capfd).splitlines()]
    assert told == ["192.0.2.77", "192.0.2.0/24", None]
