"""Who may come in: with the server's word, or with a listed key, over SSH and telnet."""

import asyncio
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import asyncssh
import msgspec
import pytest
import structlog

from server import StoreError
from server.transport.access import password
from server.transport.access.limiter import Reason
from server.transport.access.login import OPERATORS, PLAYERS, AuthorizedKeys
from server.transport.access.password import PasswordCheck, PasswordProblem
from server.transport.telnet import connection
from server.transport.telnet import protocol as t
from tests.support.clients import Keyless
from tests.support.connections import GENEROUS, Open, fingerprint, key, open_server
from tests.support.databases import keys_of
from tests.support.memory_stores import MemoryPeople
from tests.support.telnet_caller import open_telnet
from tests.support.windows import Window

WORD = "Hafen, 12 Boote"


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A keys directory with a word in it."""
    place = tmp_path_factory.mktemp("keys")
    password.write(place / password.FILE, WORD)
    return place


def list_keys(place: Path, *names: str, file: str = PLAYERS, options: str = "") -> None:
    lines = [
        f"{options}{key(name).export_public_key('openssh').decode().strip()}" for name in names
    ]
    (place / file).write_text("# players\n" + "\n".join(lines) + "\n")


def client(*words: str) -> Callable[[], Keyless]:
    """A client that answers each question with the next of these words."""

    class Answering(Keyless):
        def __init__(self) -> None:
            self.left = list(words)

        def kbdint_challenge_received(
            self, name: str, instructions: str, lang: str, prompts: Any
        ) -> Any:
            if not prompts:
                return []
            return [self.left.pop(0)] if self.left else None

    return Answering


async def come_in(opened: Open, *words: str, keys: str = "", **options: Any) -> str:
    """The id of the player that somebody is who says these words."""
    mine = [key(name) for name in keys.split()]
    async with opened.comes("ada", mine, client_factory=client(*words), **options) as frontend:
        player = frontend.visit.player.id
    await opened.empty()
    return player


async def test_the_word_lets_in_who_has_no_key(kept: Path) -> None:
    async with open_server(access="password", keys=kept) as opened:
        assert (await come_in(opened, WORD)).startswith("guest:")
        assert (await come_in(opened, "wrong", f" {WORD} ")).startswith("guest:"), "second try"
        with pytest.raises(asyncssh.PermissionDenied):
            await come_in(opened, "a", "b", "c")
        with pytest.raises(asyncssh.PermissionDenied):
            await come_in(opened)
        assert opened.server.limiter.counts[Reason.WRONG_PASSWORD] == 4


async def test_the_word_is_a_password_for_clients_that_know_nothing_else(kept: Path) -> None:
    async with open_server(access="password", keys=kept) as opened:
        await come_in(opened, preferred_auth="password", password=WORD)
        with pytest.raises(asyncssh.PermissionDenied):
            await come_in(opened, preferred_auth="password", password="\N{SHEEP}")


async def test_a_key_says_the_word_once_until_there_is_another(tmp_path: Path) -> None:
    password.write(tmp_path / password.FILE, WORD)
    async with open_server(access="password", keys=tmp_path) as opened:
        with pytest.raises(asyncssh.PermissionDenied):
            await come_in(opened, keys="ada")
        first = await come_in(opened, WORD, keys="ada bo")
        assert first.startswith("account:")
        assert await keys_of(opened.people.store, first) == (fingerprint("ada"),)
        assert await come_in(opened, keys="ada") == first
        with pytest.raises(asyncssh.PermissionDenied):
            await come_in(opened, keys="bo")
        password.write(tmp_path / password.FILE, "another word")
        with pytest.raises(asyncssh.PermissionDenied):
            await come_in(opened, WORD, keys="ada")
        assert await come_in(opened, "another word", keys="ada") == first


async def test_a_store_that_fails_costs_one_more_word(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def failing(_: str) -> str:
        raise StoreError

    monkeypatch.setattr(MemoryPeople, "password_of", lambda self, key: failing(key))
    async with open_server(access="password", keys=kept) as opened:
        for _ in range(2):
            await come_in(opened, WORD, keys="ada")


async def test_a_listed_key_needs_no_word(tmp_path: Path) -> None:
    list_keys(tmp_path, "ada")
    list_keys(tmp_path, "host", file=OPERATORS)
    async with open_server(access="password", keys=tmp_path) as opened:
        await come_in(opened, keys="ada")
        await come_in(opened, keys="host")
        with pytest.raises(asyncssh.PermissionDenied):
            await come_in(opened, "", keys="bo")


async def test_who_guesses_has_to_wait_and_nobody_else(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(password, "WRONG_PASSWORDS", 2)
    async with open_server(access="password", keys=kept) as opened:
        gate = opened.server.access
        together = await asyncio.gather(*(gate.check_password(WORD, "192.0.2.1") for _ in range(5)))
        assert all(check.id for check in together), "costs no patience"
        assert await gate.check_password("a", "192.0.2.1") == PasswordCheck()
        assert await gate.check_password("b", "192.0.2.1") == PasswordCheck()
        assert (await gate.check_password(WORD, "192.0.2.1")).must_wait
        assert (await gate.check_password(WORD, "192.0.2.2")).id
        for _ in range(2):
            await gate.check_password("a", "127.0.0.1")
        with pytest.raises(asyncssh.DisconnectError, match="wait a minute"):
            await come_in(opened, WORD)


async def test_only_listed_keys_come_in_and_a_change_counts_at_once(tmp_path: Path) -> None:
    list_keys(tmp_path, "bo")
    async with open_server(access="keys", keys=tmp_path) as opened:
        await come_in(opened, keys="bo")
        with pytest.raises(asyncssh.PermissionDenied):
            await come_in(opened, keys="ada")
        with pytest.raises(asyncssh.PermissionDenied):
            await come_in(opened, "anything", password="anything")
        second = await come_in(opened, keys="ada bo")
        assert await keys_of(opened.people.store, second) == (fingerprint("bo"),)
        list_keys(tmp_path, "cem", "ada")
        await come_in(opened, keys="ada")
        with pytest.raises(asyncssh.PermissionDenied):
            await come_in(opened, keys="bo")
        (tmp_path / PLAYERS).unlink()
        with pytest.raises(asyncssh.PermissionDenied):
            await come_in(opened, keys="ada")


async def test_an_unknown_access_lets_nobody_in(tmp_path: Path) -> None:
    list_keys(tmp_path, "bo")
    async with open_server(keys=tmp_path) as opened:
        settings = opened.server.settings
        opened.server.adjust(msgspec.structs.replace(settings, access="closed"))
        for options in ({"keys": "bo"}, {"password": "anything"}):
            with pytest.raises(asyncssh.PermissionDenied):
                await come_in(opened, "anything", **options)


def test_a_file_of_keys_is_read_as_openssh_does(tmp_path: Path) -> None:
    file = AuthorizedKeys(tmp_path / "players")
    ada = key("ada").public_data
    assert not file.knows(ada, "192.0.2.1")
    list_keys(tmp_path, "ada", options='from="192.0.2.*" ')
    assert file.knows(ada, "192.0.2.1")
    assert not file.knows(ada, "198.51.100.1")
    broken = "ssh-ed25519 AAAA nonsense\n\n# nothing\n"
    with structlog.testing.capture_logs() as said:
        file.path.write_text(broken + key("bo").export_public_key("openssh").decode())
        assert file.knows(key("bo").public_data, "192.0.2.1")
    assert [entry["lines"] for entry in said if "lines" in entry] == [[1]]
    file.path.chmod(0o666)
    os.utime(file.path, (1, 1))
    with structlog.testing.capture_logs() as said:
        assert not file.knows(key("bo").public_data, "192.0.2.1"), (
            "others could have written themselves into it"
        )
    assert "chmod go-w" in said[0]["reason"]


@pytest.mark.parametrize("between", ["\v", "\f", "\x1c", "\x85", "\u2028", "\r"])
def test_a_key_in_the_comment_of_another_is_not_listed(tmp_path: Path, between: str) -> None:
    file = AuthorizedKeys(tmp_path / "players")
    ada, bo = (key(name).export_public_key("openssh").decode().strip() for name in ("ada", "bo"))
    file.path.write_text(f"{ada}{between}{bo}\n", "utf-8", newline="")
    assert file.knows(key("ada").public_data, "192.0.2.1")
    assert not file.knows(key("bo").public_data, "192.0.2.1")


def test_a_key_of_an_authority_lets_nobody_in(tmp_path: Path) -> None:
    file = AuthorizedKeys(tmp_path / "players")
    list_keys(tmp_path, "ada", options="cert-authority ")
    assert not file.knows(key("ada").public_data, "192.0.2.1")


def test_a_byte_order_mark_is_no_part_of_a_file(tmp_path: Path) -> None:
    file = AuthorizedKeys(tmp_path / "players")
    file.path.write_text(key("ada").export_public_key("openssh").decode(), "utf-8-sig")
    assert file.knows(key("ada").public_data, "192.0.2.1")
    path = tmp_path / "word"
    password.write(path, WORD)
    path.write_text(path.read_text(), "utf-8-sig")
    kept = password.read(path)
    assert kept is not None
    assert kept.fits(WORD)


def test_a_word_is_kept_hashed_and_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "word"
    assert password.read(path) is None
    password.write(path, WORD)
    assert path.stat().st_mode & 0o777 == 0o600
    text = path.read_text()
    assert WORD not in text
    password.write(path, WORD)
    assert path.read_text() != text, "salted"
    found = password.read(path)
    assert found is not None
    assert found.fits(WORD)
    assert not found.fits(WORD.lower())
    path.chmod(0o644)
    with pytest.raises(PasswordProblem, match="chmod 600"):
        password.read(path)
    path.chmod(0o600)
    for bad in ("", "scrypt$1", text.replace("scrypt", "crypt"), text[:-9], "\xff"):
        path.write_bytes(bad.encode("latin-1"))
        with pytest.raises(PasswordProblem, match="tide password"):
            password.read(path)


def test_a_word_that_root_has_set_is_the_servers_all_the_same(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        os.chown(tmp_path, 12345, 12345)
    path = tmp_path / "word"
    password.write(path, WORD)
    assert path.stat().st_uid == tmp_path.stat().st_uid


async def test_what_the_house_has_to_say_is_cleaned_and_told_on_arrival() -> None:
    said = "One.\n\n\x1b[31mTwo.\u202e\n"
    async with open_server(notice=said) as opened, opened.comes("ada+nonsense") as frontend:
        assert [notice.text for notice in frontend.notices] == ["One.", "[31mTwo.", "nonsense"]


async def test_without_a_word_nobody_comes_in_with_one(tmp_path: Path) -> None:
    async with open_server(access="password", keys=tmp_path) as opened:
        with pytest.raises(PasswordProblem, match="tide password"):
            opened.server.access.check()
        for word in ("", "None"):
            check = await opened.server.access.check_password(word, "192.0.2.1")
            assert check == PasswordCheck()


# ------------------------------------------------------------------ telnet


async def test_telnet_asks_for_the_word_unseen_and_then_for_the_name(kept: Path) -> None:
    said = "Tuesdays at eight."
    async with (
        open_telnet(access="password", keys=kept, notice=said) as telnet,
        telnet.terminal() as ada,
    ):
        await ada.reads("not encrypted", "Server password:")
        assert t.WILL + t.ECHO in ada.commands, "the client does not show what is typed"
        ada.line("wrong")
        await ada.reads("That is not the password.")
        assert "Tuesdays" not in ada.text
        ada.line(WORD)
        ada.line("ada")  # at once, while the word is still being looked at
        await ada.reads("Tuesdays at eight.", "Your name", "ada 80x24")
        assert WORD not in ada.text
        after = ada.commands[ada.commands.index(t.WILL + t.ECHO) :]
        assert t.WONT + t.ECHO in after, "the name is shown again"


async def test_a_bare_connection_says_the_word_too(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "QUIET", 0.05)
    async with open_telnet(access="password", keys=kept) as telnet:
        async with telnet.call(silent=True) as nc:
            await nc.reads("Server password:")
            nc.send(f"{WORD}\nada\n".encode())
            await nc.reads("ada 80x24")
            assert nc.commands == [t.DO + t.TTYPE]
        async with telnet.call(silent=True) as nc:
            await nc.reads("Server password:")
            nc.send(b"1\n2\n3\n4\n5\n6\n")
            await nc.end()
            assert nc.text.count("That is not the password.") == 5


@pytest.mark.slow
async def test_who_hangs_up_while_the_word_is_looked_at_leaves_nothing(kept: Path) -> None:
    async with open_telnet(access="password", keys=kept) as telnet:
        async with telnet.terminal() as ada:
            await ada.reads("Server password:")
            ada.line(WORD)
        await telnet.empty()
        assert not telnet.opened.frontends


async def test_telnet_is_closed_where_only_keys_count(tmp_path: Path) -> None:
    async with open_telnet(access="keys", keys=tmp_path) as telnet, telnet.terminal() as ada:
        await ada.end()
        assert "telnet has no keys" in ada.text
        assert "ssh -p 22 HOST" in ada.text
        assert "Your name" not in ada.text


# ------------------------------------------------------------------ real clients


@pytest.mark.skipif(not shutil.which("ssh"), reason="no ssh here")
async def test_openssh_asks_its_user_for_the_word(kept: Path, tmp_path: Path) -> None:
    key("ssh").write_private_key(tmp_path / "id")
    (tmp_path / "id").chmod(0o600)
    async with open_server(GENEROUS, access="password", keys=kept) as opened:
        command = [
            "ssh", "-F", "/dev/null", "-p", str(opened.line.listening.port), "-l", "ada+de",
            "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null",
            "-o", "IdentityAgent=none", "-o", "IdentitiesOnly=yes",
            "-i", str(tmp_path / "id"), "127.0.0.1",
        ]  # fmt: skip

        def first() -> None:
            with Window(command) as window:
                window.wait_for("Kennwort:")
                window.press("daneben\r")
                window.wait_for("Das ist nicht das Kennwort.")
                window.wait_until(lambda: window.text.count("Kennwort:") == 2)
                window.press(f"{WORD}\r")
                window.wait_for("ada 80x24")
                assert WORD not in window.text
                window.press("q")
                window.wait_for_end()

        def again() -> None:
            with Window(command) as window:
                window.wait_for("ada 80x24")
                assert "Kennwort" not in window.text
                window.press("q")
                window.wait_for_end()

        await asyncio.to_thread(first)
        await asyncio.to_thread(again)


@pytest.mark.skipif(not shutil.which("telnet"), reason="no telnet here")
async def test_the_word_is_not_shown_by_a_telnet_program_and_the_name_is(kept: Path) -> None:
    async with open_telnet(access="password", keys=kept) as telnet:

        def say() -> None:
            with Window(["telnet", "127.0.0.1", str(telnet.line.listening.port)]) as window:
                window.wait_for("Server password:")
                window.press("seagull\r")
                window.wait_for("That is not the password.")
                window.press(f"{WORD}\r")
                window.wait_for("Your name")
                window.press("ada")
                window.wait_for("? for help): ada")
                assert "seagull" not in window.text
                assert WORD not in window.text
                window.press("\r")
                window.wait_for("ada 80x24")
                window.press("q\r")
                window.wait_for_end()

        await asyncio.to_thread(say)
