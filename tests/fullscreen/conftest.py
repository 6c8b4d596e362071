"""Golden screens: plain text files that a person can read."""

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from syrupy.location import PyTestLocation


class TextScreens(SingleFileSnapshotExtension):
    """One file a screen, in ``golden/`` in a folder for each test file."""

    _write_mode = WriteMode.TEXT
    file_extension = "txt"

    @classmethod
    def dirname(cls, *, test_location: PyTestLocation) -> str:
        path = Path(test_location.filepath)
        return str(path.parent / "golden" / path.stem)


@pytest.fixture
def golden(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    """Compares with ``golden/TEST_FILE/TEST.txt``; ``golden(name=NAME)`` with ``TEST[NAME].txt``."""
    return snapshot.use_extension(TextScreens)
