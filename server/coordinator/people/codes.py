"""Codes that let somebody without a key back in, or add a key to an account."""

import hashlib
import secrets
from typing import Final

LETTERS: Final = "23456789bcdfghjkmnpqrstvwxyz"
LENGTH: Final = 12
GROUP: Final = 4
"""Of codes that let somebody without a key back in, or add a key to an account: 57 bits; no vowels, so that
a code is never a word nor a table's code, and nothing that is easily misread."""


def new_code() -> str:
    """A code as it is shown: ``k7m2-p9xq-3dhw``."""
    code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
    return "-".join(code[start : start + GROUP] for start in range(0, LENGTH, GROUP))


def plain_code(typed: str) -> str:
    """A code without what people put between its groups; empty when ``typed`` cannot be one."""
    code = "".join(char for char in typed.lower() if char not in "- _.")
    return code if len(code) == LENGTH and set(code) <= set(LETTERS) else ""


def digest(code: str) -> str:
    """What is kept of a code. With 57 bits of chance in it, a plain hash cannot be turned around."""
    return hashlib.sha256(f"rejoin {plain_code(code)}".encode("ascii")).hexdigest()
