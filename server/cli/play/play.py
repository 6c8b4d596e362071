"""``tide play``: the game in this terminal, against bots, without any network."""

from typing import Annotated

import typer

_Players = Annotated[
    int, typer.Option("--players", min=3, max=6, help="You and so many bots less one.")
]
_Edition = Annotated[str, typer.Option("--edition", help="amigo, gamewright or bga.")]
_Stages = Annotated[
    int,
    typer.Option("--stages", min=0, max=6, help="A shorter game; 0 is a stage for each player."),
]
_Name = Annotated[str | None, typer.Option("--name", help="What you are called.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("play", short_help="Play against bots in this terminal, without a network.")(play)


def play(
    players: _Players = 4, edition: _Edition = "amigo", stages: _Stages = 0, name: _Name = None
) -> None:
    """Play against bots in this terminal; nothing goes over a network, nothing is kept."""
    import os
    import sys

    from engine.editions import Edition, Rules
    from engine.errors import BadRules
    from server.cli.problems import fail

    try:
        rules = Rules(Edition(edition), players, stages)
    except BadRules as problem:
        fail(f"the {edition} edition cannot be played like that: {problem}", 2)
    except ValueError:
        fail(f"--edition: there is no edition {edition!r}; there are {', '.join(Edition)}", 2)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        fail("this needs a terminal: it draws on the whole screen")

    from server.runtime.local_game import run

    run(rules, name or os.environ.get("USER") or "player")
