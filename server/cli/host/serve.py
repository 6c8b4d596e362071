"""``tide serve``: the server, from the first line that it prints to a clean stop."""

import gc
import signal
from pathlib import Path
from typing import Annotated

import typer

_Host = Annotated[
    str | None,
    typer.Option(
        "--host", help="Where to listen: an address or name; * is everywhere. [localhost]"
    ),
]
_Lan = Annotated[
    bool | None,
    typer.Option(
        "--lan/--no-lan",
        help="Listen everywhere, and be found by `tide join` on the local network. [no]",
    ),
]
_SshPort = Annotated[
    int | None, typer.Option("--ssh-port", help="For SSH; 0 takes a free one. [2222]")
]
_TelnetPort = Annotated[
    int | None, typer.Option("--telnet-port", help="For telnet; 0 takes a free one. [2323]")
]
_Telnet = Annotated[bool | None, typer.Option("--telnet/--no-telnet", help="Telnet as well. [yes]")]
_State = Annotated[Path | None, typer.Option("--state", help="Directory of games and results.")]
_Keys = Annotated[Path | None, typer.Option("--keys", help="Directory of the server's SSH key.")]
_Config = Annotated[Path | None, typer.Option("--config", help="A TOML file with settings.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("serve")(serve)


def serve(
    host: _Host = None,
    lan: _Lan = None,
    ssh_port: _SshPort = None,
    telnet_port: _TelnetPort = None,
    telnet: _Telnet = None,
    state: _State = None,
    keys: _Keys = None,
    config: _Config = None,
) -> None:
    """Start a server. Every option is also TIDE_HOST, TIDE_SSH_PORT, ... in the environment, and a key
    (host, ssh_port, ...) in the file that --config or TIDE_CONFIG names, or tide.toml in the state directory.
    """
    # It would end us before anybody listens to it.
    hung_up: list[int] = []
    signal.signal(signal.SIGHUP, lambda number, _: hung_up.append(number))
    # Starting makes much that stays, and no garbage: to look for some would take half the time in which a
    # thousand tables are taken up again. `server.runtime.gc_policy` sees to it from when the server is up.
    gc.disable()

    from server.cli.problems import fail
    from server.config import ConfigError, Settings, load

    flags = {
        "host": host,
        "lan": lan,
        "ssh_port": ssh_port,
        "telnet_port": telnet_port,
        "telnet": telnet,
        "state": _text(state),
        "keys": _text(keys),
    }

    def read() -> Settings:
        return load(flags, config=config)

    try:
        settings = read()
    except ConfigError as problem:
        fail(problem, 2)

    from server.runtime.server import run
    from server.storage.database import CannotOpen
    from server.transport.access.password import PasswordProblem
    from server.transport.net.sockets import BindProblem
    from server.transport.ssh.host_keys import KeyProblem
    from server.transport.telnet.server import CertificateProblem

    try:
        run(settings, read, hung_up)
    except (BindProblem, CannotOpen, CertificateProblem, KeyProblem, PasswordProblem) as problem:
        fail(problem)


def _text(path: Path | None) -> str | None:
    return None if path is None else str(path)
