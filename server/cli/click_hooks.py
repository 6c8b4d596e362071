"""What click does differently here (seen in 8.5), each override with its reason.

``tests/cli/test_help.py`` fails when one no longer has effect; ``pyproject.toml`` leaves the next minor
version out.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import click
from click.exceptions import NoArgsIsHelpError
from typing_extensions import override

from server.cli.output import complain, own_words
from server.i18n.lookup import _
from server.problem import Problem

if TYPE_CHECKING:
    from server.i18n.lookup import Words

_CLICK: Final = (
    _("{problem} Did you mean '{name}'?"),
    _("{problem} (Did you mean one of: {names}?)"),
    _("No such command '{name}'."),
    _("No such option '{name}'."),
    _("Missing argument '{name}'."),
    _("Missing option '{name}'."),
    _("Option '{name}' requires an argument."),
    _("Option '{name}' does not take a value."),
    _("Got unexpected extra argument ({given})"),
    _("Got unexpected extra arguments ({given})"),
    _("Invalid value for {name}: {problem}"),
    _("'{given}' is not one of {names}."),
)
"""What click says of wrong usage. It looks for translations in files of its own, and comes without any."""


class Group(click.Group):
    """Lists its commands in the order in which they were added. The original sorts them."""

    @override
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)


class Root(click.Group):
    """Shows commands below headings, gets each only when it is needed, and reports wrong usage in one line,
    like any other problem. The original has one heading and all commands at once, and adds the usage.
    """

    def __init__(
        self,
        *args: Any,
        headings: Mapping[str, str],
        get: Callable[[str], click.Command | None],
        **settings: Any,
    ) -> None:
        """``headings`` has those of the commands that are shown; ``get`` knows these and hidden ones."""
        super().__init__(*args, **settings)
        self._headings, self._get = headings, get

    @override
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self._headings)

    @override
    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return self._get(cmd_name)

    @override
    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchCommand as problem:  # which offers what has been got already
            name = problem.command_name
            raise click.NoSuchCommand(name, possibilities=self._headings, ctx=ctx) from None

    @override
    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        commands = [(name, self.get_command(ctx, name)) for name in self._headings]
        _write_sections(
            formatter,
            (
                (self._headings[name], (name, one.get_short_help_str(formatter.width)))
                for name, one in commands
                if one is not None
            ),
        )

    @override
    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        def run() -> Any:
            return super(Root, self).main(
                args, prog_name, complete_var, standalone_mode=False, **extra
            )

        if not standalone_mode:
            return run()
        try:
            status = run()
        except click.Abort:
            complain(own_words().t("interrupted"))
            status = 1
        except NoArgsIsHelpError as problem:
            problem.show()
            status = problem.exit_code
        except click.ClickException as problem:
            context, words = getattr(problem, "ctx", None), own_words()
            said = _translated(" ".join(problem.format_message().split()), words).rstrip(".")
            if context is not None:
                see = _("{problem} (see {command} --help)")
                said = words.t(see, problem=said, command=context.command_path)
            complain(said)
            status = problem.exit_code
        except Problem as problem:
            complain(problem)
            status = problem.status
        raise SystemExit(status if isinstance(status, int) else 0)


class Sectioned(click.Command):
    """Shows options below headings. The original has one."""

    def __init__(self, *args: Any, headings: Mapping[str, str], **settings: Any) -> None:
        """``headings`` has those of some options, by the names of their parameters."""
        super().__init__(*args, **settings)
        self._headings = headings

    @override
    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        options = [one for one in self.get_params(ctx) if isinstance(one, click.Option)]
        records = ((one.name, one.get_help_record(ctx)) for one in options)
        _write_sections(
            formatter,
            (
                (self._headings.get(name, "Options"), row)
                for name, row in records
                if row is not None
            ),
        )


def _translated(said: str, words: "Words") -> str:
    """What click says, in the language of ``words``; as it is, if it says something else."""
    for text in _CLICK:
        pattern = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.*)", re.escape(text))
        if found := re.fullmatch(pattern, said):
            values = {name: _translated(each, words) for name, each in found.groupdict().items()}
            return words.t(text, **values)
    return said


def _write_sections(
    formatter: click.HelpFormatter, rows: Iterable[tuple[str, tuple[str, str]]]
) -> None:
    """Each row below its heading, in the order in which headings come."""
    sections: dict[str, list[tuple[str, str]]] = {}
    for heading, row in rows:
        sections.setdefault(heading, []).append(row)
    for heading, found in sections.items():
        with formatter.section(heading):
            formatter.write_dl(found)
