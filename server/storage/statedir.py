"""The state directory: for this user alone, and for one server at a time."""

import fcntl
import os
import stat
from pathlib import Path
from typing import Final

from server.storage.database import CannotOpen

LOCK: Final = "lock"
"""The file in it that says which process uses the directory. Both are locked: anybody may delete the file."""

ADMIN: Final = "admin.sock"
"""The socket in it through which a running server takes orders (``tide admin``)."""

_OURS: Final = frozenset(
    {LOCK, ADMIN, "tide.toml", "lost+found", "address.key"}
    | {
        f"tide.db{end}"
        for end in ("", "-wal", "-shm", "-journal", "-written", ".new", ".new-journal")
    }
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
        foreign = sorted(
            path.name
            for path in state.iterdir()
            if path.name not in _OURS and not path.name.startswith("tide-version")
        )
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
        self._held: list[int] = []
        try:
            for opened in ((state, os.O_RDONLY | os.O_CLOEXEC), (path, flags)):
                self._held.append(os.open(*opened, 0o600))
                fcntl.flock(self._held[-1], fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.release()
            raise CannotOpen(
                f"A server is already using {state} ({_holder(path)}). Stop it first, or give this one a "
                "state directory of its own with --state."
            ) from None
        except OSError as error:
            self.release()
            raise CannotOpen(
                f"{path} cannot be opened: {error.strerror}. Choose another state directory with --state."
            ) from None
        os.ftruncate(self._held[-1], 0)
        os.pwrite(self._held[-1], f"{os.getpid()}\n".encode("ascii"), 0)

    def release(self) -> None:
        """Give it back."""
        while self._held:
            os.close(self._held.pop())


def _holder(lock: Path) -> str:
    try:
        holder = lock.read_text("ascii").strip()
    except (OSError, ValueError):
        holder = ""
    return f"process {holder}" if holder.isdigit() else "another process"
