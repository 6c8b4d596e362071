"""``tide --show-completion`` and ``--install-completion``: the script with which a shell completes words."""

import os
from pathlib import Path
from typing import Final

import click
from click.shell_completion import get_completion_class

from server.cli.output import fail, finish

_PLACES: Final = {
    "bash": (
        "~/.local/share/bash-completion/completions/tide",
        ", where the package bash-completion is installed",
    ),
    "fish": ("~/.config/fish/completions/tide.fish", ""),
    "zsh": ("~/.zfunc/_tide", ", if ~/.zshrc has fpath+=~/.zfunc before compinit"),
}
"""Where each shell looks for it, and under which condition."""


def _show(context: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked and not context.resilient_parsing:
        finish([_script(_shell(), context).rstrip()])


def _install(context: click.Context, _: click.Parameter, asked: bool) -> None:
    if not asked or context.resilient_parsing:
        return
    shell = _shell()
    place, condition = _PLACES[shell]
    path = Path(place).expanduser()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_script(shell, context))
    except OSError as problem:
        fail(f"{path}: {problem.strerror}")
    finish([f"Written to {path}; a new {shell} completes what tide can do{condition}."])


def _shell() -> str:
    name = Path(os.environ.get("SHELL", "")).name
    if name not in _PLACES:
        fail(f"the variable SHELL names none of {', '.join(_PLACES)}", 2)
    return name


def _script(shell: str, context: click.Context) -> str:
    made_by = get_completion_class(shell)
    assert made_by is not None
    return made_by(context.command, {}, "tide", "_TIDE_COMPLETE").source()


install_option = click.option(
    "--install-completion",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_install,
    help="Install completion for the current shell.",
)
show_option = click.option(
    "--show-completion",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show,
    help="Show completion for the current shell, to copy it or customize the installation.",
)
