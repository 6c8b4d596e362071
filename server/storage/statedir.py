"""The state directory: for this user alone, and for one server at a time."""

import fcntl
import os
import stat
from pathlib import Path
from typing import Final

from server.storage.database import CannotOpen

LOCK: Final = "lock"
"""The file in it that a running server holds locked; it contains the server's process id."""

ADMIN: Final = "admin.sock"
"""The socket in it through which a running server takes orders (``tide admin``)."""

_OURS: Final = frozenset(
    {LOCK, ADMIN, "tide.db", "tide.db-wal", "tide.db-shm", "tide.toml", "lost+found", "address.key"}
)
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


def make_private(state: Path) -> None:
    """Create the directory with mode 0700, or make it so. Raises ``CannotOpen``.

    A directory that holds other things is not touched: somebody may have typed ``--state /tmp``.
    """
    try:
        state.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not stat.S_IMODE(state.stat().st_mode) & _OTHERS:
            return
        foreign = sorted(path.name for path in state.iterdir() if path.name not in _OURS)
        if not foreign:
            state.chmod(0o700)
            return
    except OSError as error:
        raise CannotOpen(
            f"The state directory {state} cannot be used: {error.strerror}. Choose another one with --state."
        ) from None
    raise CannotOpen(
        f"The state directory {state} can be read by others and holds other files ({foreign[0]}). It "
        f"keeps hidden hands: choose an empty one with --state, or run `chmod 700 {state}` if it is this "
        "server's own."
    )


class Lock:
    """Held by the one server that uses a state directory, until it ends, however it ends."""

    def __init__(self, state: Path) -> None:
        """Take it. Raises ``CannotOpen`` when another process has it."""
        path = state / LOCK
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        try:
            self._descriptor = os.open(path, flags, 0o600)
        except OSError as error:
            raise CannotOpen(
                f"{path} cannot be opened: {error.strerror}. Choose another state directory with --state."
            ) from None
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            holder = os.read(self._descriptor, 32).decode("ascii", "replace").strip()
            os.close(self._descriptor)
            who = f"process {holder}" if holder.isdigit() else "another process"
            raise CannotOpen(
                f"A server is already using {state} ({who}). Stop it first, or give this one a state "
                "directory of its own with --state."
            ) from None
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, f"{os.getpid()}\n".encode("ascii"), 0)

    def release(self) -> None:
        """Give it back."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
