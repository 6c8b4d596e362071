"""What others start the server with: the systemd unit, the image, the settings they come with.

Tests need no network, so the image is not built here. Its file is held to what it promises.
"""

import inspect
import json
import re
import shutil
import subprocess
from fnmatch import fnmatch
from pathlib import Path

import pytest

from server.cli.subcommands import COMMANDS
from server.runtime.process import ORDERED
from server.settings.loading import load
from server.settings.settings import PREFIX, Settings, declared
from server.storage.databases.database import DAMAGED, UNKNOWN
from tests import hosting_check

ROOT = Path(__file__).resolve().parent.parent
DEPLOY = ROOT / "deploy"
HOSTING = (ROOT / "docs" / "hosting.md").read_text()

MOST_EXPOSED = 2.0
"""On systemd's scale from 0 to 10."""

needs_systemd = pytest.mark.skipif(
    not shutil.which("systemd-analyze"), reason="there is no systemd-analyze here"
)


def options(text: str) -> dict[str, list[str]]:
    """The options of a unit file, with all their values."""
    found: dict[str, list[str]] = {}
    for name, value in re.findall(r"^(\w+)=(.*)$", text, re.MULTILINE):
        found.setdefault(name, []).append(value)
    return found


UNIT = options((DEPLOY / "tide.service").read_text())
PORT22 = options((DEPLOY / "port22.conf").read_text())


def environment(unit: dict[str, list[str]]) -> dict[str, str]:
    return dict(part.split("=", 1) for line in unit["Environment"] for part in line.split())


@needs_systemd
@pytest.mark.parametrize(
    ("name", "folder", "drop_in"),
    [
        ("tide.service", "tide.service.d", None),
        ("tide.service", "tide.service.d", "port22.conf"),
    ],
)
def test_systemd_finds_the_service_well_shut_off(
    tmp_path: Path, name: str, folder: str, drop_in: str | None
) -> None:
    unit = tmp_path / name
    text = (DEPLOY / "tide.service").read_text()
    # What it starts need not be installed here.
    unit.write_text(text.replace("/opt/tide/bin/tide", "/bin/true"))
    if drop_in:
        (tmp_path / folder).mkdir()
        shutil.copy(DEPLOY / drop_in, tmp_path / folder)
    verified = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(unit)],
        capture_output=True,
        text=True,
        check=False,
    )
    complaints = [line for line in verified.stderr.splitlines() if "tide" in line]
    assert complaints == []
    judged = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--no-pager", str(unit)],
        capture_output=True,
        text=True,
        check=True,
    )
    level = re.search(r"Overall exposure level for \S+: ([0-9.]+)", judged.stdout)
    assert level
    assert float(level[1]) <= MOST_EXPOSED


@pytest.mark.parametrize("unit", [UNIT, PORT22])
def test_the_service_sets_what_there_is_to_set(unit: dict[str, list[str]]) -> None:
    for name in environment(unit):
        if name.startswith(PREFIX) and name != f"{PREFIX}CONFIG":
            assert name.removeprefix(PREFIX).lower() in Settings.__struct_fields__


def test_the_service_has_time_to_say_goodbye() -> None:
    assert int(UNIT["TimeoutStopSec"][0]) > Settings().stop_seconds
    assert "HUP" in UNIT["ExecReload"][0]
    assert "KillSignal" not in UNIT, "SIGTERM is what leaves players time"


def test_the_service_and_the_container_take_no_more_than_the_machine_has_to_spare() -> None:
    """Alike in both; there are descriptors for all players that may come in, and those who wait."""
    assert UNIT["MemoryMax"] == ["2G"]
    assert UNIT["MemoryHigh"] == ["1536M"]
    assert UNIT["TasksMax"] == ["64"]
    limits = Settings().limits
    assert int(UNIT["LimitNOFILE"][0]) > 2 * (limits.sessions + limits.waiting)
    compose = (DEPLOY / "compose.yaml").read_text()
    assert "mem_limit: 2g" in compose
    assert f"pids_limit: {UNIT['TasksMax'][0]}" in compose
    assert f"nofile: {UNIT['LimitNOFILE'][0]}" in compose


def test_the_service_keeps_its_things_where_systemd_makes_room() -> None:
    set_to = environment(UNIT)
    below = [f"/var/lib/{name}" for name in UNIT["StateDirectory"][0].split()]
    assert [set_to["TIDE_STATE"], set_to["TIDE_KEYS"]] == below
    assert set_to["TIDE_CONFIG"].startswith(f"/etc/{UNIT['ConfigurationDirectory'][0]}/")
    assert UNIT["User"] != ["root"]
    assert UNIT["UMask"] == ["0077"]


def test_a_service_stays_ended_only_when_an_operator_has_ended_it() -> None:
    assert UNIT["Restart"] == ["always"]
    assert UNIT["SuccessExitStatus"] == [str(ORDERED)]
    assert UNIT["RestartPreventExitStatus"] == [f"{ORDERED} {DAMAGED}"]
    assert f"({ORDERED} after `tide admin drain stop`; {UNKNOWN} and {DAMAGED} where" in " ".join(
        HOSTING.split()
    )


def test_only_the_low_port_takes_a_right() -> None:
    assert UNIT["CapabilityBoundingSet"] == UNIT["AmbientCapabilities"] == [""]
    assert PORT22["CapabilityBoundingSet"] == ["CAP_NET_BIND_SERVICE"]
    assert PORT22["AmbientCapabilities"] == ["CAP_NET_BIND_SERVICE"]


def test_the_settings_that_come_along_can_be_used(tmp_path: Path) -> None:
    file = DEPLOY / "tide.toml"
    given = load({"state": str(tmp_path)}, {}, file)
    assert given.metrics_port
    (access,) = re.findall("Who may come in: (.*)", file.read_text())
    assert set(re.findall(r'"(\w+)"', access)) == {*declared()["access"].choices}
    # And so can those that only stand there as examples.
    everything = tmp_path / "all.toml"
    everything.write_text(re.sub(r"(?m)^#(?=\w+ = )", "", file.read_text()))
    assert load({"state": str(tmp_path)}, {}, everything).telnet is False


# ------------------------------------------------------------------------------------------ the image

CONTAINERFILE = (ROOT / "Containerfile").read_text()


def steps() -> list[tuple[str, str]]:
    """The instructions of the Containerfile, continued lines in one."""
    lines = [line for line in CONTAINERFILE.splitlines() if not line.startswith("#")]
    text = "\n".join(lines).replace("\\\n", " ")
    return [
        (word, " ".join(rest.split()))
        for word, _, rest in (line.partition(" ") for line in text.splitlines() if line.strip())
    ]


def last_stage() -> list[tuple[str, str]]:
    found = steps()
    begins = max(number for number, (word, _) in enumerate(found) if word == "FROM")
    return found[begins:]


def values(word: str) -> list[str]:
    return [rest for name, rest in last_stage() if name == word]


def test_the_image_has_a_base_that_is_named_exactly() -> None:
    base = next(rest for word, rest in steps() if word == "ARG")
    assert re.fullmatch(r"BASE=python:3\.\d+-slim-[a-z]+", base)
    assert {rest.split()[0] for word, rest in steps() if word == "FROM"} == {"${BASE}"}
    assert "://" not in re.sub(r"http://127\.0\.0\.1:\d+", "", CONTAINERFILE)


def test_the_image_runs_as_nobody_in_particular_and_keeps_its_things_apart() -> None:
    assert values("USER") == ["10001:10001"]
    assert json.loads(values("VOLUME")[0]) == ["/state", "/keys"]
    (made,) = values("RUN")
    assert "mkdir -m 0700 /state /keys" in made
    assert "chown 10001:10001 /state /keys" in made
    words = [word for word, _ in last_stage()]
    assert words.index("RUN") < words.index("USER") < words.index("ENTRYPOINT")


def test_the_image_starts_the_server_itself_and_stops_it_politely() -> None:
    # In exec form, so that signals reach the server and not a shell.
    assert json.loads(values("ENTRYPOINT")[0]) == ["/opt/tide/bin/tide"]
    assert json.loads(values("CMD")[0]) == ["serve"]
    assert "serve" in COMMANDS
    assert values("STOPSIGNAL") == ["SIGTERM"]


def test_the_image_looks_after_its_health() -> None:
    (check,) = values("HEALTHCHECK")
    command = json.loads(check[check.index("CMD ") + 4 :])
    assert command[0] == "/opt/tide/bin/python"
    compile(command[2], "healthcheck", "exec")
    (environ,) = values("ENV")
    port = re.search(r"TIDE_METRICS_PORT=(\d+)", environ)
    assert port
    assert f"127.0.0.1:{port[1]}/healthz" in command[2]


def test_the_image_sets_what_there_is_to_set(tmp_path: Path) -> None:
    (environ,) = values("ENV")
    given = dict(part.split("=", 1) for part in environ.split())
    settings = load({}, given)
    assert (settings.host, str(settings.state), str(settings.keys)) == ("*", "/state", "/keys")
    ports = {str(settings.ssh_port), str(settings.telnet_port)}
    assert set(values("EXPOSE")[0].split()) == ports
    # A read-only root: nothing is written beside the code.
    assert given["PYTHONDONTWRITEBYTECODE"] == "1"


def test_what_the_image_installs_is_vouched_for() -> None:
    runs = [rest for word, rest in steps() if word == "RUN"]
    installs = [part for run in runs for part in run.split("&&") if "pip install" in part]
    assert len(installs) == 3
    for part in installs:
        assert "--no-deps" in part
        assert ("--require-hashes" in part) != ("--no-index" in part)
    for run in runs[1:]:  # of both stages: what was copied from the first, and the base itself
        assert "pip uninstall -q -y pip" in run, "no Python in the image can install anything"
    assert "rmtree(ensurepip" in runs[-1]


def test_an_image_for_postgresql_has_what_it_needs_besides() -> None:
    assert "PACKAGES=run" in [rest for word, rest in steps() if word == "ARG"]
    assert "requirements/${PACKAGES}.txt" in CONTAINERFILE
    installed = (ROOT / "requirements" / "postgres.txt").read_text()
    assert re.search(r"(?m)^psycopg==", installed)
    assert "requirements/postgres.txt" in CONTAINERFILE


def test_only_what_the_image_needs_is_sent_to_its_builder() -> None:
    rules = [
        line
        for line in (ROOT / ".dockerignore").read_text().splitlines()
        if line and not line.startswith("#")
    ]
    assert rules[0] == "*"
    let_in = [rule[1:] for rule in rules if rule.startswith("!")]
    copied = [
        name
        for word, rest in steps()
        if word == "COPY" and "--from" not in rest
        for name in rest.split()[:-1]
    ]
    for name in copied:
        assert (ROOT / name).exists()
        assert any(fnmatch(name, rule) for rule in let_in), name
    for secret in ("keys", "state", ".git", ".venv", "tide.toml", "dist"):
        assert not any(fnmatch(secret, rule) for rule in let_in)
    assert not re.search(r"(?i)password|secret|token|private", CONTAINERFILE)


def test_compose_runs_it_as_the_image_wants() -> None:
    text = (DEPLOY / "compose.yaml").read_text()
    for wanted in ("read_only: true", "cap_drop: [ALL]", "no-new-privileges:true", "tmpfs: [/tmp]"):
        assert wanted in text
    grace = re.search(r"stop_grace_period: (\d+)s", text)
    assert grace
    assert int(grace[1]) > Settings().stop_seconds
    for port in values("EXPOSE")[0].split():
        assert f'"{port}:{port}"' in text
    for volume in json.loads(values("VOLUME")[0]):
        assert f":{volume}\n" in text


def test_compose_invites_nobody_to_localhost_and_needs_no_root() -> None:
    text = (DEPLOY / "compose.yaml").read_text()
    assert re.findall(r"TIDE_PUBLIC_ADDRESS: (.*)", text) == ["${TIDE_PUBLIC_ADDRESS:-}"]
    assert "container=" in values("ENV")[0], "an address of the container would be no better"
    assert not re.search(r"chown|sudo|^secrets:", text, re.MULTILINE)


def test_every_block_of_the_page_for_hosts_is_one_that_hosting_check_knows() -> None:
    follow = inspect.getsource(hosting_check)
    found = list(hosting_check.blocks("hosting.md"))
    assert len(found) > 5
    for block in found:
        assert f'"{block.info}"' in follow, f"{block.line} {block.info}"
        if block.info.startswith("sh"):
            subprocess.run(["bash", "-n"], input=block.text, text=True, check=True)
            assert not re.search(r"\bsudo\b", block.text), "a minimal system has none"
