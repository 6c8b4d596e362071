"""Doors on other machines: who is let near the coordinator, and what happens when the network is cut."""

import asyncio
import ssl
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
import structlog

from server.link import elsewhere, frames
from server.link.elsewhere import LinkCertificateProblem, encryption, reach_elsewhere
from server.transport.net.sockets import listen
from tests.link.house import House, come
from tests.support.certificates import Made, make, pem, put
from tests.support.connections import until
from tests.support.forwarding import Forwarder
from tests.support.patience import PATIENCE

Logged = list[structlog.typing.EventDict]


class Machines:
    """A house that listens for the door of ``cafe``, and that door's keys."""

    def __init__(self, house: House, cafe: Made, own: Made, known: Made) -> None:
        put(house.folder / "keys", own, "doors", cafe=known)
        self.keys = put(house.folder / "cafe", cafe, "coordinators", house=own)
        self.house = house

    @property
    def port(self) -> int:
        return int(self.house.listening[0].getsockname()[1])

    @property
    def reach(self) -> elsewhere.Reach:
        return reach_elsewhere("127.0.0.1", self.port, self.keys)

    async def open(self) -> None:
        self.house.listening = listen("127.0.0.1", 0)
        await self.house.kill()
        await self.house.start()


async def machines(
    house: House, cafe: Made | None = None, own: Made | None = None, known: Made | None = None
) -> Machines:
    cafe = cafe or make("cafe")
    made = Machines(house, cafe, own or make("house"), known or cafe)
    await made.open()
    return made


async def logged(logs: Logged, event: str) -> str:
    """The reason that is told for it."""
    await until(lambda: [each for each in logs if each["event"] == event])
    return next(str(each["reason"]) for each in logs if each["event"] == event)


async def test_people_come_in_by_a_door_on_another_machine(house: House) -> None:
    both = await machines(house)
    with structlog.testing.capture_logs() as logs:
        door = await house.door(both.reach)
    assert [each["door"] for each in logs if each["event"] == "door_came"] == ["door 1 at cafe"]
    _, arrived = await come(door, "ada")
    assert arrived.new
    await come(await house.door(), "bo")
    assert (await door.lobby_now()).players == ("ada", "bo")


def _signed(cafe: Made) -> Made:
    return make("another", signed_by=cafe)


@pytest.mark.parametrize(
    ("shows", "why"),
    [
        (lambda _: make("cafe"), "certificate verify failed"),
        (lambda _: make("cafe", days=-1), "certificate verify failed"),
        (_signed, "certificate is not known"),
    ],
    ids=["another", "another, expired", "one that is signed by the known one"],
)
async def test_a_door_with_another_certificate_gets_not_a_byte(
    house: House, shows: Callable[[Made], Made], why: str
) -> None:
    known = make("cafe")
    both = await machines(house, shows(known), known=known)
    with structlog.testing.capture_logs() as logs:
        assert await said_to(both) == b""
        assert why in await logged(logs, "link_refused")


async def test_a_door_whose_certificate_has_expired_gets_not_a_byte(house: House) -> None:
    both = await machines(house, make("cafe", days=-1))
    with structlog.testing.capture_logs() as logs:
        assert await said_to(both) == b""
        assert "expired" in await logged(logs, "link_refused")
        door = house.opening(both.reach)
        await until(lambda: "coordinator_hung_up" in [each["event"] for each in logs])
    assert not door.connected.is_set()


async def test_a_door_without_a_certificate_gets_not_a_byte(house: House) -> None:
    both = await machines(house)
    with structlog.testing.capture_logs() as logs:
        assert await said_to(both, ssl._create_unverified_context()) == b""
        assert "certificate" in await logged(logs, "link_refused")


async def said_to(both: Machines, context: ssl.SSLContext | None = None) -> bytes:
    """What the coordinator says to a door that does as a door does."""
    if context is None:
        context, _ = encryption(both.keys, of_doors=False)
    with suppress(ssl.SSLError, ConnectionError):
        reader, writer = await asyncio.open_connection("127.0.0.1", both.port, ssl=context)
        try:
            writer.write(frames.framed([frames.Hello(frames.VERSION, "door 1")]))
            return await asyncio.wait_for(reader.read(), PATIENCE)
        finally:
            writer.transport.abort()
    return b""


@pytest.mark.parametrize(
    "said",
    [
        frames.framed([frames.Hello(frames.VERSION, "door 1")]),
        b"GET / HTTP/1.1\r\n\r\n",
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"\x16\x03\x01\x00\x05\x01\x00\x00\x01\x00",
        bytes(range(256)) * 100,
        b"",
    ],
    ids=["no TLS", "http", "ssh", "half a hello", "rubbish", "nothing"],
)
async def test_who_does_not_speak_tls_is_cut_off(
    house: House, said: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(elsewhere, "_HANDSHAKE_SECONDS", 0.2)
    both = await machines(house)
    with structlog.testing.capture_logs() as logs:
        reader, writer = await asyncio.open_connection("127.0.0.1", both.port)
        writer.write(said)
        with suppress(ConnectionError):
            heard = await asyncio.wait_for(reader.read(), PATIENCE)
            assert len(heard) <= 7  # an alert of TLS
        writer.transport.abort()
        assert await logged(logs, "link_refused")
    await house.door(both.reach)


async def test_many_who_say_nothing_keep_a_door_out_no_longer_than_a_handshake(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(elsewhere, "_HANDSHAKE_SECONDS", 0.2)
    both = await machines(house)
    idle = [await asyncio.open_connection("127.0.0.1", both.port) for _ in range(100)]
    await house.door(both.reach)
    for _, writer in idle:
        writer.transport.abort()


@pytest.mark.parametrize("days", [1, -1])
async def test_a_door_tells_nobody_but_its_coordinator_anything(house: House, days: int) -> None:
    own = make("house", days=days)
    both = await machines(house, own=own)
    if days > 0:
        (both.keys / "coordinators" / "house.crt").write_bytes(pem(make("house"))[0])
    with structlog.testing.capture_logs() as logs:
        door = house.opening(both.reach)
        assert "certificate verify failed" in await logged(logs, "coordinator_not_reached")
    assert not door.connected.is_set()
    assert not [each for each in logs if each["event"] == "door_came"]


async def test_a_coordinator_whose_certificate_the_known_one_has_signed_is_not_it(
    house: House,
) -> None:
    known = make("house")
    both = await machines(house, own=make("another", signed_by=known))
    (both.keys / "coordinators" / "house.crt").write_bytes(pem(known)[0])
    with structlog.testing.capture_logs() as logs:
        house.opening(both.reach)
        assert "not known" in await logged(logs, "coordinator_not_reached")


async def test_a_door_is_let_in_as_soon_as_its_file_is_there_and_no_more_when_it_has_gone(
    house: House,
) -> None:
    both = await machines(house, known=make("other"))
    file = house.folder / "keys" / "doors" / "cafe.crt"
    other = file.read_bytes()
    file.write_bytes((both.keys / "link.crt").read_bytes())
    door, port = await house.door(both.reach), both.port
    file.write_bytes(other)
    await house.kill()
    await until(lambda: not door.connected.is_set())
    house.listening = listen("127.0.0.1", port)
    with structlog.testing.capture_logs() as logs:
        await house.start()
        await logged(logs, "link_refused")
    assert not door.connected.is_set()


async def test_of_two_coordinators_the_one_is_found_that_is_there(house: House) -> None:
    both = await machines(house)
    (nobody,) = listen("127.0.0.1", 0)
    gone = int(nobody.getsockname()[1])
    nobody.close()
    await house.door(reach_elsewhere("127.0.0.1", gone, both.keys), both.reach)


@pytest.mark.parametrize("missing", ["link.crt", "link.key", "doors/cafe.crt"])
async def test_what_cannot_be_read_is_named(house: House, missing: str) -> None:
    await machines(house)
    keys = house.folder / "keys"
    (keys / missing).write_text("no certificate")
    with pytest.raises(LinkCertificateProblem) as problem:
        encryption(keys, of_doors=True)
    assert Path(missing).stem in str(problem.value)


# ---------------------------------------------------------------- when the network is cut


async def test_a_cut_is_noticed_at_both_ends_and_mended_by_arriving_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frames, "BEAT", 0.05)
    monkeypatch.setattr(frames, "SILENT", 0.4)
    both = await machines(house)
    between = Forwarder(lambda: asyncio.open_connection("127.0.0.1", both.port))
    await between.start()
    door = await house.door(reach_elsewhere("127.0.0.1", between.port, both.keys))
    near = await house.door()
    ada, bo = (await come(door, "ada"))[0], (await come(near, "bo"))[0]
    between.stop()
    await until(lambda: not door.connected.is_set())
    await until(lambda: [here.player.name for here in house.arrivals] == ["bo"])
    await until(lambda: [word.kind for word in ada.feed.now.said] == ["one_moment"])
    assert near.connected.is_set()
    between.go_on()
    await until(lambda: len([*house.arrivals]) == 2)
    await until(lambda: [word.kind for word in ada.feed.now.said] == ["one_moment", "here_again"])
    assert (ada.feed.closed, bo.feed.closed) == ("", "")
    await between.close()


async def test_a_line_over_which_nothing_has_to_be_said_stays(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frames, "BEAT", 0.02)
    monkeypatch.setattr(frames, "SILENT", 0.5)
    both = await machines(house)
    with structlog.testing.capture_logs() as logs:
        door = await house.door(both.reach)
        await asyncio.sleep(1.0)
    assert door.connected.is_set()
    assert not [each for each in logs if each["event"] in {"coordinator_lost", "line_silent"}]
