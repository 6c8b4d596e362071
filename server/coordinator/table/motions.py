"""What the connected players agree on."""

from server.coordinator.messages import Motion, Status, VoteInfo
from server.coordinator.table.model import Table


def vote_infos(table: Table) -> tuple[VoteInfo, ...]:
    """The votes in progress, in a fixed order."""
    if not table.ballots:
        return ()
    connected, awaited = table.connected, table.awaited
    found = []
    for motion, target in sorted({(ballot.motion, ballot.target) for ballot in table.ballots}):
        agreed = sorted(b.seat for b in table.ballots if (b.motion, b.target) == (motion, target))
        people = awaited if motion is Motion.END else connected
        found.append(VoteInfo(motion, target, tuple(agreed), needed(motion, target, people)))
    return tuple(found)


def needed(motion: Motion, target: int, people: frozenset[int]) -> int:
    """How many must agree: more than half of the people who count to replace somebody, else all."""
    voters = len(people - {target})
    return voters // 2 + 1 if motion is Motion.REPLACE else voters


def carried(table: Table) -> VoteInfo | None:
    """The first motion that enough players agree to."""
    if table.status is not Status.PLAYING:
        return None
    infos = vote_infos(table)
    return next((info for info in infos if len(info.agreed) >= max(1, info.needed)), None)


def rematch(table: Table) -> bool:
    """Whether every connected player wants another game."""
    connected = table.connected
    return bool(connected) and all(table.seats[number].rematch for number in connected)
