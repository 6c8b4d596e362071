"""Names that others rely on, as a real server sends and keeps them: one list of lines for each golden file.

Two programs (one of them a guest), a MUD client and a bot play a game to its end and begin another one; then
the server is stopped, and what it has written is read.
"""

import asyncio
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, Self
from urllib.request import urlopen

import asyncssh
from telnetlib3 import telopt as t
from typer.testing import CliRunner

from server.cli.app import app
from tests.contract.paths import fields_of
from tests.support.patience import PATIENCE

ENVIRON = {
    "TIDE_HOST": "127.0.0.1",
    "TIDE_SSH_PORT": "0",
    "TIDE_TELNET_PORT": "0",
    "TIDE_METRICS_PORT": "0",
    "TIDE_LOG": "json",
    "TIDE_NOTICE": "Welcome!",
    "TIDE_STOP_SECONDS": "0",
    **{
        f"TIDE_TIMING_{name}": "0"
        for name in ("REVEAL", "STAGE", "BOT_LEAST", "BOT_MOST", "HURRIED_LEAST", "HURRIED_MOST", "LOBBY")
    },
}  # fmt: skip
OPTIONS = {"players": 4, "stages": 2, "pace": "untimed", "assistance": True, "edition": "bga"}


class Program:
    """A session that speaks JSON."""

    def __init__(self, process: asyncssh.SSHClientProcess[str]) -> None:
        self._process = process
        self.heard: list[dict[str, Any]] = []
        self.update: dict[str, Any] = {}

    async def next(self) -> dict[str, Any]:
        async with asyncio.timeout(PATIENCE):
            line = await self._process.stdout.readline()
        assert line, "the server hung up"
        heard: dict[str, Any] = json.loads(line)
        self.heard.append(heard)
        self.update = heard.get("update", self.update)
        return heard

    async def until(self, happened: Callable[[Self], object]) -> None:
        while not happened(self):
            await self.next()

    async def say(self, line: str) -> dict[str, Any]:
        """Send a line; the answer to it."""
        self._process.stdin.write(line + "\n")
        while "ok" not in (heard := await self.next()):
            pass
        return heard

    async def do(self, what: str, **fields: Any) -> dict[str, Any]:
        answer = await self.say(json.dumps({"id": 1, "do": what, **fields}))
        assert answer["ok"], (what, fields, answer)
        return answer

    async def bid(self) -> None:
        game, you = self.update["game"], self.update["you"]
        await self.do("bid", card=you["legal"][0], stage=game["stage"], round=game["round"])


class MudClient:
    """A telnet client that asks for everything which is sent to programs, and plays in line mode."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self.text = b""

    def send(self, data: bytes) -> None:
        self._writer.write(data)

    def line(self, text: str) -> None:
        self.send(text.encode() + b"\r\n")

    async def until(self, happened: Callable[[Self], object]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not happened(self):
                data = await self._reader.read(4096)
                assert data, self.text
                self.text += data

    def subs(self, option: bytes) -> list[bytes]:
        pattern = re.escape(t.IAC + t.SB + option) + b"(.*?)" + re.escape(t.IAC + t.SE)
        return re.findall(pattern, self.text, re.DOTALL)

    def messages(self, name: str) -> list[dict[str, Any]]:
        start = name.encode() + b" "
        return [json.loads(sub[len(start) :]) for sub in self.subs(t.GMCP) if sub.startswith(start)]

    @property
    def state(self) -> dict[str, Any]:
        return (self.messages("Tide.State") or [{"place": ""}])[-1]

    def bid(self) -> None:
        self.line(str(self.state["you"]["hand"][0]))


def tide(*arguments: str | Path) -> list[str | Path]:
    """The command of the checkout that it is run in."""
    return [sys.executable, "-c", "from server.cli import main; main()", *arguments]


async def operator_says(root: Path, place: Path) -> None:
    """What everybody is told."""
    process = await asyncio.create_subprocess_exec(
        *tide("admin", "--state", place / "state", "say", "Hello!"),
        cwd=root,
        stdout=asyncio.subprocess.DEVNULL,
    )
    assert await process.wait() == 0


@asynccontextmanager
async def server(root: Path, place: Path) -> AsyncIterator[dict[str, Any]]:
    """A server of the checkout at ``root`` with its state in ``place``; what it says of its ports."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TIDE_")}
    process = await asyncio.create_subprocess_exec(
        *tide("serve", "--state", place / "state", "--keys", place / "keys"),
        cwd=root, env={**kept, **ENVIRON},
        stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stderr is not None
    log = [{"event": ""}]
    try:
        async with asyncio.timeout(PATIENCE):
            while log[-1]["event"] != "open":
                line = await process.stderr.readline()
                assert line, log
                log.append(json.loads(line))
        yield log[-1]
        process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(PATIENCE):
            await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def observed(root: Path, place: Path) -> dict[str, list[str]]:
    """The lines of each golden file, from a server of the checkout at ``root``."""
    sent = asyncio.run(evening(root, place))
    return sent | kept(place) | {"exit_codes": exit_codes(root, place)}


async def evening(root: Path, place: Path) -> dict[str, list[str]]:
    """What is sent by a server."""
    async with (
        server(root, place) as ports,
        program(ports, "ada", account=True) as ada,
        program(ports, "bo") as bo,
        mud_client(ports, "dora") as dora,
    ):
        answers = await play(ada, bo, dora, partial(operator_says, root, place))
        return {
            "api_lines": fields_of(each for each in [*ada.heard, *bo.heard] if "ok" not in each),
            "api_answers": [
                f"{do} -> {line}"
                for do, answer in sorted(answers.items())
                for line in fields_of([answer])
            ],
            "telnet_gmcp": [
                f"{name} {line}"
                for name in ("Comm.Channel.Text", "Tide.State")
                for line in fields_of(dora.messages(name))
            ],
            "telnet_mssp": sorted(set(mssp(dora.subs(t.MSSP)[0]))),
            "metrics": await asyncio.to_thread(metrics, ports["metrics_port"]),
        }


@asynccontextmanager
async def program(ports: Any, name: str, *, account: bool = False) -> AsyncIterator[Program]:
    keys = [asyncssh.generate_private_key("ssh-ed25519")] if account else None
    async with (
        asyncssh.connect(
            "127.0.0.1", ports["ssh_port"], username=name, known_hosts=None, client_keys=keys,
            agent_path=None, config=None, client_factory=Keyless,
        ) as connection,
        connection.create_process("api") as process,
    ):  # fmt: skip
        yield Program(process)


class Keyless(asyncssh.SSHClient):
    """Answers no questions, as ``ssh`` does for who has no key."""

    def kbdint_auth_requested(self) -> str:
        return ""

    def kbdint_challenge_received(
        self, name: str, instructions: str, lang: str, prompts: Any
    ) -> Any:
        return []


@asynccontextmanager
async def mud_client(ports: Any, name: str) -> AsyncIterator[MudClient]:
    reader, writer = await asyncio.open_connection("127.0.0.1", ports["telnet_port"])
    client = MudClient(reader, writer)
    client.send(t.IAC + t.DO + t.MSSP + t.IAC + t.DO + t.GMCP)
    try:
        await client.until(lambda one: b"Your name" in one.text)
        client.line(name)
        await client.until(lambda one: one.state["place"] == "lobby")
        yield client
    finally:
        writer.close()
        await writer.wait_closed()


async def play(
    ada: Program, bo: Program, dora: MudClient, say_to_all: Callable[[], Awaitable[object]]
) -> dict[str, dict[str, Any]]:
    """All of an evening; the answers to questions, by what was asked."""
    for each in (ada, bo):
        await each.until(lambda one: one.update)
    await ada.do("new", options=OPTIONS)
    code = ada.update["table"]["table"]
    await bo.until(lambda one: one.update["lobby"]["tables"])
    await dora.until(lambda one: one.state["tables"])
    await ada.do("options", options={"spectators": "delayed"})
    await ada.do("add", strategy="tidal")
    await ada.do("keep", seat=2, name="bo")
    await ada.do("private", word="otter")
    await ada.do("public")
    await bo.do("join", table=code, seat=2)
    dora.line(f"join {code}")
    await dora.until(lambda one: one.state["place"] == "table")
    await ada.until(lambda one: all(seat["name"] for seat in one.update["table"]["seats"]))
    await ada.do("move", seat=2, to=0)
    await ada.do("start")
    await bo.until(lambda one: one.update["table"]["status"] == "playing")
    await ada.do("say", text="Good luck!")
    await bo.do("tell", name="ada", phrase="thanks")
    await bo.do("tell", name="dora", text="Hello!")
    await dora.until(lambda one: len(one.messages("Comm.Channel.Text")) == 2)
    await say_to_all()
    await ada.until(lambda one: one.update["house"])
    await ada.do("vote", motion="pause")
    await bo.do("vote", motion="pause")
    dora.line("vote pause")
    await ada.until(lambda one: one.update["table"]["paused"])
    await dora.until(lambda one: one.state["paused"])
    await ada.do("resume")
    await dora.until(lambda one: not one.state["paused"])
    for each in (ada, bo):
        await each.until(lambda one: not one.update["table"]["paused"])
    while ada.update["table"]["status"] == "playing":
        await one_round(ada, bo, dora)
    await bo.until(lambda one: one.update["table"]["status"] == "over")
    await dora.until(lambda one: one.state["status"] == "over" and one.state.get("played_by", True))
    await ada.do("mute", name="bo")
    await ada.do("block", name="bo")
    answers = {
        "set": await ada.do("set", settings={"language": "de", "theme": "sea", "thin": True, "lines": True}),
        **{do: await ada.do(do) for do in ("settings", "results", "best", "games")},
    }  # fmt: skip
    number = answers["games"]["games"][0]["game"]
    answers["record"] = await ada.do("record", game=number)
    answers["report"] = await ada.do("report", name="bo", text="shouts")
    answers["too late"] = await ada.say('{"id": 1, "do": "bid", "card": 1, "stage": 0, "round": 0}')
    answers["no JSON"] = await ada.say("{")
    await ada.do("again")
    await bo.do("again")
    dora.line("again")
    await ada.until(lambda one: one.update["table"]["status"] == "playing")
    await bo.until(lambda one: one.update["table"]["status"] == "playing")
    await dora.until(lambda one: one.state["status"] == "playing")
    await one_round(ada, bo, dora)
    await ada.bid()
    await bo.do("leave")
    return answers


async def one_round(ada: Program, bo: Program, dora: MudClient) -> None:
    """Everybody who is still in the stage bids; ends in the next round, or with the game."""
    game = ada.update["game"]
    now = (ada.update["table"]["games"], game["stage"], game["round"])

    def there(one: Program) -> bool:
        table, game = one.update["table"], one.update["game"]
        return (table["games"], game["stage"], game["round"]) == now

    def done(one: Program) -> bool:
        return not there(one) or one.update["table"]["status"] == "over"

    # Who watches the bids first sees them: the others have not bid yet.
    await dora.until(
        lambda one: (
            one.state["status"] == "over"
            or (one.state["stage"], one.state["round"], one.state["phase"])
            == (now[1] + 1, now[2] + 1, "bidding")
        )
    )
    own = dora.state["seats"][dora.state["you"]["seat"]]
    if dora.state["status"] == "playing" and not own["eliminated"]:
        dora.bid()
        await dora.until(lambda one: one.state["you"]["bid"] or one.state["round"] != now[2] + 1)
    for each in (ada, bo):
        await each.until(
            lambda one: done(one) or (there(one) and one.update["game"]["phase"] == "bidding")
        )
        if each.update["you"]["to_bid"]:
            await each.bid()
    for each in (ada, bo):
        await each.until(done)


# ------------------------------------------------------------------------------ what is told and kept


def mssp(sub: bytes) -> list[str]:
    return [part.split(t.MSSP_VAL)[0].decode() for part in sub.split(t.MSSP_VAR)[1:]]


def metrics(port: int) -> list[str]:
    """The families with their types and the labels that there are."""
    with urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        text = answer.read().decode()
    lines = set()
    for line in text.splitlines():
        if line.startswith("# TYPE tide"):
            lines.add(line.removeprefix("# TYPE "))
        elif line.startswith("tide") and (labels := re.match(r"(\w+)(\{[^}]*\}) ", line)):
            lines.add(f"{labels[1]} {re.sub('version=.*}', 'version=...}', labels[2])}")
    return sorted(lines)


def kept(place: Path) -> dict[str, list[str]]:
    """What lies in the state directory, and in the database."""
    files = sorted(str(each.relative_to(place)) for each in place.rglob("*") if each.is_file())
    with sqlite3.connect(f"file:{place}/state/tide.db?mode=ro", uri=True) as database:
        (version,) = database.execute("PRAGMA user_version").fetchone()
        columns = [f"version {version}"]
        for kind, name, table in database.execute(
            "SELECT type, name, tbl_name FROM sqlite_master ORDER BY type DESC, name"
        ).fetchall():
            if kind == "table":
                for _, column, of, needed, _, key in database.execute(f"PRAGMA table_info({name})"):
                    words = [of, "NOT NULL" * needed, "PRIMARY KEY" * bool(key)]
                    columns.append(" ".join(filter(None, [f"{name}.{column}", *words])))
            else:
                columns.append(f"{kind} {name} ON {table}")
        values: dict[str, list[Any]] = {}
        for column in re.findall(
            r"^(?:tables|entries|records|people)\.\w+", "\n".join(columns), re.MULTILINE
        ):
            table, _, name = column.partition(".")
            for (value,) in database.execute(f"SELECT {name} FROM {table}"):
                if isinstance(value, str) and value[:1] in {"{", "["}:
                    values.setdefault(column, []).append(json.loads(value))
    entries = {(entry[0], len(entry)) for entry in values.pop("entries.content")}
    return {
        "state_files": files,
        "database": columns,
        "stored_json": [
            *(f"entries.content: {kind}, {length} values" for kind, length in sorted(entries)),
            *(
                f"{name}: {line}"
                for name, found in sorted(values.items())
                for line in fields_of(found)
            ),
        ],
    }


def exit_codes(root: Path, place: Path) -> list[str]:
    """How commands end."""
    state = ("--state", place / "state")
    (place / "taken").write_text("")
    (place / "bad.json").write_text("{}")
    (place / "bad.toml").write_text("door = 7\n")
    commands: dict[str, tuple[str | Path, ...]] = {
        "--help": ("--help",),
        "an unknown command": ("nonsense",),
        "an unknown option": ("serve", "--nonsense"),
        "serve, with a wrong setting": ("serve", "--config", place / "bad.toml", *state),
        "serve, with keys that are none": ("serve", "--keys", place / "taken", *state),
        "records list": ("records", "list", *state),
        "records show, of none that is there": ("records", "show", "999", *state),
        "verify, of a game": ("verify", "1", *state),
        "verify, of no record": ("verify", place / "bad.json"),
        "referee, of no record": ("referee", place / "bad.json"),
        "backup, over a file": ("backup", place / "taken", *state),
        "forget, of nobody": ("forget", "nobody", *state),
        "admin, without a server": ("admin", *state, "people"),
        "replay, of none that is there": ("replay", "999", *state),
    }

    return [f"{name}: {ended(root, words)}" for name, words in commands.items()]


def ended(root: Path, words: tuple[str | Path, ...]) -> int:
    """The status that a command ends with."""
    if words[0] != "serve":  # which sets up the process for itself alone
        return CliRunner().invoke(app, [*map(str, words)]).exit_code
    return subprocess.run(
        tide(*words), cwd=root, stderr=subprocess.DEVNULL, timeout=PATIENCE, check=False
    ).returncode
