"""Numbers on the command line: click's own ranges say "9 is not in the range 3<=x<=6", also in the help."""

import math
from contextlib import suppress
from typing import Any, Final

import click
from typing_extensions import override

from server.cli.output import own_words
from server.i18n.lookup import _


class Number(click.ParamType[float]):
    """A number from ``least`` to ``most``, a whole one unless ``kind`` is ``float``."""

    name = "number"

    def __init__(
        self, least: float, most: float = math.inf, kind: type[int] | type[float] = int
    ) -> None:
        self.kind: Final = kind
        self._least, self._most = least, most

    @override
    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        with suppress(ValueError):
            found = self.kind(value)
            if self._least <= found <= self._most:
                return found
        if self.kind is float:
            text = _("must be a number from {least} to {most}")
        elif self._most < math.inf:
            text = _("must be a whole number from {least} to {most}")
        else:
            text = _("must be a whole number from {least}")
        wanted = own_words().t(text, least=self._least, most=self._most)
        raise click.BadParameter(wanted, ctx, param)
