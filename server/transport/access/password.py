"""The server word, as it is kept: hashed with scrypt, in a file that only the server's user can read."""

import base64
import hashlib
import hmac
import secrets
import unicodedata
from pathlib import Path
from typing import Final, NamedTuple

from server.private_files import draft_of, give_to_owner_of, read_with_mode
from server.problem import Problem

FILE: Final = "password"
"""In the keys directory."""
LONGEST: Final = 200
"""Characters of a word that count as one: more would be work for nothing."""

_SCHEME: Final = "scrypt"
_COST, _BLOCK, _PARALLEL = 2**14, 8, 1
_BYTES: Final = 32


class PasswordProblem(Problem):
    """The file with the password cannot be used."""


class HashedPassword(NamedTuple):
    """A word that nobody can read any more."""

    cost: int
    block: int
    parallel: int
    salt: bytes
    digest: bytes

    @property
    def id(self) -> str:
        """Tells one word from the next; says nothing about either."""
        return hashlib.sha256(b"word " + self.salt).hexdigest()[:16]

    def fits(self, word: str) -> bool:
        """Whether this is it. Takes some 60 ms and 16 MB, on purpose."""
        return hmac.compare_digest(_digest(word, self), self.digest)

    def line(self) -> str:
        """As it stands in the file."""
        salt, digest = (base64.b64encode(part).decode("ascii") for part in self[3:])
        return f"{_SCHEME}${self.cost}${self.block}${self.parallel}${salt}${digest}\n"


def hashed(word: str) -> HashedPassword:
    """``word`` with a salt of its own."""
    blank = HashedPassword(_COST, _BLOCK, _PARALLEL, secrets.token_bytes(16), b"")
    return blank._replace(digest=_digest(word, blank))


def plain(word: str) -> str:
    """A word as it counts: however a keyboard has put its accents together, without blanks around it."""
    return unicodedata.normalize("NFKC", word[: 4 * LONGEST]).strip()[:LONGEST]


def write(path: Path, word: str) -> None:
    """Keep ``word`` in place of any other. Raises ``OSError``."""
    with draft_of(path, hashed(word).line().encode("ascii")) as draft:
        give_to_owner_of(path.parent, draft)
        draft.replace(path)


def read(path: Path) -> HashedPassword | None:
    """The word that is kept there; ``None`` when there is none. Raises ``PasswordProblem``."""
    try:
        text, mode = read_with_mode(path, 1024)
    except FileNotFoundError:
        return None
    except OSError as problem:
        raise PasswordProblem(f"{path}: {problem.strerror or problem}") from None
    if mode & 0o077:
        raise PasswordProblem(f"{path}: others can read it; put it right with: chmod 600 {path}")
    try:
        scheme, *costs, salt, digest = text.decode("ascii").strip().split("$")
        cost, block, parallel = map(int, costs)
        kept = (base64.b64decode(part, validate=True) for part in (salt, digest))
        found = HashedPassword(cost, block, parallel, *kept)
    except ValueError:
        scheme, found = "", HashedPassword(0, 0, 0, b"", b"")
    # What costs more than this would be a way to stop the server.
    cheap = 1 < found.cost <= 2**17 and 0 < found.block <= 16 and 0 < found.parallel <= 4
    if scheme != _SCHEME or not cheap or len(found.digest) != _BYTES:
        raise PasswordProblem(f"{path}: holds no password; set one with: tide password")
    return found


def _digest(word: str, how: HashedPassword) -> bytes:
    return hashlib.scrypt(
        plain(word).encode("utf-8", "replace"),
        salt=how.salt,
        n=how.cost,
        r=how.block,
        p=how.parallel,
        maxmem=256 * how.cost * how.block,
        dklen=_BYTES,
    )
