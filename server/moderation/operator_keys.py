"""Who is an operator: the keys in a file, in the format of OpenSSH's ``authorized_keys``.

It is the key that this very connection has proven that counts, not the account: another key of the same
account may lie on another machine, and makes nobody an operator.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from asyncssh.public_key import decode_ssh_public_key

from server.transport.access.authorized_keys import AuthorizedKeys
from server.transport.access.policy import OPERATORS


class Operators:
    """The keys in the file for operators in ``folder``, as it is now; ``now`` is the time in seconds."""

    def __init__(self, folder: Path, now: Callable[[], float]) -> None:
        self._file: Final = AuthorizedKeys(folder / OPERATORS, now)

    def knows(self, key: bytes, address: str) -> bool:
        """Whether who has proven this key (in its wire form), and comes from ``address``, is an operator."""
        if key not in self._file:
            return False  # nearly everybody; taking their keys apart takes longer
        return self._file.knows(decode_ssh_public_key(key), address)
