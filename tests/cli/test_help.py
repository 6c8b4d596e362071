"""What ``tide`` says about itself, and about what it cannot understand."""

import shlex

from click.testing import CliRunner, Result
from syrupy.assertion import SnapshotAssertion

from server import version
from server.cli.commands import tide as command
from tests.support.command_line import every_command

EVERY = [path for path, _ in every_command()]

WRONG = [
    [],
    ["xyzzy"],
    ["\x1b]0;owned\x07plya"],
    ["--prt"],
    ["config"],
    ["config", "shwo"],
    ["config", "check", "tide.toml"],
    ["serve", "--prt", "2222"],
    ["serve", "--ssh-port"],
    ["serve", "--ssh-port", "x"],
    ["serve", "--limits-channels", "0"],
    ["serve", "--lan=yes"],
    ["serve", "--access", "ajar"],
    ["play", "--edition", "bgg"],
    ["play", "--players", "9"],
    ["play", "--players", "four"],
    ["arena"],
    ["arena", "tidal", "--games", "0"],
    ["join", "--wait", "soon"],
    ["keys", "show", "--ssh-port", "70000"],
    ["records", "show", "first"],
    ["records", "list", "-n", "0"],
    ["records", "prune"],
    ["replay", "1", "2"],
    ["replay", "nothing.json"],
    ["tournament", "open", "Cup", "--rounds", "0"],
    ["tournament", "open", "Cup", "--bots", "nobody"],
]


def tide(*arguments: str, locale: str = "C") -> Result:
    env = {"COLUMNS": "80", "LC_ALL": locale}
    return CliRunner().invoke(command, arguments, env=env)


def test_help_pages(golden: SnapshotAssertion) -> None:
    pages = {path: tide(*path, "--help").output for path in EVERY}
    said = (f"$ {shlex.join(['tide', *path, '--help'])}\n{page}" for path, page in pages.items())
    assert "\n".join(said) == golden
    for page in pages.values():
        assert "{" not in page
        for line in page.splitlines():
            assert len(line) <= 80
            assert not line.endswith("...") or line.startswith("Usage: "), line
    assert tide("-h").output == pages[()]


def test_wrong_calls(golden: SnapshotAssertion) -> None:
    """What is said of each on standard error, and the exit status."""
    said = []
    for typed in WRONG:
        told = tide(*typed)
        assert told.stdout == ""
        call = shlex.join(["tide", *typed]).encode("unicode_escape").decode()
        said.append(f"$ {call}\n{told.stderr}[{told.exit_code}]\n")
    assert "\n".join(said) == golden


def test_the_version_is_told() -> None:
    assert tide("--version").output == f"tide {version()}\n"


def test_wrong_usage_is_told_in_english_as_by_every_tool() -> None:
    told = [tide("play", "--players", "9", locale=each).stderr for each in ("C", "de_DE.UTF-8")]
    assert told[0] == told[1]
