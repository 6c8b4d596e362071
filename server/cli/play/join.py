"""``tide join``: find servers on the local network, and go to one with the system's ``ssh``."""

from typing import Annotated

import typer

_Which = Annotated[
    str | None,
    typer.Argument(metavar="[WHICH]", help="A number or a name from the list: go there at once."),
]
_Name = Annotated[
    str | None,
    typer.Option("--name", help="What to log in as, such as ada or ada+de. [your login here]"),
]
_Wait = Annotated[
    float, typer.Option("--wait", min=0.1, max=60, help="Seconds to listen for servers.")
]
_List = Annotated[bool, typer.Option("--list", help="Show what is there, and go nowhere.")]
_At = Annotated[
    list[str] | None,
    typer.Option(
        "--at",
        metavar="ADDRESS",
        help="Look only where this machine has this address; may be repeated. [everywhere]",
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("join", short_help="Find servers on this network, and play there.")(join)


def join(
    which: _Which = None,
    name: _Name = None,
    wait: _Wait = 3.0,
    only_list: _List = False,
    at: _At = None,
) -> None:
    """Find servers on this network (those that were started with --lan), and play there.

    The list says which servers ask for a word (their host knows it), or let in listed keys alone.
    Anybody on the network can announce a server under any name. Compare the fingerprint that ssh asks
    about with the one that your host's server shows.
    """
    from server.cli.output import run
    from server.cli.play.joining import Joining

    joining = Joining(which=which, name=name, wait=wait, only_list=only_list, at=at)
    raise typer.Exit(run(joining.run))
