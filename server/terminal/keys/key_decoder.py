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

ESCAPE_DELAY = 0.15
"""Seconds of silence after which an Esc that began nothing means Esc ..."""

SLOW_ESCAPE_DELAY = 0.5
"""... and on a slow line, where an arrow key may arrive split."""

SEQUENCE_DELAY = 1.0
"""Seconds of silence after which the rest of a sequence is given up waiting for."""

TEXT_DELAY = 3.0
"""Seconds to wait for the end of pasted text, or of the text of an answer."""

LONGEST_PASTE = 4096
"""Characters of pasted text that are kept; the rest is dropped, up to its end mark."""

LONGEST_ANSWER = 64
"""Characters of an answer of the terminal that are told; longer ones are dropped."""

_LONGEST_SEQUENCE = 32
_PASTE_START, _PASTE_END = "\x1b[200~", "\x1b[201~"
_SILENT = {Keys.Ignore, Keys.CPRResponse, Keys.Vt100MouseEvent, Keys.WindowsMouseEvent}

_Pressed = tuple[KeyPress, ...]

# What Alt makes of other keys; with those that are not here it does nothing.
_WITH_ALT: Final[dict[Keys | str, Keys]] = {
    "b": Keys.ControlLeft,
    "f": Keys.ControlRight,
    "d": Keys.ControlDelete,
    "\b": Keys.ControlW,
    "\x7f": Keys.ControlW,
    Keys.Left: Keys.ControlLeft,
    Keys.Right: Keys.ControlRight,
}


def _with_alt(key: Keys | str) -> _Pressed:
    return (KeyPress(_WITH_ALT[key], ""),) if key in _WITH_ALT else ()


def _keys_of(found: Keys | tuple[Keys, ...]) -> _Pressed:
    if isinstance(found, tuple):
        return _with_alt(found[1]) if found[0] is Keys.Escape else ()
    return () if found in _SILENT else (KeyPress(found, ""),)


_SEQUENCES = {text: _keys_of(found) for text, found in ANSI_SEQUENCES.items()}
_ESCAPE, _ENTER = _SEQUENCES["\x1b"], _SEQUENCES["\r"]
_SEQUENCES["\n"] = _ENTER  # however a line ends

# The keypad in application mode (VT100), and as the keyboard protocol of kitty numbers it.
_SEQUENCES["\x1bOM"] = _ENTER
_SEQUENCES["\x1bOI"] = _SEQUENCES["\t"]
_SEQUENCES |= {
    f"\x1bO{final}": (KeyPress(sign),)
    for final, sign in zip("jklmnopqrstuvwxyX ", "*+,-./0123456789= ", strict=True)
}
_KITTY_PAD: Final[tuple[_Pressed, ...]] = (
    *((KeyPress(sign),) for sign in "0123456789./*-+"),
    _ENTER,
    *((KeyPress(sign),) for sign in "=,"),
    *(
        (KeyPress(key, ""),)
        for key in (
            *(Keys.Left, Keys.Right, Keys.Up, Keys.Down, Keys.PageUp, Keys.PageDown),
            *(Keys.Home, Keys.End, Keys.Insert, Keys.Delete),
        )
    ),
)
_KITTY_PAD_FROM = 57399
_NO_CHARACTERS = range(0xD800, 0xF900)  # surrogates, and for private use: kitty's other keys

# A whole sequence: the Linux console's function keys, old mouse reports, CSI, SS3; with Alt behind an Esc.
_CSI, _SS3 = r"(?:\x1b\[|\x9b)", r"(?:\x1bO|\x8f)"
_WHOLE = re.compile(
    rf"(\x1b?)({_CSI}(?:\[[ -~]|M[\s\S]{{3}}|(?!M)[0-?]*[ -/]*[@-Z\\-~])|{_SS3}[\d;]*[ -/:<-~])"
)
# DCS, OSC, SOS, PM, APC: answers, with a text of any length.
_STRING = re.compile(r"\x1b[P\]X^_]|[\x90\x98\x9d-\x9f]")
_BEGUN = re.compile(
    rf"\x1b?(?:{_CSI}(?:\[|M[\s\S]{{0,2}}|[0-?]*[ -/]*)|{_SS3}[\d;]*|\x1b|{_STRING.pattern})\Z"
)
_BROKEN = re.compile(rf"{_CSI}[0-?]*[ -/]*|{_SS3}[\d;]*")
_OVERLONG_END = re.compile(r"[@-~]|(?=[^ -?])")
# No answer goes on behind Enter, Ctrl-C or Ctrl-D: somebody has typed what began it (Alt-], Alt-P).
_STRING_END = re.compile(r"[\x07\x9c\x18\x1a]|\x1b\\|(?=\x1b[^\\]|[\r\n\x03\x04])")
_OSC, _ST = {"\x1b]", "\x9d"}, {"\x07", "\x9c", "\x1b\\"}
_CURSOR = re.compile(r"\x1b\[2;\d+R")  # in other rows, it may be a function key
_BEGINNINGS = "\x1b\x8f\x90\x98\x9b\x9d\x9e\x9f"

# Keys as programs can have them reported: CSI u (kitty: code:shifted:base ; modifiers:event ; text),
# xterm's modifyOtherKeys, and the cursor keys with kitty's events.
_CSI_U = re.compile(
    r"\x1b\[(\d{1,7})(?::(\d{0,7})(?::\d*)?)?(?:;(\d{0,3})(?::(\d))?(?:;[\d:]*)?)?u"
)
_OTHER_KEYS = re.compile(r"\x1b\[27;(\d{1,3});(\d{1,7})~")
_WITH_EVENT = re.compile(r"\x1b\[(\d{0,2});(\d{1,3})(?::(\d))?([A-Z~])")
_SHIFT, _ALT, _CTRL, _META = 1, 2, 4, 32
_OTHER_MODIFIERS = 8 | 16
_RELEASED = "3"


def key_of(char: str) -> _Pressed:
    """The key that a single character stands for; none for those that cannot be shown."""
    if char < " " or char == "\x7f":
        return _SEQUENCES.get(char, ())
    return (KeyPress(char, char),) if cell_width(char) or is_mark(char) else ()


def _keys_for(sequence: str) -> _Pressed | None:
    """The keys that a whole sequence stands for, also none; None when it is no key's."""
    if (found := _SEQUENCES.get(sequence)) is not None:
        return found
    if match := _CSI_U.fullmatch(sequence):
        code, shifted, modifiers, event = match.groups()
        return () if event == _RELEASED else _reported(code, modifiers or "1", shifted or "")
    if match := _OTHER_KEYS.fullmatch(sequence):
        return _reported(match[2], match[1])
    if match := _WITH_EVENT.fullmatch(sequence):
        number, modifiers, event, final = match.groups()
        held = _modifiers(modifiers) & 7  # Caps Lock and Num Lock are told, too
        told = f"{number};{held + 1}" if held else number if final == "~" else ""
        return () if event == _RELEASED else _SEQUENCES.get(f"\x1b[{told}{final}")
    return None


def _modifiers(told: str) -> int:
    return max(0, int(told) - 1)


def _reported(code: str, modifiers: str, shifted: str = "") -> _Pressed:
    number, held = int(shifted or code), _modifiers(modifiers)
    if number > 0x10FFFF or held & _OTHER_MODIFIERS:
        return ()
    if number in _NO_CHARACTERS:
        at = number - _KITTY_PAD_FROM
        return _KITTY_PAD[at] if 0 <= at < len(_KITTY_PAD) else ()
    char = chr(number)
    if held & _SHIFT:
        if char == "\t":
            return _SEQUENCES["\x1b[Z"]
        char = char.upper() if len(char.upper()) == 1 else char
    if held & _CTRL and "@" <= char.upper() <= "_":
        char = chr(ord(char.upper()) & 0x1F)
    return _with_alt(char) if held & (_ALT | _META) else key_of(char)


class KeyDecoder:
    """Takes characters as they come and gives the keys they make up."""

    __slots__ = ("_answer", "_answered", "_held", "_pasting", "_returned", "_until", "slow")

    def __init__(self, answered: Callable[[str], None] | None = None) -> None:
        """Take the listener for answers of the terminal.

        ``answered`` is told each operating system command (OSC) that the terminal has sent, without what it
        begins and ends with: ``"11;rgb:ffff/ffff/ffff"`` is its background's colour; and where it says that
        the cursor is, if that is in the second row: ``"[2;3R"``.
        """
        self._answered: Final = answered
        self._answer: str | None = None  # what has come of an OSC
        self._held = ""
        self._pasting = False
        self._returned = False
        self._until: re.Pattern[str] | None = None  # what comes is dropped
        self.slow = False
        """The line is slow."""

    @property
    def delay(self) -> float | None:
        """Seconds of silence after which `flush` should be called; None when nothing is held back."""
        if self._pasting or self._until is _STRING_END:
            return TEXT_DELAY
        if self._until is None and self._held in ("\x1b", "\x1b\x1b"):
            return SLOW_ESCAPE_DELAY if self.slow else ESCAPE_DELAY
        return SEQUENCE_DELAY if self._held or self._until else None

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
                data = self._press(data, keys)
        return keys

    def flush(self) -> list[KeyPress]:
        """The keys that what is held back means when nothing follows."""
        held, self._held = self._held, ""
        pasting, self._pasting = self._pasting, False
        until, self._until = self._until, None
        if pasting:
            return [KeyPress(Keys.BracketedPaste, held[:LONGEST_PASTE])]
        # Half a sequence is a key that got lost: taking it apart would press keys nobody pressed.
        return [*_ESCAPE] * len(held) if until is None and held in ("\x1b", "\x1b\x1b") else []

    def _press(self, data: str, keys: list[KeyPress]) -> str:
        """Adds the keys up to where something is pasted or dropped; returns what follows."""
        at = 0
        while at < len(data):
            char = data[at]
            after_return, self._returned = self._returned, char == "\r"
            if char not in _BEGINNINGS:
                at += 1
                if not (after_return and char in "\n\0"):  # telnet's way of ending a line
                    keys += key_of(char)
            elif whole := _WHOLE.match(data, at):
                at = whole.end()
                if self._sequence(whole[1], whole[2], keys):
                    return data[at:]
            elif _BEGUN.match(data, at):
                if len(data) - at > _LONGEST_SEQUENCE:
                    self._until = _OVERLONG_END
                else:
                    self._held = data[at:]
                return ""
            elif string := _STRING.match(data, at):
                self._until, self._answer = _STRING_END, "" if string[0] in _OSC else None
                return data[string.end() :]
            elif broken := _BROKEN.match(data, at):
                at = broken.end()  # something came in between that has no place there
            elif data[at + 1] in _BEGINNINGS:
                keys += _ESCAPE
                at += 1
            else:
                self._returned = data[at + 1] == "\r"
                keys += _with_alt(data[at + 1])
                at += 2
        return ""

    def _sequence(self, escape: str, sequence: str, keys: list[KeyPress]) -> bool:
        """Adds the keys of a whole sequence, behind an ``escape`` perhaps; whether it begins a paste."""
        sequence = sequence.replace("\x9b", "\x1b[", 1).replace("\x8f", "\x1bO", 1)
        if self._answered and _CURSOR.fullmatch(sequence):
            self._answered(sequence[1:])
        self._pasting = sequence == _PASTE_START
        pressed = None if self._pasting else _keys_for(sequence)
        if escape and pressed is None:
            keys += _ESCAPE  # and then the terminal has told something
        elif pressed:
            keys += _with_alt(pressed[0].key) if escape else pressed
        return self._pasting

    def _drop(self, data: str, until: re.Pattern[str]) -> str:
        end = until.search(data)
        text = data[: end.start()] if end else data.removesuffix("\x1b")
        if self._answer is not None:
            self._answer += text[: LONGEST_ANSWER + 1 - len(self._answer)]
        if end is None:
            self._held = data[len(text) :]
            return ""
        self._until = None
        answer, self._answer = self._answer, None
        if (
            answer is not None
            and self._answered
            and end[0] in _ST
            and len(answer) <= LONGEST_ANSWER
        ):
            self._answered(answer)
        return data[end.end() :]

    def _paste(self, data: str, keys: list[KeyPress]) -> str:
        end = data.find(_PASTE_END)
        if end < 0:  # the end mark may be split, too
            self._held = data[:LONGEST_PASTE] + data[LONGEST_PASTE:][-len(_PASTE_END) + 1 :]
            return ""
        self._pasting = False
        keys.append(KeyPress(Keys.BracketedPaste, data[: min(end, LONGEST_PASTE)]))
        return data[end + len(_PASTE_END) :]
