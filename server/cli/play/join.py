"""``tide join``: find servers on the local network, and go to one with the system's ``ssh``."""

from typing import Annotated

import typer

_Which = Annotated[
    str | None,
    typer.Argument(metavar="SERVER", help="Number or name from the list: join it right away."),
]
_Name = Annotated[
    str | None,
    typer.Option(
        "--name",
        metavar="NAME",
        help="Login, such as ada or ada+de.",
        show_default="your user name",
    ),
]
_Wait = Annotated[
    float,
    typer.Option(
        "--wait", metavar="SECONDS", min=0.1, max=60, help="How long to listen for servers."
    ),
]
_List = Annotated[bool, typer.Option("--list", help="List servers without joining one.")]
_Json = Annotated[
    bool, typer.Option("--json", help="With --list: one line of JSON for each server.")
]
_At = Annotated[
    list[str] | None,
    typer.Option(
        "--at",
        metavar="ADDRESS",
        help="Search only the network where this machine has this address; can be repeated.",
        show_default="all networks",
    ),
]


def join(
    which: _Which = None,
    name: _Name = None,
    wait: _Wait = 3.0,
    only_list: _List = False,
    at: _At = None,
    as_json: _Json = False,
) -> None:
    """Find servers on the local network, and join one with ssh.

    Servers started with --lan are found. The list shows which of them ask for a password or admit listed keys
    only. Anyone on the network can announce a server under any name: compare the fingerprint that ssh shows
    with the one on the host's screen.
    """
    from server.cli.output import run
    from server.cli.play.joining import Joining

    joining = Joining(
        which=which,
        name=name,
        wait=wait,
        only_list=only_list or as_json,
        at=at,
        as_json=as_json,
    )
    raise typer.Exit(run(joining.run))
