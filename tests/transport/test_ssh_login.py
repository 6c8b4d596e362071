"""Who is who: keys, guests, passwords, names."""

import asyncio
from collections.abc import AsyncIterator

import asyncssh
import msgspec
import pytest
from asyncssh.packet import MPInt, String

from server import StoreError
from server.coordinator.messages import CreateTable, QuickGame, SetWord, TableOptions
from server.coordinator.people.names import new_code
from server.session.client import SessionClient, Visitor
from server.storage.people import Person
from server.timers import SystemClock
from server.transport.access.limiter import Reason
from server.transport.ssh.connection import is_usable
from tests.support.connections import (
    GENEROUS,
    FakeFrontend,
    Open,
    all_of,
    fingerprint,
    key,
    open_server,
)
from tests.support.memory_stores import MemoryPeople
from tests.support.patience import PATIENCE
from tests.support.tables import next_update


@pytest.fixture
async def opened() -> AsyncIterator[Open]:
    async with open_server() as one:
        yield one


async def test_a_certificate_is_no_key_but_the_key_behind_it_is(opened: Open) -> None:
    mine = key("ada")
    vouched = key("somebody").generate_user_certificate(mine, "ada", principals=["ada"])
    async with opened.comes("ada", client_keys=[(mine, vouched)]) as frontend:
        assert await opened.keys_of(frontend) == (fingerprint("ada"),)


async def test_keys_of_every_modern_kind_are_welcome(opened: Open) -> None:
    for kind in ("ssh-ed25519", "ecdsa-sha2-nistp256", "ssh-rsa"):
        mine = asyncssh.generate_private_key(kind)
        async with opened.comes("ada", [mine]) as frontend:
            assert await opened.keys_of(frontend) == (mine.get_fingerprint("sha256"),)


async def test_clients_that_know_only_passwords_come_in_with_any(
    opened: Open, capfd: pytest.CaptureFixture[str]
) -> None:
    async with opened.comes("ada", preferred_auth="password", password="hunter2") as frontend:
        assert frontend.visit.player.guest
    out, err = capfd.readouterr()
    assert "hunter2" not in out + err


class _Stolen(asyncssh.SSHKeyPair):
    """Somebody else's public key, and a signature by one's own."""

    def __init__(self, theirs: "asyncssh.SSHKey | _Numbers", mine: asyncssh.SSHKey) -> None:
        super().__init__(
            theirs.algorithm, theirs.algorithm, theirs.sig_algorithms, theirs.sig_algorithms,
            theirs.public_data, None,
        )  # fmt: skip
        self._mine = mine

    def sign(self, data: bytes) -> bytes:
        return self._mine.sign(data, self.sig_algorithm)


async def test_a_wrong_signature_ends_the_connection_and_counts_as_an_attempt(
    capsys: pytest.CaptureFixture[str],
) -> None:
    stolen = _Stolen(key("victim"), key("thief"))
    chosen = msgspec.structs.replace(GENEROUS, attempts=2, attempts_seconds=86_400)
    async with open_server(chosen) as opened:
        with pytest.raises(asyncssh.DisconnectError, match="signature of that key is wrong"):
            await opened.connect("ada", client_keys=[stolen])
        await opened.empty()
        assert opened.server.limiter.counts == {Reason.SIGNATURE: 1}
        assert await opened.people.store.find("key", fingerprint("victim")) is None
        # One for the connection, one for the signature: the next has to wait.
        with pytest.raises((asyncssh.Error, OSError)):
            await opened.connect("ada")
        assert opened.server.limiter.counts == {Reason.SIGNATURE: 1, Reason.ATTEMPTS: 1}
    assert "wrong_signature" in capsys.readouterr().out


class _Numbers:
    """A public key of made-up numbers, to offer and to sign with."""

    def __init__(self, kind: str, *numbers: int) -> None:
        self.algorithm = kind.encode()
        self.sig_algorithms = (b"rsa-sha2-256",)
        self.public_data = String(kind) + b"".join(map(MPInt, numbers))


_MODULUS = (1 << 3071) + 1


@pytest.mark.parametrize(
    "made",
    [
        _Numbers("ssh-rsa", (1 << 3070) + 1, _MODULUS),
        _Numbers("ssh-rsa", (1 << 32) + 1, _MODULUS),
        _Numbers("ssh-rsa", 65536, _MODULUS),
        _Numbers("ssh-rsa", 1, _MODULUS),
        _Numbers("ssh-rsa", -3, _MODULUS),
        _Numbers("ssh-rsa", 65537, (1 << 16383) + 1),
        _Numbers("ssh-rsa", 65537, (1 << 500) + 1),
        _Numbers("ssh-rsa", 65537, _MODULUS + 1),
        _Numbers("ssh-rsa", 65537),
        _Numbers("ssh-dss", _MODULUS, (1 << 255) + 1, 5, 7),
        _Numbers("ssh-ed25519-cert-v01@openssh.com", 1),
    ],
    ids=lambda made: f"{made.algorithm.decode()}-{len(made.public_data)}",
)
async def test_a_key_that_is_dear_to_verify_is_not_looked_at(opened: Open, made: _Numbers) -> None:
    """Nor is its signature, which would be wrong, and end the connection."""
    odd = _Stolen(made, key("thief"))
    async with opened.comes("ada", client_keys=[odd]) as frontend:
        assert frontend.visit.player.guest


@pytest.mark.parametrize("exponent", [3, 17, 65537, (1 << 32) - 1])
@pytest.mark.parametrize("bits", [1024, 2048, 3072, 4096, 8192])
def test_rsa_keys_as_clients_have_them_are_looked_at(exponent: int, bits: int) -> None:
    assert is_usable(_Numbers("ssh-rsa", exponent, (1 << bits - 1) + 1).public_data)


async def test_there_are_only_so_many_attempts_on_a_connection(opened: Open) -> None:
    """A client that offers key after key, none of which is one that may come in."""
    unusable = [
        _Stolen(_Numbers("ssh-rsa", 1, _MODULUS + 2 * number), key("thief")) for number in range(30)
    ]
    with pytest.raises(asyncssh.DisconnectError, match="Too many login attempts"):
        await opened.connect("ada", client_keys=unusable)
    await opened.empty()
    assert opened.server.limiter.counts == {Reason.REQUESTS: 1}


async def test_names_are_cleaned_and_unique(opened: Open) -> None:
    async with opened.comes("a<d>a") as first, opened.comes("ada", [key("bo")]) as second:
        assert [one.visit.player.name for one in (first, second)] == ["ada", "ada2"]
        assert [notice.code for notice in second.notices] == ["called"]


async def test_a_guests_name_is_free_again_after_leaving(opened: Open) -> None:
    for _ in range(2):
        async with opened.comes("ada") as frontend:
            assert frontend.visit.player.name == "ada"
        await opened.empty()


async def test_a_guest_comes_back_to_the_seat_with_the_code(opened: Open) -> None:
    async with opened.comes("ada") as first:
        await first.visit.submit(QuickGame(TableOptions()))
        code = first.account.rejoin_code
    await opened.empty()
    async with opened.comes("ada") as stranger, opened.comes(f"x+{code.upper()}") as back:
        assert stranger.visit.player.name == "ada2", "the seat that was left behind keeps its name"
        assert (await next_update(stranger.visit.feed)).lobby is not None
        assert back.visit.player == first.visit.player
        seat = (await next_update(back.visit.feed)).table
    assert seat is not None
    assert seat.seat == 0


async def test_who_came_in_sentences_comes_back_in_sentences(opened: Open) -> None:
    async with opened.comes("liz+plain+de") as first:
        await first.visit.submit(QuickGame(TableOptions()))
        way_back = _way_back(first)
    await opened.empty()
    async with opened.comes(way_back) as again:
        assert again.visit.player == first.visit.player
        assert again.terminal.abilities.lines
        assert again.terminal.abilities.language == "de"
        assert _way_back(again) == way_back


def _way_back(came: FakeFrontend) -> str:
    """What a frontend tells a guest to log in as."""
    who = Visitor(came.visit.player, SystemClock(), came.terminal.abilities, came.account)
    return SessionClient(who).way_back


async def test_a_known_key_is_renamed_when_that_is_asked_for_only(opened: Open) -> None:
    async with opened.comes("ada", [key("ada")]) as first:
        await first.visit.submit(QuickGame(TableOptions()))
        async with opened.comes("root", [key("ada")]) as second:
            assert await _seat(second) == ("ada", 0)
            assert [notice.code for notice in second.notices] == ["name_kept"]
            async with opened.comes("captain+rename", [key("ada")]) as last:
                assert await _seat(last) == ("captain", 0)
                assert not last.notices


async def _seat(frontend: FakeFrontend) -> tuple[str, int]:
    """What the table calls this player, and the seat."""
    async with asyncio.timeout(PATIENCE):
        while True:
            table = (await next_update(frontend.visit.feed)).table
            if table is not None and table.seat >= 0:
                name = table.info.seats[table.seat].name
                if name == frontend.visit.player.name:
                    return name, table.seat


async def test_a_wrong_code_is_told(opened: Open) -> None:
    async with opened.comes(f"ada+{new_code()}") as frontend:
        assert [notice.code for notice in frontend.notices] == ["code_unknown"]
        assert frontend.visit.player.guest


async def test_a_second_key_opens_the_same_account(opened: Open) -> None:
    async with opened.comes("ada", [key("ada")]) as first:
        code = await first.account.link_code()
    async with opened.comes(f"ada+{code}", [key("phone")]) as second:
        assert second.visit.player == first.visit.player
        assert [notice.code for notice in second.notices] == ["linked"]
        assert await opened.keys_of(first) == (fingerprint("ada"), fingerprint("phone"))


async def test_what_an_account_has_chosen_is_there_the_next_time(opened: Open) -> None:
    async with opened.comes("ada", [key("ada")]) as frontend:
        frontend.account.remember({"bell": True})
        frontend.account.remember({"bell": False})
        frontend.feed("q")
    await opened.empty()
    async with opened.comes("ada", [key("ada")]) as again:
        assert again.account.settings == {"bell": False}


class _Full(MemoryPeople):
    async def add(self, *args: object, **kwargs: object) -> Person:
        raise StoreError("full")


async def test_when_nothing_can_be_written_newcomers_are_told_why(opened: Open) -> None:
    opened.people.store.__class__ = _Full
    async with opened.connect("ada") as client:
        process = await client.create_process(term_type="xterm")
        assert "cannot save anything just now" in await all_of(process.stdout)
    assert not opened.frontends


async def test_the_login_name_says_language_and_what_means_nothing(opened: Open) -> None:
    async with opened.comes("ada+de+nonsense") as frontend:
        assert frontend.terminal.abilities.language == "de"
        (notice,) = frontend.notices
        assert notice[:2] == ("unknown_suffix", "nonsense")


async def _opens(ada: FakeFrontend, asked: CreateTable | QuickGame) -> str:
    """The code of a table that somebody opens."""
    await ada.visit.submit(asked)
    update = await next_update(ada.visit.feed)
    assert update.table is not None
    return update.table.info.id


async def test_the_login_name_leads_to_a_table(opened: Open) -> None:
    async with opened.comes("ada") as ada:
        code = await _opens(ada, CreateTable(TableOptions()))
        async with opened.comes(f"bo+{code}") as bo, opened.comes(f"eve+{code}+watch") as eve:
            seated = (await next_update(bo.visit.feed)).table
            assert seated is not None
            assert (seated.info.id, seated.seat, bo.notices) == (code, 1, ())
            watching = (await next_update(eve.visit.feed)).table
            assert watching is not None
            assert (watching.info.id, watching.seat) == (code, -1)


async def test_a_domain_is_no_name_and_a_private_table_is_not_told_by_one(opened: Open) -> None:
    code = "nakamura"
    async with opened.comes("ada") as ada:
        private = await _opens(ada, CreateTable(TableOptions()))
        await ada.visit.submit(SetWord("otter"))
        for login, name in (
            ("CORP+jsmith", "jsmith"),
            (f"CORP+{code}", code),
            (f"CORP+{private}", private),
            ("CORP\\miller", "miller"),
            ("jane.doe@example.com", "jane.doe"),
            ("CORP+root", "root"),
            ("CORP+Administrator", "guest"),
        ):
            async with opened.comes(login) as frontend:
                assert frontend.visit.player.name == name
                told = [notice.code for notice in frontend.notices]
                assert told == {"root": ["machine_name"], "guest": ["called"]}.get(
                    name, ["domain"] if "+" in login else []
                )


@pytest.mark.parametrize("login", ["Maximiliane-Franziska", "\U0001f980", "CORP\\"])
async def test_who_cannot_be_called_like_that_is_told(opened: Open, login: str) -> None:
    async with opened.comes(login) as frontend:
        assert [notice.code for notice in frontend.notices] == ["altered"]


async def test_who_cannot_sit_down_any_more_watches(opened: Open) -> None:
    async with opened.comes("ada") as ada:
        code = await _opens(ada, QuickGame(TableOptions()))
        async with opened.comes(f"bo+{code}") as late:
            seen = (await next_update(late.visit.feed)).table
    assert seen is not None
    assert seen.seat == -1


async def test_a_code_without_a_table_leads_to_the_lobby_and_is_told(opened: Open) -> None:
    async with opened.comes("ada+bakedilo") as frontend:
        assert (await next_update(frontend.visit.feed)).lobby is not None
    (notice,) = frontend.notices
    assert notice[:2] == ("no_such_table", "bakedilo")


@pytest.mark.parametrize(
    ("login", "command", "seat", "refused"),
    [
        ("bo+{code}+Ötter", None, 1, ""),
        ("bo", "join {code} ötter", 1, ""),
        ("bo", "watch {code} ÖTTER", -1, ""),
        ("bo+{code}", None, None, "word_needed"),
        ("bo", "join {code} beaver", None, "wrong_word"),
        ("bo+watch", None, None, "nothing_to_watch"),
    ],
)
async def test_a_private_table_opens_with_its_word(
    opened: Open, login: str, command: str | None, seat: int | None, refused: str
) -> None:
    async with opened.comes("ada") as ada:
        code = await _opens(ada, CreateTable(TableOptions()))
        await ada.visit.submit(SetWord("ötter"))
        asked = command and command.format(code=code)
        async with opened.comes(login.format(code=code), command=asked) as bo:
            seen = await next_update(bo.visit.feed)
    assert (seen.table and seen.table.seat) == seat
    assert [notice.code for notice in bo.notices] == ([refused] if refused else [])
    assert "ötter" not in repr((seen, bo.notices)).casefold()


async def test_watching_leads_to_the_busiest_table_or_is_refused(opened: Open) -> None:
    async with opened.comes("eve+watch") as eve, opened.comes("gus") as gus:
        assert [notice.code for notice in eve.notices] == ["nothing_to_watch"]
        update = await next_update(eve.visit.feed)
        assert update.lobby is not None
        await gus.visit.submit(QuickGame(TableOptions()))
        while update.table is None:  # as soon as there is one, without a key pressed
            update = await next_update(eve.visit.feed)
        assert update.table.seat == -1
    async with opened.comes("ada") as ada:
        await ada.visit.submit(QuickGame(TableOptions()))
        async with opened.comes("fay+watch") as fay:
            watching = (await next_update(fay.visit.feed)).table
    assert watching is not None
    assert watching.seat == -1


@pytest.mark.parametrize("name", ["", "a b", "jürgen möller", "潮", "😀", "שלום+plain", "x" * 900])
async def test_any_login_name_will_do(opened: Open, name: str) -> None:
    async with opened.connect(name) as client:
        await client.run("help", check=True)
