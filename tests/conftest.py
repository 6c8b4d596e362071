"""What all tests share."""

from collections.abc import Iterator

import pytest
import structlog
from hypothesis import settings

# No test may depend on the speed of the machine; everything else stays as it is (also under CI).
settings.register_profile("tide", settings.default, deadline=None)
# `make check` asks for this one: what takes long to find is found by `make test`.
settings.register_profile("quick", settings.default, deadline=None, max_examples=20)
settings.load_profile("tide")


@pytest.fixture(autouse=True)
def _logs_as_they_were() -> Iterator[None]:
    """Commands run within a test set up the logs of the whole process, and what is logged at all."""
    yield
    structlog.reset_defaults()
