"""The socket in the state directory through which ``tide admin`` reaches a running server.

One JSON object a line: an ``Action``, answered by an ``OperatorReply``. Only the user that the server runs as
and root can connect (mode 0600, in a directory of mode 0700). Where the system reports the peer's user, it is
checked as well, and named in the audit log.
"""

import asyncio
import os
import pwd
import socket
import struct
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec
import structlog

from server import Problem
from server.coordinator.messages.operator_orders import Action, OperatorReply
from server.operators.online_people import Actor
from server.operators.orders import OperatorService
from server.private_files import short_path
from server.storage.statedir import ADMIN
from server.timers import Tasks

log = structlog.get_logger("office")

LONGEST: Final = 16 * 1024
"""Bytes of a request."""
LONGEST_ANSWER: Final = 4 * 1024 * 1024
_MOST: Final = 8
"""Simultaneous connections."""
_SECONDS: Final = 30.0
"""Timeout of an idle connection."""
LET_IN: Final = frozenset({0, os.geteuid()})
"""User ids that are allowed to connect: root, and the one that the server runs as."""
_CREDENTIALS: Final = struct.Struct("3i")


class NoServer(Problem):
    """No server is listening there."""


class AdminSocket:
    """Listens for operators' orders from this machine."""

    def __init__(self, moderation: OperatorService, state: Path) -> None:
        self._moderation: Final = moderation
        self._state: Final = state
        self._server: asyncio.Server | None = None
        self._here: Final = Tasks()

    async def open(self) -> None:
        """Start listening; replaces the socket of an earlier server. Raises ``OSError``."""
        with short_path(self._state / ADMIN) as path:
            # Before the mode is set, the mode of the directory keeps others out.
            self._server = await asyncio.start_unix_server(self._came, path, limit=LONGEST)
            path.chmod(0o600)

    async def close(self) -> None:
        """Stop listening."""
        if self._server is not None:
            self._server.close()
        await self._here.end()
        with suppress(OSError):
            (self._state / ADMIN).unlink()

    def _came(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # A task that asyncio makes of a coroutine is logged as an error when ``close`` cancels it.
        self._here.spawn(self._serve(reader, writer))

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            actor = _who(writer.get_extra_info("socket"))
            if actor is None or len(self._here) > _MOST:
                return
            while line := await asyncio.wait_for(reader.readline(), _SECONDS):
                try:
                    told = await self._moderation.act(actor, understood(line))
                except msgspec.DecodeError as problem:
                    told = OperatorReply("not_understood", {"problem": str(problem)})
                writer.write(msgspec.json.encode(told) + b"\n")
                await asyncio.wait_for(writer.drain(), _SECONDS)
        except (OSError, ValueError, TimeoutError):
            return  # gone, or sends something else, too long
        finally:
            writer.close()


def understood(line: bytes) -> Action:
    """Decode a request. Raises only ``msgspec.DecodeError``."""
    try:
        action: Action = msgspec.json.decode(line, type=Action)
    except RecursionError:
        raise msgspec.DecodeError("nested too deeply") from None
    return action


def ask(state: Path, action: Action, seconds: float = _SECONDS) -> OperatorReply:
    """Send an action to the server that uses ``state`` and wait for its answer. Raises ``NoServer``."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
        line.settimeout(seconds)
        try:
            with short_path(state / ADMIN) as path:
                line.connect(str(path))
            line.sendall(msgspec.json.encode(action) + b"\n")
            with line.makefile("rb") as answers:
                answer = answers.readline(LONGEST_ANSWER)
        except (FileNotFoundError, ConnectionRefusedError, NotADirectoryError):
            raise NoServer(
                f"no server is running on {state}; start one with `tide serve`, or name its state directory "
                "with --state"
            ) from None
        except PermissionError:
            raise NoServer(
                f"the server on {state} is somebody else's: only the user it runs as, and root, may tell it "
                "what to do"
            ) from None
        except (BrokenPipeError, ConnectionResetError):
            answer = b""
        except TimeoutError:
            raise NoServer(f"the server on {state} does not answer") from None
        except OSError as problem:
            raise NoServer(f"{state / ADMIN}: {problem.strerror or problem}") from None
    if not answer.endswith(b"\n"):
        raise NoServer(f"the server on {state} has hung up without an answer")
    return msgspec.json.decode(answer, type=OperatorReply)


def _who(line: socket.socket) -> Actor | None:
    """Return the operator at the other end; ``None`` for a user who is not allowed to connect."""
    if not hasattr(socket, "SO_PEERCRED"):
        return Actor("local", "")
    found = line.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    _, user, _ = _CREDENTIALS.unpack(found)
    if user not in LET_IN:
        log.warning("not_let_in", socket=ADMIN, uid=user)
        return None
    with suppress(KeyError):
        return Actor(f"uid {user}", pwd.getpwuid(user).pw_name)
    return Actor(f"uid {user}", "")
