"""A disk that fails (``faulty_disk.c``)."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).with_name("faulty_disk.c")


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if not sys.platform.startswith("linux") or compiler is None:
        pytest.skip("needs Linux and a C compiler")
    made = tmp_path_factory.mktemp("shim") / "faulty_disk.so"
    command = [compiler, "-shared", "-fPIC", "-o", str(made), str(SOURCE), "-ldl", "-lpthread"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"the C compiler does not work here: {done.stderr.strip()[-200:]}")
    return made


@pytest.fixture
def faulty(shim: Path, tmp_path: Path) -> dict[str, str]:
    """The environment of a process whose disk, ``state``, can be made to fail in ``image``."""
    state, image = tmp_path / "state", tmp_path / "image"
    image.mkdir()
    return {"LD_PRELOAD": str(shim), "FAULTY_DISK": str(state), "FAULTY_IMAGE": str(image)}
