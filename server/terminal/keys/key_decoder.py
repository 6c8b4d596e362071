"""What a terminal sends, as keys: bounded whatever comes, however it is split.

What escape sequences mean is prompt_toolkit's. Its own parser is made for one user and a trusted
terminal: it keeps every prefix it has ever seen for good, reads ever longer sequences ever more slowly,
and takes a terminal's answers for keys. Here those are dropped.
"""

import re
from collections.abc import Callable, Iterator

from prompt_toolkit.input.ansi_escape_sequences import ANSI_SEQUENCES
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.keys import Keys

from server.terminal.drawing.frame import cell_width
from server.terminal.prompt_toolkit_hooks import FLUSH

ESCAPE_DELAY = 0.5
"""Seconds of silence after which an Esc that began nothing means Esc: an arrow key may arrive split."""

PASTE_DELAY = 3.0
"""Seconds of silence after which pasted text that was never ended is given up waiting for."""

LONGEST_PASTE = 4096
"""Characters of pasted text that are kept; the rest is dropped, up to its end mark."""

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
_BEGUN = re.compile(r"\x1b(?:\[(?:\[|M[\s\S]{0,2}|[0-?]*[ -/]*)?|O)?\Z")
_OVERLONG = re.compile(r"\x1b\[[0-?]*[ -/]*")
_STRING = re.compile(r"\x1b[P\]X^_]")  # DCS, OSC, SOS, PM, APC: answers, with a text of any length
_STRING_END = re.compile(r"\x07|\x9c|\x18|\x1a|\x1b")


def key_of(char: str) -> tuple[KeyPress, ...]:
    """The key that a single character stands for; none for those that cannot be shown."""
    if char < " " or char == "\x7f":
        return _SEQUENCES.get(char, ())
    return (KeyPress(char, char),) if cell_width(char) else ()


class KeyDecoder:
    """Takes characters as they come and gives the keys they make up."""

    __slots__ = ("_held", "_returned", "_take")

    def __init__(self) -> None:
        self._held = ""
        self._returned = False
        self._take: Callable[[str], Iterator[KeyPress | str]] = self._keys

    @property
    def delay(self) -> float | None:
        """Seconds of silence after which `flush` should be called; None when nothing is held back."""
        if self._take == self._pasted:
            return PASTE_DELAY
        return ESCAPE_DELAY if self._held or self._take != self._keys else None

    def feed(self, data: str) -> list[KeyPress]:
        """The keys that ``data`` completes."""
        keys: list[KeyPress] = []
        while data:
            rest = ""
            for found in self._take(data):
                if isinstance(found, str):
                    rest = found  # the way of reading has changed: the remainder is read anew
                else:
                    keys.append(found)
            data = rest
        return keys

    def flush(self) -> list[KeyPress]:
        """The keys that what is held back means when nothing follows."""
        held, self._held = self._held, ""
        pasted = self._take == self._pasted
        self._take = self._keys
        if pasted:
            return [KeyPress(Keys.BracketedPaste, held[:LONGEST_PASTE])]
        # Half a sequence is a key that got lost: taking it apart would press keys nobody pressed.
        return [*_ESCAPE, FLUSH] if held == "\x1b" else []

    def _keys(self, data: str) -> Iterator[KeyPress | str]:
        data = self._held + data.replace("\x9b", "\x1b[")
        self._held = ""
        at = 0
        while at < len(data):
            if data[at] != "\x1b":
                yield from self._character(data[at])
                at += 1
            elif whole := _WHOLE.match(data, at):
                at = whole.end()
                self._returned = False
                if whole[0] == _PASTE_START:
                    self._take = self._pasted
                    yield data[at:]
                    return
                yield from _SEQUENCES.get(whole[0], ())
            elif _BEGUN.match(data, at):
                if len(data) - at > _LONGEST_SEQUENCE:
                    self._take = self._overlong
                else:
                    self._held = data[at:]
                return
            elif string := _STRING.match(data, at):
                self._take = self._string
                yield data[string.end() :]
                return
            elif broken := _OVERLONG.match(data, at):
                at = broken.end()  # something came in between that has no place there
            elif data[at + 1] == "\x1b":
                yield from (*_ESCAPE, FLUSH)
                at += 1
            else:
                self._returned = False
                yield from (*_ESCAPE, *(key_of(data[at + 1]) or (FLUSH,)))  # Alt
                at += 2

    def _character(self, char: str) -> Iterator[KeyPress]:
        after_return, self._returned = self._returned, char == "\r"
        if after_return and char in "\n\0":
            return  # telnet's way of ending a line
        yield from key_of(char)

    def _overlong(self, data: str) -> Iterator[KeyPress | str]:
        for at, char in enumerate(data):
            if not " " <= char <= "?":
                self._take = self._keys
                yield data[at + ("@" <= char <= "~") :]
                return

    def _string(self, data: str) -> Iterator[KeyPress | str]:
        held, self._held = self._held, ""
        data = held + data
        end = _STRING_END.search(data)
        if not end:
            return
        if end[0] == "\x1b":
            if end.end() == len(data):
                self._held = "\x1b"
                return
            self._take = self._keys
            yield data[end.end() + 1 :] if data[end.end()] == "\\" else data[end.start() :]
        else:
            self._take = self._keys
            yield data[end.end() :]

    def _pasted(self, data: str) -> Iterator[KeyPress | str]:
        # The end mark may be split, too.
        begin = max(0, len(self._held) - len(_PASTE_END) + 1)
        data = self._held + data
        end = data.find(_PASTE_END, begin)
        if end < 0:
            self._held = data[:LONGEST_PASTE] + data[LONGEST_PASTE:][-len(_PASTE_END) + 1 :]
            return
        self._held = ""
        self._take = self._keys
        yield KeyPress(Keys.BracketedPaste, data[: min(end, LONGEST_PASTE)])
        yield data[end + len(_PASTE_END) :]
