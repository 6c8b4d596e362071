"""``tide serve``: run a server."""

import gc
import inspect
import signal
from typing import Annotated, Any, Final, Literal

import msgspec
import typer

from server.cli.state_dir import ConfigOption
from server.config import Setting, declared, default_places, in_checkout

_METAVARS: Final = {
    msgspec.inspect.IntType: "N",
    msgspec.inspect.FloatType: "SECONDS",
    msgspec.inspect.StrType: "TEXT",
    msgspec.inspect.CustomType: "PATH",
}


def _option(setting: Setting) -> inspect.Parameter:
    kind, names = setting.kind, [setting.option]
    typed: Any = str
    if isinstance(kind, msgspec.inspect.BoolType):
        typed, names = bool, [f"{setting.option}/--no-{setting.option.removeprefix('--')}"]
    elif setting.choices:
        typed = Literal[setting.choices]
    elif isinstance(kind, msgspec.inspect.UnionType):
        kind = kind.types[0]
    default = _default(setting)
    option = typer.Option(
        *names,
        help=f"{setting.description}  [{default}]" if default else setting.description,
        metavar=None if typed is not str else _METAVARS[type(kind)],
        show_default=False,
        rich_help_panel=setting.section or None,
    )
    return inspect.Parameter(
        setting.key.replace(".", "_"),
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[typed | None, option],
    )


def _default(setting: Setting) -> str:
    """As it is shown in the help."""
    if setting.key in {"state", "keys"}:
        places = dict(zip(("state", "keys"), default_places(), strict=True))
        return f"{setting.key}/" if in_checkout() else str(places[setting.key])
    if isinstance(setting.default, bool):
        return "yes" if setting.default else "no"
    if isinstance(setting.default, float):
        return f"{setting.default:.10g}"
    return "" if setting.default is None else str(setting.default)


def serve(config: ConfigOption = None, **given: Any) -> None:
    """Run a server.

    Every option can also be set in the environment (--ssh-port is TIDE_SSH_PORT, --limits-sessions is
    TIDE_LIMITS_SESSIONS) and in a file (ssh_port; sessions in the section limits). Options take precedence
    over the environment, and the environment over the file. tide config show prints the settings in force.
    """
    # The default action for SIGHUP, until the server handles it, would end the process.
    hung_up: list[int] = []
    signal.signal(signal.SIGHUP, lambda number, _: hung_up.append(number))
    # Starting creates much that stays, and no garbage: collecting it would take half the time in which a
    # thousand tables are recovered. `server.runtime.gc_policy` takes over when the server is up.
    gc.disable()

    from server.cli.output import fail
    from server.config import ConfigError, load
    from server.runtime.server import run
    from server.storage.database import CannotOpen
    from server.storage.store import StoreError
    from server.transport.access.password import PasswordProblem
    from server.transport.net.sockets import BindProblem
    from server.transport.ssh.host_keys import KeyProblem
    from server.transport.telnet.server import CertificateProblem

    flags = {key: given[key.replace(".", "_")] for key in declared()}
    try:
        run(lambda: load(flags, config=config), hung_up)
    except ConfigError as problem:
        fail(problem, 2)
    except (BindProblem, CannotOpen, CertificateProblem, KeyProblem, PasswordProblem) as problem:
        fail(problem)
    except StoreError as problem:
        fail(
            f"The database was lost while the server started ({problem.code}): see whether it runs, and "
            "start the server again."
        )


# An option for each setting, in place of the keyword arguments.
serve.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
    [inspect.signature(serve).parameters["config"], *map(_option, declared().values())]
)
