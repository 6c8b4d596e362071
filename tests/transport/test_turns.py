"""``ssh HOST turns``: a line a game, a status for a prompt or cron, and nobody comes in."""

from collections.abc import Sequence

import asyncssh
import pytest

from server.coordinator import messages as m
from server.coordinator.people.people import Credential
from tests.support.connections import Open, ban, fingerprint, key, open_server, until
from tests.support.letters import DAILY
from tests.support.tables import Guest
from tests.support.through_frames import enter


async def turns(house: Open, name: str, keys: Sequence[asyncssh.SSHKey] = ()) -> tuple[str, int]:
    async with house.connect(name, keys) as client:
        done = await client.run("turns")
    assert not done.stderr
    return str(done.stdout), done.exit_status or 0


async def plays(house: Open, credential: Credential, name: str) -> tuple[Guest, str, str]:
    """Somebody who has a game that waits; with its code, and a guest's code to come back with."""
    admitted = await house.people.admit(credential, name)
    guest = Guest(enter(house.lobby, admitted.player))
    await guest.ok(m.QuickGame(DAILY))
    code = guest.info.id
    await guest.ok(m.GoToLobby())
    return guest, code, admitted.rejoin_code


async def test_it_says_which_games_there_are_and_whether_one_waits() -> None:
    async with open_server() as house:
        ada, code, _ = await plays(house, Credential(fingerprint("ada")), "ada")
        said, status = await turns(house, "somebody", [key("ada")])
        assert status == 0
        assert said.startswith(f"{code}: ")
        assert said.endswith("stage 1 of 1, round 1 of 12; 24 hours left; your turn\n")
        said, _ = await turns(house, "ada+de", [key("ada")])
        assert said.endswith("noch 24 Stunden; du bist am Zug\n")
        seen = (await ada.submit(m.LookAt(code))).table
        assert seen is not None
        assert seen.own is not None
        await ada.ok(m.AtTable(code, m.PlaceBid(seen.own.hand[0], 0, 0)))
        await until(lambda: not ada.last.correspondence[0].waits)
        # The bots may have bid by now: then the next round waits.
        said, status = await turns(house, "ada", [key("ada")])
        assert status == (0 if "your turn" in said else 1)
        # The visit that was there all the time is not disturbed.
        assert not ada.last.closed
        await until(lambda: not house.server.sessions)
        assert not house.frontends


async def test_it_speaks_the_language_of_the_account() -> None:
    async with open_server() as house:
        ada, _, _ = await plays(house, Credential(fingerprint("ada")), "ada")
        await house.people.store.set_settings(ada.visit.player.id, {"language": "pt"})
        said, _ = await turns(house, "ada", [key("ada")])
        assert said.endswith("tempo restante: 24 horas; sua vez\n")


@pytest.mark.parametrize("who", ["stranger", "guest", "with a code that is none"])
async def test_who_is_not_known_has_no_games_and_is_not_written_down(who: str) -> None:
    async with open_server() as house:
        name = {"guest": "+guest", "stranger": "eve"}.get(who, "eve+2222-2222-2222")
        keys = [key("eve")] if who == "stranger" else []
        assert await turns(house, name, keys) == ("", 1)
        assert await house.people.store.find("key", fingerprint("eve")) is None


async def test_a_guest_adds_the_code() -> None:
    async with open_server() as house:
        _, code, rejoin = await plays(house, Credential(), "zoe")
        said, status = await turns(house, f"zoe+{rejoin}")
        assert (said.startswith(f"{code}: "), status) == (True, 0)


async def test_who_may_not_come_in_learns_nothing() -> None:
    async with open_server() as house:
        await plays(house, Credential(fingerprint("ada")), "ada")
        house.server.bans.fill(ban("name", "ada"))
        said, status = await turns(house, "ada", [key("ada")])
        assert (said.startswith("You are banned from this server."), status) == (True, 2)
