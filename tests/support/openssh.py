"""The system's ssh, and how it ended."""

import asyncio
import os
from pathlib import Path

from tests.support.connections import Open, key
from tests.support.patience import PATIENCE


class Ran:
    def __init__(self, status: int, out: bytes, err: bytes) -> None:
        self.status, self.out, self.err = status, out.decode(), err.decode(errors="replace")


def command(opened: Open, *options: str, name: str = "ada", agent: bool = False) -> list[str]:
    """``ssh`` without anything of its user's own."""
    return [
        "ssh", "-F", "/dev/null", "-p", str(opened.line.listening.port), "-l", name,
        "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR",
        *(() if agent else ("-o", "IdentitiesOnly=yes")), *options,
    ]  # fmt: skip


def environment(**changed: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != "SSH_AUTH_SOCK"}
    return {**kept, "TERM": "xterm-256color", **changed}


async def run(arguments: list[str], typed: bytes = b"", **env: str) -> Ran:
    """Run ``ssh`` with ``typed`` as its input, to the end."""
    process = await asyncio.create_subprocess_exec(
        *arguments,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=environment(**env),
    )
    async with asyncio.timeout(PATIENCE):
        out, err = await process.communicate(typed)
    assert process.returncode is not None
    return Ran(process.returncode, out, err)


def key_file(place: Path, name: str) -> str:
    path = place / name
    if not path.exists():
        path.write_bytes(key(name).export_private_key("openssh"))
        path.with_name(f"{name}.pub").write_bytes(key(name).export_public_key("openssh"))
        path.chmod(0o600)
    return str(path)
