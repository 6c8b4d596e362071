"""Which keys edit a line of text, and how: prompt_toolkit's commands, a choice that stays bounded.

Its full set also records macros, repeats a key a million times and opens editors. This one is made
once and shared: built for each session it would be the largest part of its memory.
"""

from prompt_toolkit.key_binding.bindings.named_commands import get_by_name
from prompt_toolkit.key_binding.key_bindings import KeyBindings
from prompt_toolkit.key_binding.key_processor import KeyPress, KeyPressEvent
from prompt_toolkit.keys import Keys

_COMMANDS: dict[str, tuple[Keys, ...]] = {
    "beginning-of-line": (Keys.Home, Keys.ControlA, Keys.ControlHome),
    "end-of-line": (Keys.End, Keys.ControlE, Keys.ControlEnd),
    "backward-char": (Keys.Left, Keys.ControlB, Keys.ShiftLeft),
    "forward-char": (Keys.Right, Keys.ControlF, Keys.ShiftRight),
    "backward-word": (Keys.ControlLeft,),
    "forward-word": (Keys.ControlRight,),
    "backward-delete-char": (Keys.ControlH,),
    "delete-char": (Keys.Delete,),
    "kill-word": (Keys.ControlDelete,),
    "unix-word-rubout": (Keys.ControlW,),
    "unix-line-discard": (Keys.ControlU,),
    "kill-line": (Keys.ControlK,),
    "transpose-chars": (Keys.ControlT,),
    "yank": (Keys.ControlY,),
    "undo": (Keys.ControlUnderscore,),
    "previous-history": (Keys.Up, Keys.ControlP),
    "next-history": (Keys.Down, Keys.ControlN),
}
_WITH_ALT = {
    "b": "backward-word",
    "f": "forward-word",
    "d": "kill-word",
    "\x7f": "backward-kill-word",
}


def _typed(event: KeyPressEvent) -> bool:
    """A run of typed characters is undone as one."""
    return not event.is_repeat


def _bindings() -> KeyBindings:
    bindings = KeyBindings()
    for name, keys in _COMMANDS.items():
        for key in keys:
            bindings.add(key)(get_by_name(name))
    for char, name in _WITH_ALT.items():
        # The processor is never given an Esc alone, so nothing waits for what may follow it.
        second = Keys.ControlH if char == "\x7f" else char
        bindings.add(Keys.Escape, second)(get_by_name(name))
    bindings.add(Keys.Any, save_before=_typed)(get_by_name("self-insert"))
    return bindings


BINDINGS = _bindings()

_EDITING = {key.value: key for keys in _COMMANDS.values() for key in keys} | {
    "backspace": Keys.ControlH
}


def edits(name: str, text: str = "") -> list[KeyPress]:
    """What to give prompt_toolkit's key processor for a key (`keys.Press`); empty when it edits nothing."""
    if name == "meta":
        if text not in _WITH_ALT:
            return []
        return [KeyPress(Keys.Escape, ""), KeyPress(Keys.ControlH if text == "\x7f" else text, "")]
    if name in _EDITING:
        return [KeyPress(_EDITING[name], "")]
    return [KeyPress(name, name)] if len(name) == 1 else []
