"""Names that others rely on, as a real server sends and keeps them: one list of lines for each golden file.

Those of the API are in docs/api.md, which tests/jsonapi/test_docs.py compares with the code.

Two programs (one of them a guest), a MUD client and a bot play a game to its end and begin another one; then
the server is stopped, and what it has written is read.
"""

import asyncio
import json
import re
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import asyncssh

from server.transport.telnet import protocol as t
from tests.contract.paths import fields_of
from tests.support import clients
from tests.support.clients import Program, connect
from tests.support.metrics import get
from tests.support.servers import AT_ONCE, Server, tide
from tests.support.telnet_caller import Caller

SETTINGS = {
    **AT_ONCE,
    "TIDE_METRICS_PORT": "0",
    "TIDE_NOTICE": "Welcome!",
    "TIDE_STOP_SECONDS": "0",
}
OPTIONS = {"players": 4, "stages": 2, "pace": "untimed", "assistance": True, "edition": "bga"}


class MudClient(Caller):
    """Asks for everything that is sent to programs, and plays in line mode."""

    cards: list[int]
    """Those it has not bid in this stage."""

    def messages(self, name: str) -> list[dict[str, Any]]:
        start = t.GMCP + name.encode() + b" "
        return [json.loads(sub[len(start) :]) for sub in self.subs if sub.startswith(start)]

    @property
    def state(self) -> dict[str, Any]:
        return (self.messages("Tide.State") or [{"place": ""}])[-1]


async def operator_says(place: Path) -> None:
    """What everybody is told."""
    said = await asyncio.to_thread(tide, "admin", "--state", str(place / "state"), "say", "Hello!")
    assert said.returncode == 0, said.stderr


def observed(place: Path) -> dict[str, list[str]]:
    """The lines of each golden file, from a server with its state in ``place``."""
    with Server(place, **SETTINGS) as server:
        sent = asyncio.run(evening(server))
        assert server.stop() == 0
    return sent | kept(place)


async def evening(server: Server) -> dict[str, list[str]]:
    """What is sent by a server."""
    async with (
        program(server, "ada", account=True) as ada,
        program(server, "bo") as bo,
        mud_client(server, "dora") as dora,
    ):
        await play(ada, bo, dora, server.place)
        return {
            "telnet_gmcp": [
                f"{name} {line}"
                for name in ("Comm.Channel.Text", "Tide.State")
                for line in fields_of(dora.messages(name))
            ],
            "telnet_mssp": sorted(set(mssp(dora.subs))),
            "metrics": await asyncio.to_thread(metrics, server.logged("open")["metrics_port"]),
        }


@asynccontextmanager
async def program(server: Server, name: str, *, account: bool = False) -> AsyncIterator[Program]:
    keys = [asyncssh.generate_private_key("ssh-ed25519")] if account else []
    async with connect(server.ssh_port, name, keys) as client:
        yield await clients.program(client)


@asynccontextmanager
async def mud_client(server: Server, name: str) -> AsyncIterator[MudClient]:
    streams = await asyncio.open_connection("127.0.0.1", server.telnet_port)
    client = MudClient(*streams, do=(t.GMCP, t.MSSP))
    try:
        await client.reads("Your name")
        client.line(name)
        await client.until(lambda one: one.state["place"] == "lobby")
        yield client
    finally:
        await client.close()


async def ok(one: Program, what: str, **fields: Any) -> None:
    """Give a command that is obeyed."""
    answer = await one.say(json.dumps({"id": 1, "do": what, **fields}))
    assert answer["ok"], (what, fields, answer)


async def play(ada: Program, bo: Program, dora: MudClient, place: Path) -> None:
    """All of an evening."""
    for each in (ada, bo):
        await each.until(lambda one: one.update)
    await ok(ada, "new", options=OPTIONS)
    code = ada.update["table"]["table"]
    await bo.until(lambda one: one.update["lobby"]["tables"])
    await dora.until(lambda one: one.state["tables"])
    await ok(ada, "options", options={"spectators": "delayed"})
    await ok(ada, "add", strategy="tidal")
    await ok(ada, "keep", seat=2, name="bo")
    await ok(ada, "private", word="otter")
    await ok(ada, "public")
    await ok(bo, "join", table=code, seat=2)
    dora.line(f"join {code}")
    await dora.until(lambda one: one.state["place"] == "table")
    await ada.until(lambda one: all(seat["name"] for seat in one.update["table"]["seats"]))
    await ok(ada, "move", seat=2, to=0)
    await ok(ada, "start")
    await bo.until(lambda one: one.update["table"]["status"] == "playing")
    await ok(ada, "say", text="Good luck!")
    await ok(bo, "tell", name="ada", phrase="thanks")
    await ok(bo, "tell", name="dora", text="Hello!")
    await dora.until(lambda one: len(one.messages("Comm.Channel.Text")) == 2)
    await operator_says(place)
    await ada.until(lambda one: one.update["house"])
    await ok(ada, "vote", motion="pause")
    await ok(bo, "vote", motion="pause")
    dora.line("vote pause")
    await ada.until(lambda one: one.update["table"]["paused"])
    await dora.until(lambda one: one.state["paused"])
    await ok(ada, "resume")
    await dora.until(lambda one: not one.state["paused"])
    for each in (ada, bo):
        await each.until(lambda one: not one.update["table"]["paused"])
    while ada.update["table"]["status"] == "playing":
        await one_round(ada, bo, dora)
    await bo.until(lambda one: one.update["table"]["status"] == "over")
    await dora.until(lambda one: one.state["status"] == "over" and one.state.get("played_by", True))
    await ok(ada, "mute", name="bo")
    await ok(ada, "block", name="bo")
    chosen = {"language": "de", "theme": "sea", "thin": True, "lines": True}
    await ok(ada, "set", settings=chosen)
    await ok(ada, "report", name="bo", text="shouts")
    await ok(ada, "again")
    await ok(bo, "again")
    dora.line("again")
    await ada.until(lambda one: one.update["table"]["status"] == "playing")
    await bo.until(lambda one: one.update["table"]["status"] == "playing")
    await dora.until(lambda one: one.state["status"] == "playing")
    await one_round(ada, bo, dora)
    assert (await ada.bid())["ok"]
    await ok(bo, "leave")


async def one_round(ada: Program, bo: Program, dora: MudClient) -> None:
    """Everybody who is still in the stage bids; ends in the next round, or with the game."""
    game = ada.update["game"]
    now = (ada.update["table"]["games"], game["stage"], game["round"])

    def there(one: Program) -> bool:
        table, game = one.update["table"], one.update["game"]
        return (table["games"], game["stage"], game["round"]) == now

    def done(one: Program) -> bool:
        return not there(one) or one.update["table"]["status"] == "over"

    # Who watches the bids first sees them: the others have not bid yet. It looks once a stage: a MUD client's
    # state comes twice a second at most.
    if now[2] == 0:
        await dora.until(
            lambda one: (
                (one.state["stage"], one.state["round"], one.state["phase"])
                == (now[1] + 1, 1, "bidding")
            )
        )
        dora.cards = dora.state["you"]["hand"][:]
        dora.line(str(dora.cards.pop()))
        await dora.until(lambda one: one.state["you"]["bid"] or one.state["round"] != 1)
    else:
        await ada.until(lambda one: done(one) or one.update["game"]["phase"] == "bidding")
        dora.line(str(dora.cards.pop()))
    for each in (ada, bo):
        await each.until(
            lambda one: done(one) or (there(one) and one.update["game"]["phase"] == "bidding")
        )
        if each.update["you"]["to_bid"]:
            assert (await each.bid())["ok"]
    for each in (ada, bo):
        await each.until(done)


# ------------------------------------------------------------------------------ what is told and kept


def mssp(subs: list[bytes]) -> list[str]:
    sub = next(sub for sub in subs if sub.startswith(t.MSSP))
    return [part.split(t.MSSP_VAL)[0].decode() for part in sub.split(t.MSSP_VAR)[1:]]


def metrics(port: int) -> list[str]:
    """The families with their types and the labels that there are."""
    text = get(port, "/metrics").body
    lines = set()
    for line in text.splitlines():
        if line.startswith("# TYPE tide"):
            lines.add(line.removeprefix("# TYPE "))
        elif line.startswith("tide") and (labels := re.match(r"(\w+)(\{[^}]*\}) ", line)):
            lines.add(f"{labels[1]} {re.sub('version=.*}', 'version=...}', labels[2])}")
    return sorted(lines)


def kept(place: Path) -> dict[str, list[str]]:
    """What lies in the state directory, and in the database."""
    files = sorted(str(each.relative_to(place)) for each in place.glob("*/*") if each.is_file())
    with closing(sqlite3.connect(f"file:{place}/state/tide.db?mode=ro", uri=True)) as database:
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
