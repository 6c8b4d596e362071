"""What a key of a page does: from a page's table of these, key bindings, footer and help are made."""

from collections.abc import Callable
from copy import copy
from typing import Any, Final


class Key:
    """One or more keys that do the same on a page."""

    def __init__(
        self,
        *names: str,
        does: Callable[[Any], object] | None = None,
        takes: Callable[[Any, str], object] | None = None,
        when: Callable[[Any], bool] | None = None,
        typing: bool = False,
        footer: str = "",
        label: str = "",
        shown: Callable[[Any], bool] | None = None,
        help: str | tuple[str, ...] = (),
        section: str = "",
        action: str = "",
        what: str = "",
    ) -> None:
        """``names`` are prompt_toolkit's (``"left"``, ``"pageup"``, ``"x"``). Of several that have the same
        name, the last one counts that applies ``when`` it is pressed. ``typing``: while a line is typed, when
        other keys go into that line; otherwise while none is.

        ``does`` is given the page, ``takes`` the page and which of the names it was. ``footer`` says what it
        does in the footer, as far as it is ``shown`` there, with ``label`` for the key; ``help`` in the help
        page, in a row (key, tab, text) or several, below the heading ``section``. Texts are in English. A key
        with an ``action`` can be chosen by the player, who is told ``what`` that is.
        """
        self.names = names
        self.does: Final = does
        self.takes: Final = takes
        self.when: Final = when
        self.typing: Final = typing
        self.footer: Final = footer
        self.label: Final = label
        self.shown: Final = shown or when
        self.help: Final = (help,) if isinstance(help, str) else help
        self.section: Final = section
        self.action: Final = action
        self.what: Final = what or footer

    def do(self, page: object, name: str) -> None:
        """It was pressed."""
        if self.takes is not None:
            self.takes(page, name)
        elif self.does is not None:
            self.does(page)

    def named(self, *names: str) -> "Key":
        """The same for other keys."""
        other = copy(self)
        other.names = names
        return other
