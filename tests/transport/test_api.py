"""Programs over real SSH connections."""

import asyncio
import json
import re
import shutil
import sys
from collections.abc import AsyncIterator
from itertools import count
from pathlib import Path
from typing import Any

import asyncssh
import pytest
from structlog.testing import capture_logs

from server import StoreError
from server.jsonapi.schema import schema
from tests.support.clients import Program as Line
from tests.support.clients import program as calling
from tests.support.connections import (
    AT_ONCE,
    GENEROUS,
    Open,
    ban,
    key,
    open_server,
    real_frontend,
    until,
)
from tests.support.openssh import command, environment, key_file, run
from tests.support.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
BOT = ROOT / "docs" / "examples" / "bot.py"
needs_ssh = pytest.mark.skipif(not shutil.which("ssh"), reason="no ssh here")


@pytest.fixture
async def opened() -> AsyncIterator[Open]:
    async with open_server(make_frontend=real_frontend, timing=AT_ONCE) as one:
        yield one


async def test_hello_and_a_table(opened: Open) -> None:
    async with opened.connect("crab", [key("crab")]) as client:
        line = await calling(client)
        hello = (await line.next("hello"))["hello"]
        assert hello["player"] == {"name": "crab", "guest": False}
        assert hello["rejoin"] is None
        assert await line.say('{"id": 1, "do": "play"}') == {"id": 1, "ok": True}
        (session,) = opened.server.sessions
        assert (session.caller.line, session.frontend_kind) == ("ssh", "api")
        await line.say('{"do": "quit"}')
        assert (await line.next("end"))["end"]["code"] == "left"
        assert (await line.process.wait()).exit_status == 0


async def test_a_guest_gets_a_code_and_is_back_with_it(opened: Open) -> None:
    async with opened.connect("crab") as client:
        line = await calling(client)
        code = (await line.next("hello"))["hello"]["rejoin"]
        await line.say('{"do": "play"}')
    async with opened.connect(f"crab+{code}") as client:
        line = await calling(client)
        await line.until(lambda it: it.update.get("place") == "table")
    assert line.update["you"]["seat"] == 0


async def test_a_dropped_program_is_back_on_its_seat(opened: Open) -> None:
    async with opened.connect("crab", [key("crab")]) as client:
        line = await calling(client)
        await line.say('{"do": "play"}')
        await line.say('{"do": "look"}')
        client.abort()
    async with opened.connect("crab", [key("crab")]) as client:
        line = await calling(client)
        await line.until(lambda it: it.update.get("you") and it.update["you"]["to_bid"])
        assert (await line.bid())["ok"]


async def test_bytes_that_are_no_utf8_are_refused_with_their_place(opened: Open) -> None:
    async with opened.connect("crab") as client:
        process = await client.create_process("api", encoding=None)
        process.stdin.write(b'{"do": "say", "text": "\xff"}\n{"id": 2, "do": "look"}\n')
        process.stdin.write_eof()
        async with asyncio.timeout(PATIENCE):
            out = await process.stdout.read()
    answers = [each for each in map(json.loads, out.splitlines()) if "ok" in each]
    assert answers[0]["code"] == "utf8"
    assert answers[0]["details"] == {"byte": 24}
    assert answers[1] == {"id": 2, "ok": True}


async def test_a_name_that_asks_for_a_table_leads_there(opened: Open) -> None:
    async with opened.connect("ada") as one, opened.connect("crab+bobobobo") as two:
        line = await calling(one)
        await line.say('{"do": "new"}')
        stray = await calling(two)
        notices = (await stray.next("hello"))["hello"]["notices"]
        assert notices[-1]["code"] == "no_such_table"
        assert notices[-1]["text"]
        code = opened.lobby.feed.snapshot().tables[0].id
        async with opened.connect(f"eve+{code}") as three:
            eve = await calling(three)
            assert (await eve.next("update"))["update"]["place"] in {"table", "nowhere"}


async def test_who_is_banned_gets_json_too(opened: Open) -> None:
    opened.server.bans.fill(ban("name", "crab", reason="too loud"))
    async with opened.connect("crab") as client:
        line = await calling(client)
        end = (await line.next("end"))["end"]
    assert end["code"] == "banned"
    assert "too loud" in end["text"]


@pytest.mark.parametrize(
    ("mistake", "code"), [(RuntimeError("oops"), "internal"), (StoreError("damaged"), "storage")]
)
async def test_what_goes_wrong_here_is_told_as_json(mistake: Exception, code: str) -> None:
    def no_frontend(*_: Any, **__: Any) -> Any:
        raise mistake

    async with open_server(make_frontend=no_frontend) as opened, opened.connect("crab") as client:
        process = await client.create_process("api", encoding="utf-8")
        async with asyncio.timeout(PATIENCE):
            out = await process.stdout.read()
    end = json.loads(out)["end"]
    assert end["code"] == code
    assert end["text"]


async def test_that_nobody_can_come_in_is_logged_once_in_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def no_frontend(*_: Any, **__: Any) -> Any:
        raise StoreError("unreachable")

    async with open_server(make_frontend=no_frontend) as opened:
        now = [100.0]
        monkeypatch.setattr(opened.server.limiter, "now", lambda: now[0])
        with capture_logs() as lines:
            for seconds in (0.0, 1.0, 59.0, 1.0):
                now[0] += seconds
                async with opened.connect("crab") as client, asyncio.timeout(PATIENCE):
                    process = await client.create_process("api", encoding="utf-8")
                    await process.stdout.read()
        told = [line for line in lines if line["event"] == "cannot_come_in"]
        assert [(line["log_level"], line["also"]) for line in told] == [
            ("warning", 0),
            ("warning", 1),
        ]


async def test_what_comes_too_fast_waits_and_nothing_is_lost() -> None:
    async with (
        open_server(GENEROUS, make_frontend=real_frontend) as opened,
        opened.connect("crab") as client,
    ):
        ticks = count()
        opened.server.players.spent = lambda: next(ticks)  # a second for each look
        line = await calling(client)
        line.process.stdin.write("".join(f'{{"id": {n}, "do": "ping"}}\n' for n in range(9)))
        line.process.stdin.write_eof()
        for number in range(9):
            assert (await line.next("ok"))["id"] == number
        assert (await line.next("end"))["end"]["code"] == "left"
        assert opened.server.usage.waited.count


async def test_who_says_nothing_stays_when_others_who_ask_for_nothing_go() -> None:
    async with (
        open_server(GENEROUS, make_frontend=real_frontend) as opened,
        opened.connect("crab") as client,
    ):
        line = await calling(client)
        await line.next("update")
        opened.limit(idle_connection_seconds=0.05)
        async with opened.connect("eve") as idle, asyncio.timeout(PATIENCE):
            await idle.wait_closed()
        assert await line.say('{"do": "look"}') == {"id": None, "ok": True}


@needs_ssh
async def test_a_pipe_gets_all_its_answers(opened: Open) -> None:
    ran = await run(
        [*command(opened), "-T", "127.0.0.1", "api"],
        b'{"id": 1, "do": "play"}\nwhat?\n{"id": 3, "do": "leave"}',
    )
    lines = [json.loads(line) for line in ran.out.splitlines()]
    assert "hello" in lines[0]
    answers = [(each["id"], each["ok"]) for each in lines if "ok" in each]
    assert answers == [(1, True), (None, False), (3, True)]
    assert lines[-1]["end"]["code"] == "left"
    assert (ran.status, ran.err) == (0, "")


@needs_ssh
async def test_the_example_bot_plays_a_game_to_its_end(opened: Open, tmp_path: Path) -> None:
    ssh = [
        *command(opened, "-i", key_file(tmp_path, "crab"), name="crab"),
        "-T",
        "127.0.0.1",
        "api",
    ]
    ran = await run([sys.executable, str(BOT), *ssh])
    assert (ran.status, ran.err) == (0, "")
    assert re.fullmatch(r"won by \w+( and \w+)*\n", ran.out)
    await opened.empty()


@needs_ssh
async def test_three_example_bots_find_each_other(opened: Open) -> None:
    async with opened.connect("ada") as client:
        line = await calling(client)
        options = '{"players": 3, "stages": 1, "pace": "untimed"}'
        await line.say(f'{{"do": "new", "options": {options}}}')
        bots = [
            await asyncio.create_subprocess_exec(
                *(sys.executable, str(BOT), "--any"),
                *(*command(opened, name=name), "-T", "127.0.0.1", "api"),
                stdout=asyncio.subprocess.PIPE,
                env=environment(),
            )
            for name in ("crab", "shrimp")
        ]
        while not (await line.say('{"id": "start", "do": "start"}'))["ok"]:
            await line.next("update")
        while line.update["table"]["status"] != "over":
            if line.update["you"]["to_bid"]:
                await line.bid()
            else:
                await line.next("update")
        for bot in bots:
            async with asyncio.timeout(PATIENCE):
                out, _ = await bot.communicate()
            assert b"won by" in out
            assert bot.returncode == 0


class Reader(asyncssh.SSHClient):
    """A client as libraries have it: it notes what it is told before the login, and answers nothing."""

    said = ""

    def auth_banner_received(self, msg: str, lang: str) -> None:
        self.said += msg


async def test_a_library_without_a_key_comes_in_as_a_guest_or_is_told_how(opened: Open) -> None:
    plain = asyncssh.SSHClient
    for name, password in (("crab+guest", None), ("crab", "")):
        async with opened.connect(name, client_factory=plain, password=password) as connection:
            hello = (await (await calling(connection)).next("hello"))["hello"]
            assert hello["player"] == {"name": "crab", "guest": True}
            assert hello["notices"] == []
        await opened.empty()
    client = Reader()
    with pytest.raises(asyncssh.PermissionDenied):
        await opened.connect("crab", client_factory=lambda: client)
    assert "crab+guest" in client.said
    async with opened.connect("crab", [key("crab")], client_factory=Reader) as connection:
        hello = (await (await calling(connection)).next("hello"))["hello"]
        assert hello["player"] == {"name": "crab", "guest": False}


@pytest.mark.parametrize("access", ["password", "keys"])
async def test_where_not_everybody_may_come_in_saying_guest_does_not_help(
    access: str, tmp_path: Path
) -> None:
    async with open_server(access=access, keys=tmp_path) as opened:
        client = Reader()
        with pytest.raises(asyncssh.PermissionDenied):
            await opened.connect("crab+guest", client_factory=lambda: client)
        assert "+guest" not in client.said


async def test_a_person_who_steers_says_so(opened: Open) -> None:
    for asked, program in (("api", True), ("api person", False)):
        async with opened.connect("crab", [key("crab")]) as client:
            line = Line(await client.create_process(asked, encoding="utf-8"))
            assert (await line.next("hello"))["hello"]["program"] is program
            await line.do("play")
            assert line.update["table"]["seats"][0]["program"] is program


async def test_the_schema_needs_no_session(opened: Open) -> None:
    async with opened.connect("crab") as client:
        result = await client.run("api schema")
        assert result.exit_status == 0
        assert json.loads(str(result.stdout)) == json.loads(schema())
    assert not opened.lobby.people


FOREVER = BOT.with_name("forever.py")


@needs_ssh
@pytest.mark.parametrize("with_account", [True, False])
async def test_the_bot_that_plays_for_ever_comes_back_to_its_seat(
    opened: Open, tmp_path: Path, with_account: bool
) -> None:
    own = ("-i", key_file(tmp_path, "crab")) if with_account else ()
    ssh = (*command(opened, *own, name="crab"), "-T", "127.0.0.1", "api")
    bot = await asyncio.create_subprocess_exec(
        *(sys.executable, str(FOREVER), "--games", "3", *ssh),
        stdout=asyncio.subprocess.PIPE,
        env=environment(),
    )
    await until(lambda: opened.lobby.shared.tally.games_over)
    for session in tuple(opened.server.sessions):
        session.hang_up()
    async with asyncio.timeout(PATIENCE):
        out, _ = await bot.communicate()
    assert (bot.returncode, out.decode()) == (0, "3 games played\n")
    # A guest who does not give its code is somebody new.
    assert len(opened.lobby.feed.snapshot().tables) == (1 if with_account else 2)


@needs_ssh
async def test_the_bot_that_plays_for_ever_stops_where_its_key_plays_elsewhere(
    opened: Open, tmp_path: Path
) -> None:
    own = ("-i", key_file(tmp_path, "crab"))
    ssh = (*command(opened, *own, name="crab"), "-T", "127.0.0.1", "api")
    bot = await asyncio.create_subprocess_exec(
        *(sys.executable, str(FOREVER), *ssh), stderr=asyncio.subprocess.PIPE, env=environment()
    )
    await until(lambda: opened.lobby.shared.tally.bids)
    async with opened.connect("crab", [key("crab")]) as client:
        await (await calling(client)).next("update")
        async with asyncio.timeout(PATIENCE):
            _, err = await bot.communicate()
    assert (bot.returncode, err.decode().splitlines()[-1]) == (
        1,
        "The session has ended: taken_over",
    )


@pytest.mark.parametrize("example", [BOT, FOREVER])
async def test_what_the_server_says_last_is_read_where_nothing_can_be_sent_any_more(
    example: Path, tmp_path: Path
) -> None:
    lobby = {"place": "lobby", "table": None, "game": None, "you": None}
    lines = [{"hello": {}}, {"update": lobby}, {"end": {"code": "taken_over", "text": ""}}]
    said = tmp_path / "said"
    said.write_text("".join(json.dumps(line) + "\n" for line in lines))
    ran = await run([sys.executable, str(example), "sh", "-c", 'exec <&-; cat "$0"', str(said)])
    assert ran.status == 1
    assert re.fullmatch(r"The (server|session) has ended( the session)?: taken_over\n", ran.err)
