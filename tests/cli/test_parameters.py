"""What a command is called with is what its function takes, which mypy cannot see."""

import inspect
from types import GenericAlias
from typing import Any, get_type_hints

import click
import pytest

from tests.support.command_line import every_command

KINDS: dict[type[click.ParamType[Any]], type] = {
    click.Choice: str,
    type(click.BOOL): bool,
    type(click.INT): int,
    click.IntRange: int,
    click.FloatRange: float,
    type(click.STRING): str,
}
CALLED = {" ".join(path): one for path, one in every_command() if one.callback is not None}


def given(one: click.Parameter, command: click.Command) -> Any:
    """The type of what is given for a parameter, ``None`` included when nothing need be typed."""
    if isinstance(one.type, click.Tuple):
        kinds = tuple(KINDS[type(each)] for each in one.type.types)
        return GenericAlias(tuple, kinds) | None
    if isinstance(one.type, click.Path):
        kind: Any = one.type.type
    else:
        kind = KINDS[type(one.type)]
    if one.nargs == -1 or one.multiple:
        return tuple[kind, ...]
    flag = isinstance(one, click.Option) and one.is_flag and not one.secondary_opts
    usual = isinstance(one.get_default(click.Context(command)), kind)
    return kind if one.required or flag or usual else kind | None


@pytest.mark.parametrize("called", CALLED)
def test_a_function_takes_what_its_command_gives(called: str) -> None:
    command = CALLED[called]
    assert command.callback is not None
    takes = get_type_hints(command.callback)
    assert takes.pop("return") is type(None)
    gives = {one.name: given(one, command) for one in command.params if one.expose_value}
    for one in inspect.signature(command.callback).parameters.values():
        if one.kind is one.VAR_KEYWORD:  # takes the others as they are declared elsewhere
            del takes[one.name]
            gives = {name: kind for name, kind in gives.items() if name in takes}
    assert takes == gives
