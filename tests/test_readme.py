"""The documents tell the truth: their commands are run, their pictures looked at.

A fenced block that begins with ```` ```sh run ```` must simply succeed; ``sh serve`` starts a server,
``sh join`` is typed in another terminal meanwhile, ``sh play`` fills a terminal of its own.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from docs import settings
from server.settings.settings import declared
from tests.support.patience import PATIENCE
from tests.support.servers import SSH, Server
from tests.support.windows import Window

pytestmark = pytest.mark.slow

SVG = "{http://www.w3.org/2000/svg}"
ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text()

needs_ssh = pytest.mark.skipif(not shutil.which("ssh"), reason="there is no ssh here")
needs_venv = pytest.mark.skipif(
    Path(sys.prefix) != ROOT / ".venv", reason="make would make another environment"
)


def blocks(kind: str) -> list[str]:
    """The commands of one kind, in order."""
    found = re.findall(rf"^```sh {kind}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    assert found, f"no block is marked {kind}"
    return [str(block) for block in found]


@needs_venv
@pytest.mark.parametrize("block", blocks("run"))
def test_commands_succeed(block: str) -> None:
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout


@needs_ssh
@needs_venv
def test_serve_and_join(tmp_path: Path) -> None:
    (serve,) = blocks("serve")
    command = ("make", "-C", str(ROOT), *serve.split()[1:])
    with Server(tmp_path, command=command, HOME=str(tmp_path)) as server:
        # The commands as they stand there, but to our port and with nothing of the user's.
        wrapper = tmp_path / "bin" / "ssh"
        wrapper.parent.mkdir()
        wrapper.write_text(f'#!/bin/sh\nexec {shlex.join(SSH)} "$@"\n')
        wrapper.chmod(0o755)
        path = f"{wrapper.parent}{os.pathsep}{os.environ['PATH']}"
        for join in blocks("join"):
            if not shutil.which(join.split()[0]):
                continue
            typed = join.replace("2222", str(server.ssh_port))
            typed = typed.replace("2323", str(server.telnet_port))
            assert typed != join
            with Window(["bash", "-c", typed], env={**server.environ, "PATH": path}) as window:
                if "telnet" in join:
                    window.wait_for("Your name")
                    window.press("ada\r")
                window.wait_for("T U R N", "Enter learn")
                window.press("b")
                window.wait_for("tides", "your hand", "Enter bid")
        assert not [line for line in server.events if line["level"] == "error"]
    assert (tmp_path / "state").is_dir()


@needs_venv
def test_play(tmp_path: Path) -> None:
    (play,) = blocks("play")
    environ = {"ARGS": "", "MAKEFLAGS": "", "MAKELEVEL": "", "HOME": str(tmp_path)}
    with Window(["bash", "-c", play], cwd=ROOT, env=environ) as window:
        window.wait_for("tides", "your hand", "Enter bid")
        assert "Traceback" not in window.text


def test_the_tables_of_settings_are_those_of_the_code() -> None:
    page = settings.PAGE.read_text()
    assert page == settings.written(page), "make settings"
    assert page.count("\n| `") == len(declared())


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("title", "T U R N   T H E   T I D E"),
        ("table", "your hand"),
        ("stage", "Stage 1 of 4 is over"),
        ("standings", "Final standings"),
    ],
)
def test_pictures_are_screens_of_which_the_text_is_text(name: str, words: str) -> None:
    picture = ElementTree.parse(ROOT / "docs" / "screens" / f"{name}.svg").getroot()
    assert (picture.get("width"), picture.get("height")) == ("700", "460"), "80 by 24"
    written = " ".join("".join(one.itertext()) for one in picture.iter(f"{SVG}text"))
    assert words in written.replace("\N{NO-BREAK SPACE}", " ")
    assert len({one.get("fill") for one in picture.iter()}) > 4
