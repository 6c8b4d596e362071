"""What ``ssh-audit`` says about this server."""

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from server.settings.settings import ServerLimits
from tests.support.connections import open_server
from tests.support.patience import PATIENCE

AUDIT = Path(sys.executable).with_name("ssh-audit")

# Where everything was installed, it is there; continuous integration may not go without.
pytestmark = pytest.mark.skipif(
    not AUDIT.exists() and not os.environ.get("CI"), reason="no ssh-audit here"
)


async def audit(port: int) -> dict[str, Any]:
    process = await asyncio.create_subprocess_exec(
        str(AUDIT), "-j", "-p", str(port), "127.0.0.1", stdout=asyncio.subprocess.PIPE
    )
    async with asyncio.timeout(2 * PATIENCE):
        out, _ = await process.communicate()
    found: dict[str, Any] = json.loads(out)
    return found


def notes(found: dict[str, Any], level: str) -> list[str]:
    """Every remark of that level, with the algorithm that it is about."""
    return [
        f"{algorithm['algorithm']}: {note}"
        for kind in ("kex", "key", "enc", "mac")
        for algorithm in found[kind]
        for note in algorithm["notes"].get(level, [])
    ]


async def test_nothing_fails() -> None:
    async with open_server(ServerLimits()) as opened:
        found = await audit(opened.line.listening.port)
    assert notes(found, "fail") == []
    assert found["kex"][0]["algorithm"] == "mlkem768x25519-sha256"
    assert found["enc"][0]["algorithm"] == "aes128-gcm@openssh.com"
    assert [one["algorithm"] for one in found["key"]] == ["ssh-ed25519"]
    assert set(found["compression"]) == {"none", "zlib@openssh.com"}, "only after the login"


async def test_with_the_post_quantum_switch_there_is_not_even_a_warning() -> None:
    async with open_server(ServerLimits(), post_quantum_only=True) as opened:
        found = await audit(opened.line.listening.port)
    assert notes(found, "fail") == []
    assert notes(found, "warn") == []
