"""Lines that mean harm, to a whole server in memory: hours pass at once, and megabytes cost no network."""

import asyncio
import struct
from itertools import count
from typing import Final
from unittest.mock import patch

import asyncssh
import msgspec
import pytest
from asyncssh.constants import MSG_IGNORE
from asyncssh.packet import String

from server.coordinator.messages import CreateTable, TableOptions
from server.coordinator.people.names import new_code
from server.coordinator.people.people import WRONG_CODES
from server.settings.settings import ServerLimits
from server.terminal.fair_queue import queues_of
from server.terminal.keys.key_decoder import KeyDecoder
from server.timers import LoopTimers, OneTimer
from server.transport.access.limiter import Reason
from server.transport.access.login import Login
from server.transport.session.server import Caller, Session
from tests.fuzz.callers import comes_in
from tests.fuzz.harness import hurried
from tests.fuzz.servers import GENEROUS, Onlooker, Place, Wire, a_place, only_text
from tests.support.turns import few_turns

HELLO: Final = b"SSH-2.0-slow\r\n"


async def is_let_go(wire: Wire, place: Place, within: float) -> float:
    """Wait until the server has hung up; after how many seconds."""
    loop = asyncio.get_running_loop()
    begun = loop.time()
    while not wire.gone:
        assert loop.time() - begun <= within, "still there"
        await asyncio.sleep(1)
    await asyncio.sleep(1)
    assert place.strangers == 0
    await place.still_works()
    return loop.time() - begun


# ---------------------------------------------------------------- slowly, or not at all


async def drip(wire: Wire) -> None:
    """Slowloris: send a byte now and then, until it is cut off."""
    while not wire.gone:
        wire.arrives(b"x")
        await asyncio.sleep(5)


@pytest.mark.parametrize("sent", [b"", HELLO, HELLO + b"\0\0\1\x2c\x08\x14"], ids=len)
@hurried
async def test_a_byte_now_and_then_wins_no_time_over_ssh(sent: bytes) -> None:
    """Every byte is in time, and the login is not."""
    async with a_place() as place:
        wire = place.knocks()
        wire.arrives(sent)
        dripping = asyncio.create_task(drip(wire))
        await is_let_go(wire, place, ServerLimits().login_seconds + 5)
        await dripping


@hurried
async def test_a_byte_now_and_then_wins_no_time_over_telnet() -> None:
    async with a_place() as place:
        wire = place.calls()
        dripping = asyncio.create_task(drip(wire))
        await is_let_go(wire, place, ServerLimits().login_seconds + 5)
        await dripping
        assert place.server.limiter.counts[Reason.LOGIN] == 1


@hurried
async def test_who_has_gone_without_a_word_is_noticed_over_ssh() -> None:
    """Half-open: the far end's machine is off, and nothing ever comes back."""
    async with a_place() as place:
        wire, _, _ = await comes_in(place)
        assert place.strangers
        wire.deliver = lambda data: None
        assert await is_let_go(wire, place, 200) > 60


@hurried
async def test_two_hundred_half_open_lines_keep_nobody_out_for_long() -> None:
    """From as many addresses: who comes later has the place of the first, and who is silent goes in time."""
    async with a_place() as place:
        limit = ServerLimits().waiting
        wires = [place.calls(f"198.51.{n >> 8}.{n & 255}") for n in range(limit // 2)]
        wires += [place.knocks(f"198.18.{n >> 8}.{n & 255}") for n in range(limit // 2)]
        assert place.server.limiter.waiting == limit
        late = place.calls("198.19.0.1")
        await asyncio.sleep(0)
        assert [wire.gone for wire in wires] == [True] + [False] * (limit - 1)
        assert not late.gone
        assert place.server.limiter.counts == {Reason.WAITING: 1}
        await place.still_works()
        await asyncio.sleep(ServerLimits().first_byte_seconds)
        assert all(wire.gone for wire in wires[limit // 2 :])
        assert place.server.limiter.counts[Reason.FIRST_BYTE] == limit // 2
        await asyncio.sleep(ServerLimits().login_seconds)
        assert all(wire.gone for wire in wires)
        assert place.server.limiter.waiting == 0


# ---------------------------------------------------------------- too much


def _taken_in(seconds: int) -> int:
    """Bytes that are read of a connection in so long, with one read's worth at either end of it."""
    limits = ServerLimits()
    return limits.wire_bytes + seconds * limits.wire_bytes_per_second + 2 * 2048


@pytest.mark.parametrize("screen", [False, True], ids=["lines", "screen"])
@hurried
async def test_a_line_of_a_megabyte_is_read_at_a_walking_pace_and_then_no_more(
    screen: bool,
) -> None:
    async with a_place() as place:
        wire = place.calls()
        if screen:
            wire.arrives(b"\xff\xfb\x18\xff\xfb\x1f\xff\xfa\x18\0XTERM\xff\xf0")
            wire.arrives(b"\xff\xfa\x1f\0\x50\0\x18\xff\xf0")
        wire.arrives(b"eve\r\n")
        await asyncio.sleep(10)
        sent = len(wire.sent)
        wire.arrives(b"x" * 1_000_000)
        await asyncio.sleep(10)
        assert 1_000_000 - wire.unhandled <= _taken_in(10)
        assert len(wire.sent) - sent < 100_000
        await place.still_works()
        await is_let_go(wire, place, ServerLimits().stuck_seconds + 5)
        assert place.server.limiter.counts[Reason.FLOOD] == 1


@hurried
async def test_a_line_of_a_megabyte_over_ssh() -> None:
    async with a_place() as place:
        wire, client, shown = await comes_in(place)
        channel = next(iter(client._channels.values()))
        before = len(shown)
        channel.write(b"x" * 1_000_000)
        await asyncio.sleep(30)
        assert len(shown) - before < 100_000
        # asyncssh grants what it has been read of: the rest stays at the client.
        assert 1_000_000 - channel.get_write_buffer_size() <= _taken_in(30)
        await place.still_works()
        await is_let_go(wire, place, ServerLimits().stuck_seconds)
        assert place.server.limiter.counts[Reason.FLOOD] == 1


@hurried
async def test_keys_that_never_end_stay_at_the_client() -> None:
    """In small pieces, each of which would be read alone and kept here."""
    async with a_place() as place:
        timers = few_turns(place.server.players)
        _, client, _ = await comes_in(place)
        channel = next(iter(client._channels.values()))
        most = 0
        (session,) = place.server.sessions - set(place.sessions)
        keys = session.frontend._tui.input  # type: ignore[union-attr]
        for _ in range(3_000):
            channel.write(b"\x1b[C" * 40)
            await asyncio.sleep(0.02)
            most = max(most, keys._waiting)
        assert 0 < most <= 200
        assert channel.get_write_buffer_size() > 250_000
        await place.still_works()
        timers.advance(60.0)
        assert not keys._waiting
        client.abort()


@hurried
async def test_an_arrow_key_of_which_half_has_to_wait_is_no_esc() -> None:
    async with a_place() as place:
        timers = few_turns(place.server.players)
        _, client, _ = await comes_in(place)
        channel = next(iter(client._channels.values()))
        (connection,) = place.ssh._connections
        with patch.object(KeyDecoder, "flush", autospec=True, return_value=[]) as alone:
            channel.write(b"\x1b[C" * 2_000)
            for _ in range(60):
                await asyncio.sleep(1)
                timers.advance(0.005)
            assert connection.meter.waits
        assert not alone.called
        client.abort()


@hurried
async def test_a_million_tiny_packets() -> None:
    """One byte each: telnet commands, which type nothing and still count."""
    async with a_place() as place:
        wire = place.calls()
        wire.arrives(b"eve\r\n")
        await asyncio.sleep(10)
        sent = len(wire.sent)
        nop = (b"\xff", b"\xf1")
        for number in range(1_000_000):
            wire.arrives(nop[number & 1])
        await asyncio.sleep(5)
        assert 1_000_000 - wire.unhandled <= _taken_in(5)
        assert len(wire.sent) - sent < 1000
        await place.still_works()
        await is_let_go(wire, place, ServerLimits().stuck_seconds + 5)


@hurried
async def test_a_key_does_not_wait_behind_what_one_network_sends_within_its_limits() -> None:
    """Five connections, each with a burst that is allowed, and dear to look at: nearly all of it is looked at
    after somebody else is answered.
    """
    async with a_place() as place:
        ticks = count()
        place.server.players.spent = lambda: next(ticks) / 1000  # a millisecond for each look
        crowd = [await comes_in(place) for _ in range(5)]
        ada = place.calls("198.51.100.1")
        ada.arrives(b"ada\r\n")
        await asyncio.sleep(60)
        sent, answered = 0, len(ada.sent)
        for wire, client, _ in crowd:
            flood = bytearray()
            with patch.object(client._transport, "write", flood.extend):
                for _ in range(400):
                    client.send_packet(MSG_IGNORE, String(b"x" * 16))
            wire.arrives(bytes(flood))
            sent += len(flood)
        assert not place.server.limiter.counts
        ada.arrives(b"help\r\n")
        await asyncio.sleep(0)
        assert len(ada.sent) > answered
        waits = sum(len(each.throttle._held) for each in place.ssh._connections)
        assert waits > 0.75 * sent
        await place.still_works()


@hurried
async def test_a_key_does_not_wait_for_all_screens_of_a_full_lobby() -> None:
    """Whoever opens tables, and closes them again, changes the lobby on everybody's screen: a key that comes
    in meanwhile is answered when a few of them are drawn.
    """

    class Ticking(LoopTimers):
        time = staticmethod(lambda: next(ticks) / 1000)  # a millisecond for each look

    class Guest(Onlooker):
        def write(self, text: str) -> None:
            super().write(text)
            seen.set()

    ticks, seen = count(10**9), asyncio.Event()
    async with a_place(GENEROUS) as place:
        crowd, sessions = [Guest(lines=False) for _ in range(30)], list[Session]()
        for number, screen in enumerate((*crowd, Onlooker(lines=False))):
            caller = Caller(Login(f"guest{number}"), "", f"198.51.100.{number}", "ssh")
            sessions.append(Session(place.server, screen, caller))
            await asyncio.sleep(1)
            sessions[-1].feed("l")
        await asyncio.sleep(60)
        opens = sessions[-1]._visit
        assert opens is not None
        queues, before = queues_of(asyncio.get_running_loop()), [it.written for it in crowd]
        with (
            patch.object(queues.background, "_timers", Ticking()),
            patch.object(queues.background, "_due", OneTimer(Ticking())),
        ):
            seen.clear()
            assert (await opens.submit(CreateTable(TableOptions()))).ok
            await seen.wait()
            shown = place.screen.written
            place.sessions[0].feed("?")
            assert place.screen.written != shown
            drawn = [it.written != then for it, then in zip(crowd, before, strict=True)]
            assert sum(drawn) < 5
            await asyncio.sleep(60)
        assert all(it.written != then for it, then in zip(crowd, before, strict=True))


@hurried
async def test_thousands_of_channels_on_one_connection() -> None:
    """Four are had, the others are refused; what they cost is given back, and others do not notice."""
    limits = msgspec.structs.replace(GENEROUS, wire_bytes=10_000_000)
    async with a_place(limits) as place:
        wire, client, _ = await comes_in(place)
        wire.deliver = lambda answers: None
        for number in range(5_000):
            session = struct.pack("!I", 7) + b"session"
            client.send_packet(90, session + struct.pack("!III", 1000 + number, 65_536, 8_192))
        await asyncio.sleep(5)
        guard = place.server.limiter
        # One is the game, three more were opened, and nothing is started on those.
        assert guard.counts[Reason.CHANNELS] == 5_000 - (limits.channels - 1)
        (connection,) = place.ssh._connections
        assert len(connection._sessions) == limits.channels
        assert len(connection._channels) == limits.channels
        await place.still_works()
        client.abort()
        await is_let_go(wire, place, 5)


@hurried
async def test_who_asks_for_new_keys_again_and_again_is_slowed_down() -> None:
    """A handshake within the encryption costs the server more than the client: the bytes are rationed."""
    async with a_place() as place:
        wire, client, _ = await comes_in(place)
        before = len(wire.sent)
        for _ in range(500):
            if wire.gone:
                break
            client._rekey_time = 0.0
            client.send_packet(2, struct.pack("!I", 200) + bytes(200))
            await asyncio.sleep(0)
        assert wire.unhandled or wire.gone
        assert len(wire.sent) - before < 200_000
        await place.still_works()
        client.abort()
        await is_let_go(wire, place, 90)


async def wants_new_keys(client: asyncssh.SSHClientConnection, wire: Wire) -> None:
    """A client asks for new keys, goes no further than that, and says other things all the same."""
    client._send_kexinit()
    wire.deliver = lambda data: None
    await asyncio.sleep(1)
    client._kex_complete = True


@hurried
async def test_new_keys_that_are_never_agreed_on_do_not_let_output_pile_up() -> None:
    """What is sent meanwhile has to wait for them; as long as the client goes on, it is not silent."""
    async with a_place() as place:
        wire, client, _ = await comes_in(place)
        channel = next(iter(client._channels.values()))
        (connection,) = place.ssh._connections
        await wants_new_keys(client, wire)
        for _ in range(int(ServerLimits().login_seconds) - 5):
            channel.write(b"?\x1b")
            await asyncio.sleep(1)
        assert connection.unsent > 1_000
        await is_let_go(wire, place, 10)
        assert place.server.limiter.counts[Reason.LOGIN] == 1


@hurried
async def test_what_waits_for_new_keys_counts_as_unread() -> None:
    limits = msgspec.structs.replace(ServerLimits(), unread_bytes=20_000)
    async with a_place(limits) as place:
        wire, client, _ = await comes_in(place)
        (session,) = place.server.sessions - set(place.sessions)
        await wants_new_keys(client, wire)
        session.terminal.write("x" * 15_000)
        assert not wire.gone
        session.terminal.write("x" * 15_000)
        await is_let_go(wire, place, 5)
        assert place.server.limiter.counts[Reason.UNREAD] == 1


@pytest.mark.parametrize(("pause", "too_often"), [(2, True), (90, False)])
@hurried
async def test_new_keys_are_to_be_had_now_and_then(pause: int, too_often: bool) -> None:
    """Not again and again: they cost more than what is typed with them."""
    async with a_place() as place:
        wire, client, shown = await comes_in(place)
        channel = next(iter(client._channels.values()))
        for _ in range(30):
            if wire.gone:
                break
            client._send_kexinit()
            client._kexinit_sent = True
            await asyncio.sleep(pause)
        shown.clear()
        channel.write(b"?\x1b")
        await asyncio.sleep(1)
        assert place.server.limiter.counts[Reason.EXCHANGES] == too_often
        assert wire.gone == too_often
        assert bool(shown) != too_often


@hurried
async def test_an_operator_sees_that_somebody_guesses_codes() -> None:
    """To come back as somebody else; each wrong one counts, and those that were not even looked at."""
    async with a_place() as place:
        most = WRONG_CODES
        for _ in range(most + 5):
            wire = place.calls()
            await asyncio.sleep(1)
            wire.arrives(new_code().encode() + b"\r\n")
            await asyncio.sleep(0.1)
            wire.drops()
        refusals = place.server.limiter.counts
        assert refusals[Reason.CODE] == most
        assert refusals[Reason.CODES] == 5
        # From elsewhere nobody has to wait for that.
        wire = place.calls("203.0.113.6")
        await asyncio.sleep(1)
        wire.arrives(new_code().encode() + b"\r\n")
        await asyncio.sleep(0.1)
        assert refusals[Reason.CODE] == most + 1


@hurried
async def test_a_screen_is_not_sent_a_byte_at_a_time() -> None:
    """A packet costs much more than the byte in it, and everybody would wait for a thousand of them."""
    async with a_place() as place:
        wire, client, _ = await comes_in(place)
        for most in (1, 511):
            with pytest.raises(asyncssh.ChannelOpenError, match="too small"):
                await client.create_session(asyncssh.SSHClientSession, max_pktsize=most)
        assert place.server.limiter.counts[Reason.CHANNELS] == 2
        channel, _ = await client.create_session(asyncssh.SSHClientSession, max_pktsize=512)
        channel.close()
        await place.still_works()
        client.abort()
        await is_let_go(wire, place, 5)


@hurried
async def test_nothing_is_written_to_a_line_that_has_been_cut() -> None:
    """Each such write would be a line in the log: one for each packet of a flood."""
    async with a_place() as place:
        wire, client, _ = await comes_in(place)
        await asyncio.sleep(1)
        packets = bytearray()
        far = client._transport
        assert far is not None
        far.write = packets.extend  # type: ignore[method-assign, assignment]
        for _ in range(300):
            client.send_packet(199)  # which is no message; every one is answered
        wire.breaks = True
        wire.arrives(bytes(packets))
        await is_let_go(wire, place, 5)
        assert wire.in_vain == 0


@hurried
async def test_one_session_after_the_other_on_one_connection_counts_as_coming_in() -> None:
    """A session costs as much as a connection: a name, a place in the book, a screen."""
    async with a_place() as place:
        wire, client, _ = await comes_in(place)
        refused = 0
        for _ in range(100):
            try:
                channel, _ = await client.create_session(asyncssh.SSHClientSession)
            except asyncssh.ChannelOpenError:
                refused += 1
            else:
                channel.close()
                await channel.wait_closed()
        limits = ServerLimits()
        assert 100 - refused <= limits.attempts + limits.attempts_seconds
        assert place.server.limiter.counts[Reason.ATTEMPTS] == refused
        await asyncio.sleep(limits.attempts_seconds)
        await client.create_session(asyncssh.SSHClientSession)
        await place.still_works()
        client.abort()
        await is_let_go(wire, place, 5)


@pytest.mark.parametrize("line", ["telnet", "ssh"])
@hurried
async def test_who_never_reads_is_let_go_and_costs_no_more_than_the_budget(line: str) -> None:
    async with a_place() as place:
        if line == "telnet":
            wire = place.calls()
            wire.arrives(b"eve\r\n")
        else:
            wire, _, _ = await comes_in(place)
        await asyncio.sleep(5)
        wire.reads = False

        async def ask() -> None:
            while not wire.gone:
                wire.arrives(b"help\r\n" if line == "telnet" else b"")
                (session,) = (one for one in place.server.sessions if one not in place.sessions)
                session.feed("?\x0c" if line == "ssh" else "help\r")
                await asyncio.sleep(0.5)
                if not (place.server.sessions - set(place.sessions)):
                    break

        asking = asyncio.create_task(ask())
        limits = ServerLimits()
        peak = 0
        for _ in range(int(2 * limits.stuck_seconds)):
            await asyncio.sleep(1)
            peak = max(peak, wire.get_write_buffer_size())
            if wire.gone:
                break
        await asking
        assert wire.gone
        assert peak <= limits.unread_bytes
        await place.still_works()


# ---------------------------------------------------------------- text


@pytest.mark.parametrize(
    "name",
    [
        b"\x1b[2Jeve", "\u202eeve".encode(), ("e" + "\u0301" * 500).encode(),
        ("\u200b" * 500 + "eve").encode(),
        b"\xff\xfe\xc0\x80eve".replace(b"\xff", b"\xff\xff"), b"e\x9b31mve", "\U000e0041eve".encode(),
    ],
    ids=["escape", "bidi", "combining", "zero width", "no utf-8", "c1", "tags"],
)  # fmt: skip
@hurried
async def test_a_name_that_means_harm_is_harmless_on_all_screens(name: bytes) -> None:
    """The onlookers' terminals fail the test when anything strange is written to them."""
    async with a_place() as place:
        wire = place.calls()
        wire.arrives(name + b"\r\n")
        await asyncio.sleep(2)
        wire.arrives(f"join {place.table}\r\n".encode())
        await asyncio.sleep(2)
        rows = [row.strip("│> ") for row in place.screen.glass.lines]
        seat = next(row for row in rows if row.startswith("3"))
        shown = seat.split(maxsplit=1)[1]
        assert shown != "empty"
        assert len(shown) <= 14
        # The rows below stand where they stood.
        assert any(row.startswith("4  empty") for row in rows)
        assert "Waiting for players" in only_text(bytes(wire.sent))
        assert place.screen.glass.screen.scrolled == 0
        await place.still_works()
