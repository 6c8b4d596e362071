"""The bar that shows how far a command is."""

import io

import pytest

from server.cli.commands import complain, progress
from server.terminal.capabilities import Size
from tests.support.glass import Glass


class Terminal(io.StringIO):
    """Standard error of somebody who watches, or of a program."""

    def __init__(self, *, watched: bool = True) -> None:
        super().__init__()
        self.watched = watched
        self.glass = Glass(Size(40, 24))

    def isatty(self) -> bool:
        return self.watched

    def write(self, text: str) -> int:
        self.glass.write(text.replace("\n", "\r\n"))
        return super().write(text)

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.glass.lines).strip()


@pytest.mark.parametrize("total", [3, None, 0])
def test_it_is_there_meanwhile_and_gone_afterwards(
    total: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr("sys.stderr", terminal := Terminal())
    with progress("Dealing", total) as advance:
        assert terminal.text.startswith("Dealing")
        for _ in range(total or 0):
            advance()
        assert total != 3 or "3/3" in terminal.text
        assert "\n" not in terminal.text
    assert terminal.text == ""


@pytest.mark.parametrize("total", [3, None])
def test_a_complaint_has_a_line_of_its_own(
    total: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr("sys.stderr", terminal := Terminal())
    with progress("Dealing", total) as advance:
        advance()
        complain("no such card")
        advance()
        complain("nor that one")
    assert terminal.text == "tide: no such card\ntide: nor that one"


def test_it_is_gone_after_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr("sys.stderr", terminal := Terminal())
    with pytest.raises(KeyboardInterrupt), progress("Dealing", 3):
        raise KeyboardInterrupt
    assert terminal.text == ""


@pytest.mark.parametrize(("watched", "term"), [(False, "xterm"), (True, "dumb")])
def test_it_is_for_terminals_that_can_take_it_back(
    watched: bool, term: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", term)
    monkeypatch.setattr("sys.stderr", terminal := Terminal(watched=watched))
    with progress("Dealing", 3) as advance:
        advance()
    assert terminal.getvalue() == ""
