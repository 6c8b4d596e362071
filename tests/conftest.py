"""What all tests share."""

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog
from hypothesis import settings
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from syrupy.location import PyTestLocation

from tests.support import through_frames

# No test may depend on the speed of the machine; everything else stays as it is (also under CI).
settings.register_profile("tide", settings.default, deadline=None)
# `make check` asks for this one: what takes long to find is found by `make test`.
settings.register_profile("quick", settings.default, deadline=None, max_examples=20)
settings.load_profile("tide")


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--through-frames``: see ``tests.support.through_frames``."""
    parser.addoption("--through-frames", action="store_true", help="visits go over a link")


def pytest_configure(config: pytest.Config) -> None:
    """Take the option over."""
    through_frames.SWITCH["on"] = config.getoption("--through-frames")


def pytest_xdist_auto_num_workers() -> int:
    """Two a core: tests wait for processes and sockets more than half of the time."""
    return 2 * (os.cpu_count() or 1)


def pytest_collection_finish() -> None:
    """What has been imported stays: no search for garbage looks at it again."""
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest tests first: at the end, all but one worker would wait for them."""
    if through_frames.SWITCH["on"]:
        # Of what all share, a link makes an object for each frame.
        shared = pytest.mark.skip(
            reason="of one process: shared objects, or turns of its event loop"
        )
        for item in items:
            if item.get_closest_marker("direct"):
                item.add_marker(shared)
    items.sort(key=lambda item: "e2e" not in item.path.parts)


@pytest.fixture(autouse=True)
def _logs_as_they_were() -> Iterator[None]:
    """Commands run within a test set up the logs of the whole process, and what is logged at all."""
    yield
    structlog.reset_defaults()


class _TextFiles(SingleFileSnapshotExtension):
    """One file a text that a person can read, in ``golden/`` in a folder for each test file."""

    _write_mode = WriteMode.TEXT
    file_extension = "txt"

    @classmethod
    def dirname(cls, *, test_location: PyTestLocation) -> str:
        path = Path(test_location.filepath)
        return str(path.parent / "golden" / path.stem)


@pytest.fixture
def golden(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    """Compares with ``golden/TEST_FILE/TEST.txt``; ``golden(name=NAME)`` with ``TEST[NAME].txt``."""
    return snapshot.use_extension(_TextFiles)
