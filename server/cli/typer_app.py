"""What ``tide`` does differently from typer: wrapped help texts, plain types and one style of error line.

All overrides of typer are here (seen in 0.29); tests/cli/test_help.py notices when one no longer has effect.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption
from typing_extensions import override

from server.cli.output import complain


class _Argument(TyperArgument):
    """``BOT...`` instead of ``{BOT}...  <list[str]>``."""

    @override
    def display_type_rich(self, ctx: Any) -> str | None:
        return None

    @override
    def get_usage_pieces(self, ctx: Any) -> list[str]:
        name = self.display_name_raw if self.required else f"[{self.display_name_raw}]"
        return [name + ("..." if self.nargs != 1 else "")]


class _Option(TyperOption):
    """``path`` instead of ``<path>``, ``a|b`` instead of ``<a|b>``, and no ``<int range>`` or ``1<=x<=9``."""

    @override
    def display_type_rich(self, ctx: Any) -> str | None:
        return None if self.is_flag else (self.metavar or self.display_type(ctx).strip("<>"))

    @override
    def _get_number_range_help_str(self) -> str | None:
        return None


class Command(TyperCommand):
    """A command whose parameters are shown in that way."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for one in self.params:
            if isinstance(one, TyperArgument):
                one.__class__ = _Argument
            elif isinstance(one, TyperOption):
                one.__class__ = _Option

    @override
    def format_options(self, ctx: Any, formatter: Any) -> None:
        _write_sections(
            formatter,
            (
                (_heading(one, f"{one.param_type_name.title()}s"), one.get_help_record(ctx))
                for one in self.get_params(ctx)
            ),
        )


class Root(TyperGroup):
    """Groups commands under headings, and reports wrong usage in one line, like any other error."""

    @override
    def format_commands(self, ctx: Any, formatter: Any) -> None:
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        _write_sections(
            formatter,
            (
                (_heading(one, "Commands"), (name, one.get_short_help_str(formatter.width)))
                for name, one in commands
                if one is not None and not one.hidden
            ),
        )

    @override
    def main(self, *args: Any, standalone_mode: bool = True, **extra: Any) -> Any:
        run = partial(super().main, *args, **(extra | {"standalone_mode": False}))
        if not standalone_mode:
            return run()
        try:
            status = run()
        except typer.Abort:
            complain("interrupted")
            status = 1
        except typer.TyperException as problem:
            message, context = problem.format_message(), getattr(problem, "ctx", None)
            if message.startswith("Usage: "):
                typer.echo(message, err=True)
            else:
                see = f" (see {context.command_path} --help)" if context is not None else ""
                message = message.replace("Value error, ", "")  # pydantic's words
                complain(" ".join(message.split()).rstrip(".") + see)
            status = problem.exit_code
        raise SystemExit(status if isinstance(status, int) else 0)


def _heading(one: Any, otherwise: str) -> str:
    return getattr(one, "rich_help_panel", None) or otherwise


def _write_sections(formatter: Any, rows: Iterable[tuple[str, tuple[str, str] | None]]) -> None:
    """Each row below its heading, in the order in which headings come."""
    sections: dict[str, list[tuple[str, str]]] = {}
    for heading, row in rows:
        if row is not None:
            sections.setdefault(heading, []).append(row)
    for heading, found in sections.items():
        with formatter.section(heading):
            formatter.write_dl(found)


def group(help: str | None, **options: Any) -> typer.Typer:
    """A command that has only subcommands."""
    options |= {"rich_markup_mode": None, "pretty_exceptions_enable": False}
    return typer.Typer(help=help, no_args_is_help=True, **options)


def add(app: typer.Typer, function: Callable[..., object], name: str, **options: Any) -> None:
    """Add a command. Its help is the function's docstring, the first paragraph of which is the summary."""
    app.command(name, cls=Command, **options)(function)
