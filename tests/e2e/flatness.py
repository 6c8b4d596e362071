"""Whether there is more of anything than there was, judging by what ``watched`` counts."""

import os
from collections import Counter
from typing import Any, Final

_A_FEW: Final = 3
"""Objects of a kind that come and go."""
_A_FEW_HELD: Final = 12
"""Things in a container that do: addresses and people of the last moments."""
_FILLS_UP: Final = {
    "server.coordinator.presence.Spoken": 60,
    "server.coordinator.messages.updates.ChatLine": 60,
    "server.coordinator.chat.ChatRoom._history": 60 * 20,
    "server.coordinator.presence.Presence.direct": 60 * 20,
    # A guesser's address is remembered for a minute a wrong code, and eight are tried; enemies come from ever
    # new addresses, each of which is remembered until others knock.
    "server.networks.RateLimiter._whole": 120,
    # Every network that has knocked, until its share is whole again and others knock.
    "server.terminal.meter.Network": 1_000,
    "server.networks.TokenBucket": 2_000,
    "server.terminal.meter.Networks._known": 1_000,
    "server.terminal.meter.Networks._last": 3_000,
    # A few tables more or less are open ...
    "server.coordinator.messages.tables.SeatInfo": 60,
    "server.coordinator.messages.tables.SeatInfo.bot_bids": 60 * 12,
    # ... or were when the lobby was shown last.
    "engine.editions.Rules": 12,
    "server.coordinator.messages.tables.TableOptions": 12,
    "server.coordinator.messages.tables.TablePublic": 12,
    "server.coordinator.messages.tables.TablePublic.seats": 60,
    "server.coordinator.messages.updates.TableRow": 12,
    "server.coordinator.messages.updates.TableRow.names": 60,
    "server.coordinator.messages.updates.GameNow": 12,
    "server.coordinator.messages.updates.GameNow.levels": 60,
    "server.coordinator.messages.updates.GameNow.life_preservers": 60,
    "server.coordinator.messages.updates.GameNow.points": 60,
    "re._cache": 512 * 5,
    "prompt_toolkit.cache.SimpleCache._data": 11_000,
    "prompt_toolkit.cache.SimpleCache._keys": 11_000,
}
"""What grows until there is this much of it, and then no more: the last lines of the lobby, addresses for as
long as they count, patterns and keys."""
_THREADS: Final = 8 + min(32, (os.cpu_count() or 1) + 4)
"""Those of the storage and of whoever asks, and the event loop's pool, which fills up as it is used."""
_SMALL: Final = 2_000
"""Objects of any kind, most of them the interpreter's, that make no difference ..."""
_GROWN: Final = 0.02
"""... nor does this share of all there are."""
_RESIDENT: Final = 0.15
"""The same for memory, which is never given back to the last page."""


def grown(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """What there is more of, in words."""
    found = [
        f"{before[what]} {what} before, {after[what]} after"
        for what, always in (("tasks", 0), ("threads", _THREADS))
        if after[what] > max(before[what], always)
    ]
    opened = Counter(after["descriptors"]) - Counter(before["descriptors"])
    found += [f"{count} more open: {kind}" for kind, count in opened.items()]
    for what, most in (("objects", _A_FEW), ("held", _A_FEW_HELD)):
        more = Counter(after[what]) - Counter(before[what])
        found += [
            f"{count} more of {kind}"
            for kind, count in more.items()
            if count > most and after[what][kind] > _FILLS_UP.get(kind, 0)
        ]
    more_of_all = after["everything"] - before["everything"]
    if more_of_all > _SMALL + _GROWN * before["everything"]:
        found.append(f"{more_of_all} more objects of any kind")
    if after["resident"] > before["resident"] * (1 + _RESIDENT):
        found.append(f"{before['resident']} KiB of memory before, {after['resident']} after")
    return found


def total(counted: dict[str, int]) -> int:
    """All kinds together."""
    return sum(counted.values())


def in_short(counts: dict[str, Any]) -> str:
    """One line for who follows a long run."""
    return (
        f"{counts['tasks']} tasks, {counts['threads']} threads, {total(counts['descriptors'])} descriptors, "
        f"{total(counts['objects'])} objects of ours, {total(counts['held'])} things held, "
        f"{counts['everything']} objects of any kind, {counts['resident'] / 1024:.1f} MiB"
    )
