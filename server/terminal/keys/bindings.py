"""What the keys of a page do: from a page's table of them, key bindings, footer and help are made."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from operator import methodcaller
from typing import Any, Final, Generic, TypedDict, TypeVar

from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.keys import Keys
from typing_extensions import Unpack

R = TypeVar("R")
P_contra = TypeVar("P_contra", contravariant=True)
"""The page: a key of all pages is one of each."""
P_co = TypeVar("P_co", covariant=True)
"""Type of a page in the table of its keys: a subclass's table replaces the inherited one."""


NEWLINE: Final = "newline"
"""The name of Enter at the end of a line of which more were pasted: the next may follow at once."""


class KeyOptions(TypedDict, Generic[P_contra], total=False):
    """What there is to say of a key, besides what it does. Texts are in English."""

    when: Callable[[P_contra], bool]
    """Tells whether the key applies; of several keys with one name, the last one that does counts when it
    is pressed.
    """
    typing: bool
    """While a line is typed, when other keys go into that line; otherwise while none is."""
    footer: str
    """What the footer says that it does ..."""
    label: str
    """... what the key is called there ..."""
    shown: Callable[[P_contra], bool]
    """... and whether it is told there; usually ``when`` it applies."""
    help: str | tuple[str, ...]
    """What the help page says, in a row (key, tab, text) or several ..."""
    section: str
    """... and below which heading."""
    action: str
    """What it is called where a player chooses another key for it ..."""
    what: str
    """... and what the player is told that it does."""


class Key(Generic[P_contra]):
    """One or more keys that do the same on a page."""

    def __init__(
        self,
        *names: str,
        does: Callable[[P_contra], object] | None = None,
        takes: Callable[[P_contra, str], object] | None = None,
        **options: Unpack[KeyOptions[P_contra]],
    ) -> None:
        """``names`` are prompt_toolkit's (``"left"``, ``"pageup"``, ``"x"``).

        ``does`` is given the page, ``takes`` the page and which of the names it was.
        """
        help_ = options.get("help", ())
        self.names = names
        self.does: Final = does
        self.takes: Final = takes
        self.when: Final = options.get("when")
        self.typing: Final = options.get("typing", False)
        self.footer: Final = options.get("footer", "")
        self.label: Final = options.get("label", "")
        self.shown: Final = options.get("shown", self.when)
        self.help: Final = (help_,) if isinstance(help_, str) else help_
        self.section: Final = options.get("section", "")
        self.action: Final = options.get("action", "")
        self.what: Final = options.get("what", self.footer)

    def do(self, page: P_contra, name: str) -> None:
        """It was pressed."""
        if self.takes is not None:
            self.takes(page, name)
        elif self.does is not None:
            self.does(page)

    def named(self, *names: str) -> "Key[P_contra]":
        """Return the key under other names."""
        other = copy(self)
        other.names = names
        return other


AnyKey = Key[Any]
"""Key of any page."""

KeysByName = Mapping[tuple[str, bool], Sequence[AnyKey]]
"""What a key of that name may do while a line is typed, or while none is: the first that applies counts."""
_NAMES: Final = {"c-m": "enter", "c-i": "tab", "c-h": "backspace"}


def name_of(pressed: KeyPress) -> str:
    """Return what tables of keys call a key that was pressed."""
    name = pressed.key.value if isinstance(pressed.key, Keys) else pressed.key
    return _NAMES.get(name, name)


def by_name(keys: Iterable[AnyKey]) -> KeysByName:
    """Return a table of keys to look them up in: what comes later in it comes first."""
    found: dict[tuple[str, bool], list[AnyKey]] = {}
    for key in keys:
        for name in key.names:
            found.setdefault((name, key.typing), []).insert(0, key)
    return found


class KeyTable(list[AnyKey], Generic[P_co]):
    """The table of the keys of a page, in the order in which they are added: that of the footer."""

    def __init__(self, *keys: Key[P_co]) -> None:
        super().__init__(keys)

    def include(self, *keys: Key[P_co]) -> None:
        """Add keys that do what no method of the page's own is for."""
        self.extend(keys)

    def add(
        self, *names: str, **options: Unpack[KeyOptions[P_co]]
    ) -> Callable[[Callable[[P_co], R]], Callable[[P_co], R]]:
        """Add a key that calls the method that is decorated."""

        def added(method: Callable[[P_co], R]) -> Callable[[P_co], R]:
            self.include(Key(*names, does=methodcaller(method.__name__), **options))
            return method

        return added

    def each(
        self, *names: str, **options: Unpack[KeyOptions[P_co]]
    ) -> Callable[[Callable[[P_co, str], R]], Callable[[P_co, str], R]]:
        """Add keys of which the method that is decorated is told which one it was."""

        def added(method: Callable[[P_co, str], R]) -> Callable[[P_co, str], R]:
            def call(page: object, name: str) -> None:
                getattr(page, method.__name__)(name)

            self.include(Key(*names, takes=call, **options))
            return method

        return added
