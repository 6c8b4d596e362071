"""What the tests of bots have in common."""

import pytest

from engine.bots import master


@pytest.fixture(autouse=True)
def _few_rollouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The strongest bot thinks less than it does in a game, in the same way."""
    monkeypatch.setattr(master, "ROLLOUTS", 60)
