"""What a key of a page does: from a page's table of these, key bindings, footer and help are made."""

from collections.abc import Callable
from typing import Any, Final


class Key:
    """One or more keys that do the same on a page."""

    __slots__ = ("does", "names", "typing", "when")

    def __init__(
        self,
        *names: str,
        does: Callable[[Any], object],
        when: Callable[[Any], bool] | None = None,
        typing: bool = False,
    ) -> None:
        """``names`` are prompt_toolkit's (``"left"``, ``"pageup"``, ``"x"``). Of several that have the same
        name, the last one counts that applies ``when`` it is pressed. ``typing``: while a line is typed, when
        other keys go into that line; otherwise while none is.
        """
        self.names: Final = names
        self.does: Final = does
        self.when: Final = when
        self.typing: Final = typing
