"""What a terminal sends, as keys: bounded whatever comes, however it is split.

What escape sequences mean is prompt_toolkit's. Its own parser is made for one user and a trusted
terminal: it keeps every prefix it has ever seen for good, reads ever longer sequences ever more slowly,
and takes a terminal's answers for keys. Here those are dropped.
"""

import re
from collections.abc import Callable
from typing import Final

from prompt_toolkit.input.ansi_escape_sequences import ANSI_SEQUENCES
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.keys import Keys

from server.terminal.drawing.frame import cell_width, is_mark
from server.terminal.prompt_toolkit_hooks import FLUSH

ESCAPE_DELAY = 0.5
"""Seconds of silence after which an Esc that began nothing means Esc: an arrow key may arrive split."""

PASTE_DELAY = 3.0
"""Seconds of silence after which pasted text that was never ended is given up waiting for."""

LONGEST_PASTE = 4096
"""Characters of pasted text that are kept; the rest is dropped, up to its end mark."""

LONGEST_ANSWER = 64
"""Characters of an answer of the terminal that are told; longer ones are dropped."""

_LONGEST_SEQUENCE = 32
_PASTE_START, _PASTE_END = "\x1b[200~", "\x1b[201~"
_SILENT = {Keys.Ignore, Keys.CPRResponse, Keys.Vt100MouseEvent, Keys.WindowsMouseEvent}


def _keys_of(found: Keys | tuple[Keys, ...]) -> tuple[KeyPress, ...]:
    keys = found if isinstance(found, tuple) else (found,)
    return tuple(KeyPress(key, "") for key in keys if key not in _SILENT)


_SEQUENCES = {text: _keys_of(found) for text, found in ANSI_SEQUENCES.items()}
# However a line ends, it is Enter; and so is the keypad's in application mode, which some terminals begin in.
_SEQUENCES["\n"] = _SEQUENCES["\x1bOM"] = _SEQUENCES["\r"]
_ESCAPE = _keys_of(Keys.Escape)

# A whole sequence: the Linux console's function keys, old mouse reports, CSI, SS3.
_WHOLE = re.compile(r"\x1b(?:\[\[[A-E]|\[M[\s\S]{3}|\[(?!M)[0-?]*[ -/]*[@-Z\\-~]|O[ -~])")
_CURSOR = re.compile(r"\x1b\[2;\d+R")  # other rows would be taken for function keys
_BEGUN = re.compile(r"\x1b(?:\[(?:\[|M[\s\S]{0,2}|[0-?]*[ -/]*)?|O)?\Z")
_OVERLONG = re.compile(r"\x1b\[[0-?]*[ -/]*")
_STRING = re.compile(r"\x1b[P\]X^_]")  # DCS, OSC, SOS, PM, APC: answers, with a text of any length
_STRING_END = re.compile(r"[\x07\x9c\x18\x1a]|\x1b\\|(?=\x1b[^\\])")
_ST = {"\x07", "\x9c", "\x1b\\"}
_OVERLONG_END = re.compile(r"[@-~]|(?=[^ -?])")


def key_of(char: str) -> tuple[KeyPress, ...]:
    """The key that a single character stands for; none for those that cannot be shown."""
    if char < " " or char == "\x7f":
        return _SEQUENCES.get(char, ())
    return (KeyPress(char, char),) if cell_width(char) or is_mark(char) else ()


class KeyDecoder:
    """Takes characters as they come and gives the keys they make up."""

    __slots__ = ("_answer", "_answered", "_held", "_pasting", "_returned", "_until")

    def __init__(self, answered: Callable[[str], None] | None = None) -> None:
        """``answered`` is told each operating system command (OSC) that the terminal has sent, without what
        it begins and ends with: ``"11;rgb:ffff/ffff/ffff"`` is its background's colour; and where it says
        that the cursor is, when that is in the second row: ``"[2;3R"``.
        """
        self._answered: Final = answered
        self._answer = ""  # what has come of the string that is being dropped, and what began it
        self._held = ""
        self._pasting = False
        self._returned = False
        self._until: re.Pattern[str] | None = None  # what comes is dropped

    @property
    def delay(self) -> float | None:
        """Seconds of silence after which `flush` should be called; None when nothing is held back."""
        if self._pasting:
            return PASTE_DELAY
        return ESCAPE_DELAY if self._held or self._until else None

    def feed(self, data: str) -> list[KeyPress]:
        """The keys that ``data`` completes."""
        keys: list[KeyPress] = []
        data, self._held = self._held + data, ""
        while data:
            if self._pasting:
                data = self._paste(data, keys)
            elif self._until is not None:
                data = self._drop(data, self._until)
            else:
                data = self._press(data.replace("\x9b", "\x1b["), keys)
        return keys

    def flush(self) -> list[KeyPress]:
        """The keys that what is held back means when nothing follows."""
        held, self._held = self._held, ""
        pasting, self._pasting = self._pasting, False
        self._until = None
        if pasting:
            return [KeyPress(Keys.BracketedPaste, held[:LONGEST_PASTE])]
        # Half a sequence is a key that got lost: taking it apart would press keys nobody pressed.
        return [*_ESCAPE, FLUSH] if held == "\x1b" else []

    def _press(self, data: str, keys: list[KeyPress]) -> str:
        """Adds the keys up to where something is pasted or dropped; returns what follows."""
        at = 0
        while at < len(data):
            if (char := data[at]) != "\x1b":
                at += 1
                after_return, self._returned = self._returned, char == "\r"
                if not (after_return and char in "\n\0"):  # telnet's way of ending a line
                    keys += key_of(char)
            elif whole := _WHOLE.match(data, at):
                at = whole.end()
                self._returned = False
                if whole[0] == _PASTE_START:
                    self._pasting = True
                    return data[at:]
                keys += _SEQUENCES.get(whole[0], ())
                if self._answered and _CURSOR.fullmatch(whole[0]):
                    self._answered(whole[0][1:])
            elif _BEGUN.match(data, at):
                if len(data) - at > _LONGEST_SEQUENCE:
                    self._until, self._answer = _OVERLONG_END, ""
                else:
                    self._held = data[at:]
                return ""
            elif string := _STRING.match(data, at):
                self._until, self._answer = _STRING_END, string[0][1]
                return data[string.end() :]
            elif broken := _OVERLONG.match(data, at):
                at = broken.end()  # something came in between that has no place there
            elif data[at + 1] == "\x1b":
                keys += (*_ESCAPE, FLUSH)
                at += 1
            else:
                self._returned = False
                keys += (*_ESCAPE, *(key_of(data[at + 1]) or (FLUSH,)))  # Alt
                at += 2
        return ""

    def _drop(self, data: str, until: re.Pattern[str]) -> str:
        end = until.search(data)
        text = data[: end.start()] if end else data.removesuffix("\x1b")
        self._answer += text[: LONGEST_ANSWER + 2 - len(self._answer)]
        if end is None:
            self._held = data[len(text) :]
            return ""
        self._until = None
        answer = self._answer
        if self._answered and answer[:1] == "]" and end[0] in _ST and len(answer) <= LONGEST_ANSWER:
            self._answered(answer[1:])
        return data[end.end() :]

    def _paste(self, data: str, keys: list[KeyPress]) -> str:
        end = data.find(_PASTE_END)
        if end < 0:  # the end mark may be split, too
            self._held = data[:LONGEST_PASTE] + data[LONGEST_PASTE:][-len(_PASTE_END) + 1 :]
            return ""
        self._pasting = False
        keys.append(KeyPress(Keys.BracketedPaste, data[: min(end, LONGEST_PASTE)]))
        return data[end + len(_PASTE_END) :]
