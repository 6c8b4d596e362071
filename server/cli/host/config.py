"""``tide config``: the settings in force, their sources, and whether a server could start with them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from server.cli.output import fail, finish
from server.cli.state_dir import config_option, layers_in_force, state_option

commands = click.Group(help="Show or check the server's settings.")


@commands.command()
@config_option
@state_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def show(config: Path | None, state: Path | None, as_json: bool) -> None:
    """Print all settings in force, as a file that `tide serve` reads.

    A comment says where a setting comes from unless it has its default.
    """
    from server.settings.addresses import without_password
    from server.settings.settings import URLS, declared

    layers, settings = layers_in_force(config=config, state=state)
    values = {key: one.value_in(settings) for key, one in declared().items()}
    values |= {key: without_password(values[key]) for key in URLS}
    sources = dict.fromkeys(values, "default")
    sources |= {key: source for source, given in layers for key in given}

    if as_json:
        import msgspec

        found = {key: {"value": values[key], "from": sources[key]} for key in values}
        finish([msgspec.json.encode(found, enc_hook=str).decode()])
    finish(_file(values, sources))


def _file(values: dict[str, Any], sources: dict[str, str]) -> Iterator[str]:
    within = ""
    for key, value in values.items():
        section, _, name = key.rpartition(".")
        if section != within:
            yield f"\n[{section}]"
            within = section
        comment = "" if sources[key] == "default" else f"  # {sources[key]}"
        plain = value if isinstance(value, bool | int | float) else str(value)
        shown = f"{name} = {json.dumps(plain, ensure_ascii=False)}{comment}"
        yield f"#{name} =" if value is None else shown


@commands.command()
@config_option
@state_option
def check(config: Path | None, state: Path | None) -> None:
    """Check settings, SSH keys and certificate.

    The same checks as when the server starts, without starting it.
    The exit status is 2 for a setting that cannot be used, and 1 for a file.
    """
    from server.settings.addresses import database_url, readable_by_all
    from server.settings.loading import unknown_variables
    from server.transport.access import password
    from server.transport.ssh.host_keys import COMING, load
    from server.transport.telnet.server import load_certificate

    layers, settings = layers_in_force(config=config, state=state)
    database_url(settings)
    load(settings.keys)
    load(settings.keys, COMING)
    load_certificate(settings.tls_cert, settings.tls_key)
    if settings.access == "password" and password.read(settings.keys / password.FILE) is None:
        fail("the server's password is not set; set it with: tide password")

    used = [source for source, given in layers[1:] if given]
    found = f" in: {', '.join(used)}" if used else ": all defaults"
    warnings = [f"warning: {line}" for line in [*unknown_variables(), *readable_by_all(settings)]]
    finish([*warnings, f"No {'other ' * bool(warnings)}problems found{found}."])
