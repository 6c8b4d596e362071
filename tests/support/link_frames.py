"""Messages that pass over a link, either way."""

from msgspec.structs import replace

from server.coordinator import messages as m
from server.coordinator.contract import NOTHING, Arrival
from server.link import frames as f

ARRIVE = f.Arrive(1, Arrival("ada", "192.0.2.1", "ssh", public_key=b"\0\xff"))
UP: list[f.LinkFrame] = [
    f.Hello(f.VERSION, "door 1"),
    ARRIVE,
    f.Submit(2, 1, m.PlaceBid(5, 0, 0)),
    f.Submit(3, 1, m.AtTable("kudidoro", m.LeaveTable())),
    f.Call(4, "follow", ("account:1", "bo", True)),
    f.Leave(1),
]
DOWN: list[f.LinkFrame] = [
    f.Welcome(f.VERSION, 7, 1e9),
    f.Result(2, {"code": "ok", "details": {"table": "kudidoro"}}),
    f.LobbyNow((), ("kudidoro",), m.LobbySnapshot((), ("ada",))),
    f.VisitUpdate(1, replace(NOTHING, happenings=(m.Closing(1e9),)), True),
    f.VisitUpdate(1, replace(NOTHING, said=(m.ServerMessage("came", about="bo"),)), False),
]
