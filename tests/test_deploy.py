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

from server.runtime.process import ORDERED
from server.settings.loading import load
from server.settings.settings import Settings, declared
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


@needs_systemd
@pytest.mark.parametrize("drop_in", ["", "port22.conf"])
def test_systemd_finds_the_service_well_shut_off(tmp_path: Path, drop_in: str) -> None:
    unit = tmp_path / "tide.service"
    text = (DEPLOY / "tide.service").read_text()
    # What it starts need not be installed here.
    unit.write_text(text.replace("/opt/tide/bin/tide", "/bin/true"))
    if drop_in:
        (tmp_path / "tide.service.d").mkdir()
        shutil.copy(DEPLOY / drop_in, tmp_path / "tide.service.d")
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


def test_a_service_stays_ended_only_when_an_operator_has_ended_it() -> None:
    assert UNIT["Restart"] == ["always"]
    assert UNIT["SuccessExitStatus"] == [str(ORDERED)]
    assert UNIT["RestartPreventExitStatus"] == [f"{ORDERED} {DAMAGED}"]
    assert f"({ORDERED} after `tide admin drain stop`; {UNKNOWN} and {DAMAGED} where" in " ".join(
        HOSTING.split()
    )


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


def test_the_image_runs_as_nobody_in_particular_and_keeps_its_things_apart() -> None:
    assert values("USER") == ["10001:10001"]
    assert json.loads(values("VOLUME")[0]) == ["/state", "/keys"]
    (made,) = values("RUN")
    assert "mkdir -m 0700 /state /keys" in made
    assert "chown 10001:10001 /state /keys" in made
    words = [word for word, _ in last_stage()]
    assert words.index("RUN") < words.index("USER") < words.index("ENTRYPOINT")


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


def test_every_block_of_the_page_for_hosts_is_one_that_hosting_check_knows() -> None:
    follow = inspect.getsource(hosting_check)
    found = list(hosting_check.blocks("hosting.md"))
    assert len(found) > 5
    for block in found:
        assert f'"{block.info}"' in follow, f"{block.line} {block.info}"
        if block.info.startswith("sh"):
            subprocess.run(["bash", "-n"], input=block.text, text=True, check=True)
            assert not re.search(r"\bsudo\b", block.text), "a minimal system has none"
