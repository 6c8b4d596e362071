"""Ctrl-C while a command is still being read in."""

import signal
import subprocess
import sys

from tests.support.patience import PATIENCE

# The loader of ``click`` stands for the moment at which Ctrl-C comes.
PROGRAM = """
import os, signal, sys

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == "click":
            os.kill(os.getpid(), signal.SIGINT)

signal.signal(signal.SIGINT, {handler})
sys.meta_path.insert(0, Interrupting())
from server.cli import main
sys.argv = ["tide", "--help"]
main()
"""


def run(handler: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", PROGRAM.format(handler=handler)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def test_it_ends_without_a_word() -> None:
    done = run("signal.default_int_handler")
    assert done.returncode == -signal.SIGINT
    assert done.stdout + done.stderr == ""


def test_where_it_is_ignored_it_stays_so() -> None:
    done = run("signal.SIG_IGN")
    assert (done.returncode, done.stderr) == (0, "")
    assert "referee" in done.stdout
