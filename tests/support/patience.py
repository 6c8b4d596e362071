"""How long tests wait for what does not happen."""

import os
import time
from collections.abc import Callable
from typing import Final

PATIENCE: Final = float(os.environ.get("TIDE_PATIENCE", "90"))
"""Seconds after which a test fails. Nothing that works comes near them, on however slow a machine."""


def eventually(happened: Callable[[], object]) -> None:
    """Wait for what another program does without telling anybody."""
    limit = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < limit, "waited in vain"
        time.sleep(0.02)
