"""The package as others install it: built, put into an environment of its own, and run from there."""

import os
import re
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from tests.support.servers import Server
from tests.support.windows import Window

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parent.parent
VERSIONED = {".py", ".po", ".sql", ".json", ".toml", ".txt", ".typed", ".npz"}

pytest.importorskip("hatchling", reason="without what builds it (requirements/build.txt)")


def build(place: Path) -> Path:
    """A wheel of this checkout, made without a network."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(place)],
        cwd=ROOT,
        check=True,
        capture_output=True,
        env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"},
    )
    (wheel,) = place.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("dist"))


@pytest.fixture
def installed(wheel: Path, tmp_path: Path) -> Path:
    """The `tide` of an environment with the wheel; what it needs is lent from ours, but not our checkout."""
    place = tmp_path / "venv"
    venv.create(place, with_pip=False)
    python = str(place / "bin" / "python")
    pip = [sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "-q", "--no-deps", "--no-index", str(wheel)], check=True)
    (packages,) = place.glob("lib/python*/site-packages")
    # Of a directory that is named like this, no further .pth files are read: ours names the checkout.
    (packages / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return place / "bin" / "tide"


def test_everything_is_in_it(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for package in ("engine", "server"):
        files = {
            str(path.relative_to(ROOT))
            for path in (ROOT / package).rglob("*")
            if path.suffix in VERSIONED and "__pycache__" not in path.parts
        }
        assert files <= names
    strangers = {name.split("/")[0] for name in names} - {"engine", "server"}
    assert [re.sub(r"-.*\.", "-.", name) for name in strangers] == ["turn_the_tide-.dist-info"]


def test_the_same_source_makes_the_same_bytes(wheel: Path, tmp_path: Path) -> None:
    assert build(tmp_path).read_bytes() == wheel.read_bytes()


def test_it_serves_from_the_users_own_directories(installed: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    environ = {
        "HOME": str(home),
        "XDG_STATE_HOME": "",
        "XDG_DATA_HOME": "",
        "TIDE_STATE": "",
        "TIDE_KEYS": "",
        "PYTHONPATH": "",
        "LC_ALL": "de_DE.UTF-8",
    }
    with Server(tmp_path, command=(installed, "serve"), **environ) as server:
        assert server.stop() == 0
    files = {str(path.relative_to(home)) for path in home.rglob("*") if path.is_file()}
    assert ".local/share/turn-the-tide/keys/ssh_host_ed25519_key" in files
    assert ".local/state/turn-the-tide/tide.db" in files
    where = [str(installed.with_name("python")), "-c", "import server; print(server.__file__)"]
    said = subprocess.run(where, cwd=tmp_path, check=True, capture_output=True, text=True)
    assert said.stdout.startswith(str(installed.parents[1]))
    # The catalogues have come along.
    game = [str(installed), "referee", str(ROOT / "docs" / "short-game.json")]
    with Window(game, cwd=tmp_path, env=environ, rows=200) as window:
        assert window.wait_for_end() == 0
        assert "Durchgang 1" in window.text
