import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import structlog

from server import logs


def fail(secret: str) -> None:
    structlog.get_logger().info("something", with_=len(secret))
    try:
        raise RuntimeError("on purpose")
    except RuntimeError:
        structlog.get_logger().exception("failed")


@pytest.mark.parametrize("style", ["human", "json"])
def test_tracebacks_are_logged_without_the_values_of_variables(
    style: str, capsys: pytest.CaptureFixture[str]
) -> None:
    logs.set_up(style)
    fail("a hand of cards")
    said = capsys.readouterr().err
    assert "on purpose" in said
    assert "a hand of cards" not in said


def test_json_is_one_object_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    logs.set_up("json")
    fail("x")
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [line["event"] for line in lines] == ["something", "failed"]
    assert {line["level"] for line in lines} == {"info", "error"}


def test_levels_are_left_out_as_asked(capsys: pytest.CaptureFixture[str]) -> None:
    logs.set_up("json", "error")
    fail("x")
    assert "something" not in capsys.readouterr().err


def test_a_reader_that_has_gone_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    class Gone:
        def write(self, text: str) -> None:
            raise BrokenPipeError

        def flush(self) -> None:
            raise BrokenPipeError

        def isatty(self) -> bool:
            return False

    monkeypatch.setattr("sys.stderr", Gone())
    logs.set_up("json")
    fail("x")


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


def test_what_libraries_say_has_the_same_form(capsys: pytest.CaptureFixture[str]) -> None:
    before = logs.said["error"]
    with bare_logging():
        logs.set_up("json")
        try:
            raise RuntimeError("on purpose")
        except RuntimeError:
            logging.getLogger("asyncio").exception("a task of %s failed", "ours")
        logging.getLogger("asyncio").info("nothing much")
    (line,) = (json.loads(line) for line in capsys.readouterr().err.splitlines())
    assert (line["event"], line["logger"], line["level"]) == (
        "a task of ours failed",
        "asyncio",
        "error",
    )
    assert "on purpose" in line["exception"]
    assert logs.said["error"] == before + 1


def test_lines_are_counted_by_level() -> None:
    logs.set_up("json")
    before = logs.said.copy()
    fail("x")
    assert logs.said["error"] == before["error"] + 1
    assert logs.said["info"] == before["info"] + 1


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


def test_addresses_are_told_as_asked(capsys: pytest.CaptureFixture[str]) -> None:
    logs.set_up("json")
    try:
        for style in ("full", "short", "none"):
            logs.set_addresses(style)
            structlog.get_logger().info(style, address="192.0.2.77")
    finally:
        logs.set_addresses("full")
    told = [json.loads(line).get("address") for line in capsys.readouterr().err.splitlines()]
    assert told == ["192.0.2.77", "192.0.2.0/24", None]
