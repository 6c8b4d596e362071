"""What ``tide`` says about itself, and about what it cannot understand."""

import shlex

import pytest
from click.testing import CliRunner, Result
from syrupy.assertion import SnapshotAssertion

from server import version
from server.cli.subcommands import tide as command
from tests.support.command_line import every_command

HEADINGS = ("Play", "Host", "Operate", "Finished games")


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
    ["serve", "--lan=yes"],
    ["serve", "--door", "ajar"],
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
    ["tournament", "open", "Cup", "--rounds", "0"],
    ["tournament", "open", "Cup", "--bots", "nobody"],
]


def tide(*arguments: str, locale: str = "C") -> Result:
    env = {"COLUMNS": "80", "LC_ALL": locale}
    return CliRunner().invoke(command, arguments, env=env)


@pytest.mark.parametrize("path", EVERY, ids=" ".join)
def test_every_command_has_readable_help(path: tuple[str, ...]) -> None:
    told = tide(*path, "-h")
    assert told.exit_code == 0
    assert told.output == tide(*path, "--help").output
    for ugly in ("{", "<", "..]", "[[", " range"):
        assert ugly not in told.output
    for line in told.output.splitlines():
        assert len(line) <= 80
        assert not line.endswith("...") or line.startswith("Usage: "), line


def test_help_pages(golden: SnapshotAssertion) -> None:
    pages = (
        f"$ {shlex.join(['tide', *path, '--help'])}\n{tide(*path, '--help').output}"
        for path in EVERY
    )
    assert "\n".join(pages) == golden


def test_wrong_calls(golden: SnapshotAssertion) -> None:
    """What is said of each on standard error, and the exit status."""
    said = []
    for typed in WRONG:
        told = tide(*typed)
        assert told.stdout == ""
        call = shlex.join(["tide", *typed]).encode("unicode_escape").decode()
        said.append(f"$ {call}\n{told.stderr}[{told.exit_code}]\n")
    assert "\n".join(said) == golden


def test_commands_stand_in_groups() -> None:
    told = tide("--help").output
    places = [told.index(f"\n{heading}:\n") for heading in HEADINGS]
    assert places == sorted(places)
    assert "\n  password " in told
    assert "\n  word " not in told, "an older spelling"
    assert tide("word", "--help").exit_code == 0


def test_the_version_is_told() -> None:
    assert tide("--version").output == f"tide {version()}\n"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["xyzzy"], "tide: No such command 'xyzzy' (see tide --help)"),
        (["recods"], "tide: No such command 'recods'. Did you mean 'records'? (see tide --help)"),
        (
            ["serve", "--prt"],
            "tide: No such option '--prt'. Did you mean '--ssh-port'? (see tide serve --help)",
        ),
        (["arena"], "tide: Missing argument 'BOT...' (see tide arena --help)"),
        (["play", "--edition", "x"], "tide: Invalid value for '--edition'"),
        (["serve", "--ssh-port", "x"], "tide: command line: --ssh-port: must be a whole number"),
        (
            ["serve", "--limits-keys", "0"],
            "tide: command line: --limits-keys: must be a whole number from 1",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_is_wrong_is_one_line(typed: list[str], said: str) -> None:
    told = tide(*typed)
    assert told.exit_code == 2
    assert told.stdout == ""
    assert told.stderr.startswith(said)
    assert told.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("ply", "Einen Befehl „ply“ gibt es nicht. (Meintest du: 'play', 'replay'?)"),
        ("play --playrs 3", "Eine Option „--playrs“ gibt es nicht. Meintest du „--players“?"),
        ("play --players", "Die Option „--players“ braucht einen Wert"),
        ("join --list=x", "Die Option „--list“ nimmt keinen Wert"),
        ("play x", "Eine Angabe ist zu viel: x"),
        ("replay 1 2 3", "Diese Angaben sind zu viel: 2 3"),
        ("replay", "Es fehlt „FILE|ID“"),
        ("records prune", "Es fehlt die Option „--older“"),
        ("play --edition x", "Der Wert für '--edition' stimmt nicht: „x“ ist keines von 'amigo', "),
        ("review --seat 7 1", "Der Wert für '--seat' stimmt nicht: muss eine ganze Zahl von 1 bis"),
        ("join --wait 0", "Der Wert für '--wait' stimmt nicht: muss eine Zahl von 0.1 bis 60 sein"),
        ("arena tidal --games 0", "Der Wert für '--games' stimmt nicht: muss eine ganze Zahl ab 1"),
    ],
)
def test_what_is_wrong_is_said_in_the_language_of_whoever_typed_it(typed: str, said: str) -> None:
    told = tide(*typed.split(), locale="de_DE.UTF-8")
    assert told.exit_code == 2
    assert told.stderr.startswith(f"tide: {said}")
    see = "" if "braucht" in said or "nimmt" in said else " --help)"
    assert told.stderr.rstrip("\n").endswith(see)
