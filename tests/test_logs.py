import json

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
