"""Doors on another machine than the coordinator's, played by two state directories and a database."""

import json
import os
import signal
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.e2e.houses import COORDINATOR, free_port, processes, serving
from tests.support.certificates import make, put
from tests.support.postgres import shared_server
from tests.support.servers import AT_ONCE, Server, playing, tide
from tests.support.windows import Window


@pytest.fixture
def machines(tmp_path: Path) -> Iterator[tuple[Server, Server]]:
    """The coordinator's, and one with doors alone."""
    house, cafe = make("house"), make("cafe")
    places = tmp_path / "house", tmp_path / "cafe"
    put(places[0] / "keys", house, "doors", cafe=cafe)
    put(places[1] / "keys", cafe, "coordinators", house=house)
    at, settings = f"127.0.0.1:{free_port()}", {"TIDE_DATABASE_URL": shared_server().empty()}
    one = Server(places[0], "--doors", "1", "--doors-listen", at, **AT_ONCE, **settings)
    two = Server(places[1], "--door-of", at, "--metrics-port", "0", **settings)
    with one, two:
        yield one, two


@pytest.mark.slow
def test_people_at_a_door_elsewhere_play_on_when_the_coordinator_dies_or_hangs(
    machines: tuple[Server, Server],
) -> None:
    house, cafe = machines
    with playing(cafe) as ada, Window(house.ssh(name="bo")) as bo:
        bo.wait_for("You are bo.", "ada")
        # That one hangs is noticed by its own parent, too, which may be first.
        for times, way in ((2, signal.SIGKILL), (3, signal.SIGSTOP)):
            os.kill(serving(house), way)
            cafe.logged("coordinator_found", times)
            ada.press("/")
            ada.wait_for("to the table:")
            ada.press("\x1b")
            ada.wait_for("your hand")
        (came,) = [line for line in house.events if line["event"] == "came_in"][:1]
        assert (came["name"], came["process"]) == ("ada", "coordinator")
        assert cafe.logged("coordinator_found")["process"] == "door 1"


@pytest.mark.slow
def test_doors_follow_the_coordinator_to_another_machine(tmp_path: Path) -> None:
    certificates = [make("one"), make("two")]
    ports, settings = [free_port(), free_port()], {"TIDE_DATABASE_URL": shared_server().empty()}
    servers = []
    for here, there in ((0, 1), (1, 0)):
        place = tmp_path / str(here)
        for others in ("doors", "coordinators"):
            put(place / "keys", certificates[here], others, other=certificates[there])
        listens, door_of = f"127.0.0.1:{ports[here]}", f"127.0.0.1:{ports[there]}"
        options = ("--doors", "1", "--doors-listen", listens, "--door-of", door_of)
        servers.append(Server(place, *options, **AT_ONCE, **settings))
    one, two = servers
    with one, two, playing(one) as ada:
        stopped = processes(one)[COORDINATOR]
        for each in stopped:
            os.kill(each, signal.SIGSTOP)
        try:
            assert two.logged("coordinator_open")["tables"] == 1
            one.logged("coordinator_found", 2)
            ada.press("/")
            ada.wait_for("to the table:")
            ada.press("\x1b")
            ada.wait_for("your hand")
        finally:
            for each in stopped:
                with suppress(ProcessLookupError):
                    os.kill(each, signal.SIGKILL)


@pytest.mark.slow
def test_a_machine_with_doors_alone_is_looked_after_as_one_with_everything(
    machines: tuple[Server, Server],
) -> None:
    house, cafe = machines
    shown = tide("doors", "--state", str(cafe.place / "state"))
    assert [line.split()[:2] for line in shown.stdout.splitlines()[1:]] == [["door", "1"]]
    (line,) = [line for line in cafe.said if "/metrics" in line]
    with urllib.request.urlopen(line.split()[2].removesuffix("metrics") + "healthz") as answer:
        assert answer.read() == b"ok\n"
    with Window(cafe.ssh()) as ada:
        ada.wait_for("You are ada.")
        assert tide("upgrade", "--state", str(cafe.place / "state")).returncode == 0
        cafe.logged("door_closing")
        while len(shown.stdout.splitlines()) < 3:
            shown = tide("doors", "--state", str(cafe.place / "state"))
        old, new = shown.stdout.splitlines()[1:]
        assert (old[:8], old.split()[4], new.split()[3]) == ("door 1 (", "1", "0")
        assert cafe.stop(signal.SIGTERM) == 0
        ada.wait_for("The server is shutting down")
    assert json.loads(
        tide("admin", "--json", "--state", str(house.place / "state"), "people").stdout
    )


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--door-of", "nowhere"), "--door-of: must be HOST:PORT"),
        (("--door-of", "[::1]:70000"), "--door-of: must be HOST:PORT"),
        (("--doors-listen", "*:http"), "--doors-listen: must be HOST:PORT"),
        (("--door-of", "127.0.0.1:2300"), "needs the coordinator's PostgreSQL"),
        (("--doors-listen", "127.0.0.1:0"), "link.crt: no certificate"),
    ],
)
def test_what_cannot_be_is_told_at_once(
    tmp_path: Path, options: tuple[str, ...], told: str
) -> None:
    where = ("--state", str(tmp_path / "state"), "--keys", str(tmp_path / "keys"))
    done = tide("serve", *where, "--ssh-port", "0", "--no-telnet", *options)
    assert done.returncode in {1, 2}
    assert told in done.stderr
