"""What a shell completes, and where it finds that."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from server.cli.subcommands import tide as command

FOLDER = Path(sys.executable).parent


def tide(option: str, shell: str, home: Path) -> Result:
    return CliRunner().invoke(command, [option], env={"SHELL": shell, "HOME": str(home)})


@pytest.mark.skipif(not shutil.which("bash"), reason="there is no bash here")
@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        (["pass"], ["password"]),
        (["serve", "--access", ""], ["keys", "open", "password", "word"]),
        (["arena", "ti"], ["tidal"]),
    ],
    ids=" ".join,
)
def test_bash_completes_once_it_is_installed(
    typed: list[str], offered: list[str], tmp_path: Path
) -> None:
    first, again = (tide("--install-completion", "/bin/bash", tmp_path) for _ in range(2))
    assert (first.exit_code, again.exit_code, again.stderr) == (0, 0, "")
    script = tmp_path / ".local/share/bash-completion/completions/tide"
    assert str(script) in again.stdout
    asks = f"""
        source {script}; COMP_WORDS=(tide "$@"); COMP_CWORD=$#
        _tide_completion tide; printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    found = subprocess.run(
        ["bash", "-c", asks, "bash", *typed],
        env={"PATH": f"{FOLDER}:/usr/bin:/bin"}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert found.stdout.split() == offered


@pytest.mark.parametrize(
    ("shell", "place"),
    [("/bin/zsh", ".zfunc/_tide"), ("/usr/bin/fish", ".config/fish/completions/tide.fish")],
)
def test_other_shells_find_what_is_shown(shell: str, place: str, tmp_path: Path) -> None:
    assert tide("--install-completion", shell, tmp_path).exit_code == 0
    shown = tide("--show-completion", shell, tmp_path).stdout
    assert "_TIDE_COMPLETE" in shown
    assert (tmp_path / place).read_text().split() == shown.split()


@pytest.mark.parametrize("shell", ["", "/bin/tcsh"])
def test_a_shell_that_is_not_known(shell: str, tmp_path: Path) -> None:
    for option in ("--install-completion", "--show-completion"):
        done = tide(option, shell, tmp_path)
        assert done.exit_code == 2
        assert done.stderr == "tide: the variable SHELL names none of bash, fish, zsh\n"
    assert not [*tmp_path.iterdir()]


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / ".zfunc").write_text("a file\n")
    done = tide("--install-completion", "/bin/zsh", tmp_path)
    assert done.exit_code == 1
    assert done.stderr == f"tide: {tmp_path}/.zfunc/_tide: File exists\n"
