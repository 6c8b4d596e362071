"""What nodes of one house must have in common; the log says where they do not."""

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import structlog
from msgspec import Struct

from server.coordinator.nodes.peer import Peer
from server.coordinator.nodes.peers import Peers
from server.coordinator.time_source import Clock
from server.settings.settings import Settings, declared
from server.storage.statedir import KEY
from server.transport.access import password
from server.transport.access.policy import OPERATORS, PLAYERS
from server.transport.ssh.host_keys import FILE as HOST_KEY

log = structlog.get_logger("nodes")

_FILES: Final = (HOST_KEY, KEY, password.FILE, PLAYERS, OPERATORS)
"""In the keys directory."""
_SETTINGS: Final = frozenset(
    {
        *("public_address", "access", "notice", "telnet", "post_quantum_only"),
        *("limits", "tables", "timing"),
    }
)
"""Settings and sections; in others, nodes may differ."""
_CLOCK: Final = "clock"
CLOCK_SECONDS: Final = 1.0
"""By more than this, the clocks of two nodes should not differ: players see them."""
_AGAIN_SECONDS: Final = 60.0
"""Between two looks at all nodes: the clocks of machines drift apart, or stand still while one is moved."""
_ADVICE: Final = (
    "Make these the same on all nodes (docs/cluster.md), then `tide admin reload`; what needs a restart, "
    "node by node."
)


class AskCommon(Struct, frozen=True, gc=False):
    """The receiver's digests of all this, by name, and the time by its clock."""


class CommonChanged(Struct, frozen=True, gc=False):
    """The sender has read its settings and keys again."""


def common(settings: Settings) -> dict[str, str]:
    """A digest of each, by name; of files that are not there, it is empty."""
    found = {f"keys/{name}": _digest_of(settings.keys / name) for name in _FILES}
    for name, setting in declared().items():
        if name.split(".")[0] in _SETTINGS:
            found[name] = _digest(repr(setting.value_in(settings)).encode())
    return found


class Agreement:
    """``own`` are the digests of this node, and ``clock`` is its clock."""

    def __init__(self, peers: Peers, own: Callable[[], Mapping[str, str]], clock: Clock) -> None:
        self._peers: Final = peers
        self._own: Final = own
        self._clock: Final = clock
        self._told: Final[dict[str, str]] = {}
        """What the log says that is different on a node, by its name."""
        peers.on(AskCommon, self._answer)
        peers.on(CommonChanged, lambda peer, _: self._compare(peer))
        peers.on_meeting.append(self._compare)
        peers.spawn(self._keep(), "common")

    def changed(self) -> None:
        """Settings and keys have been read again."""
        self._peers.tell("common.changed", CommonChanged())
        self._compare_all()

    async def _keep(self) -> None:
        while True:
            await self._clock.sleep_until(self._clock.time() + _AGAIN_SECONDS)
            self._compare_all()

    def _compare_all(self) -> None:
        for peer in self._peers.known.values():
            self._compare(peer)

    async def _answer(self, _peer: Peer, _asked: AskCommon) -> Mapping[str, str]:
        return {**self._own(), _CLOCK: str(self._clock.time())}

    def _compare(self, peer: Peer) -> None:
        self._peers.spawn(self._compared(peer), "common")

    async def _compared(self, peer: Peer) -> None:
        asked = self._clock.time()
        theirs = await peer.ask("common", AskCommon(), dict[str, str])
        if theirs is None:
            return
        own, there = self._own(), float(theirs.get(_CLOCK, asked))
        names = [name for name in own if theirs.get(name, own[name]) != own[name]]
        if not asked - CLOCK_SECONDS <= there <= self._clock.time() + CLOCK_SECONDS:
            names.append(_CLOCK)
        differ = ", ".join(sorted(names))
        if differ == self._told.get(peer.name, ""):
            return
        self._told[peer.name] = differ
        if differ:
            log.warning("nodes_differ", node=peer.name, differ=differ, advice=_ADVICE)
        else:
            log.info("nodes_alike", node=peer.name)


def _digest_of(file: Path) -> str:
    try:
        return _digest(file.read_bytes())
    except OSError:
        return ""


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]
