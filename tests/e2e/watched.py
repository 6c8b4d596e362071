"""``tide serve``, with somebody who may ask how much there is of everything: ``python -m
tests.e2e.watched ASKED ANSWERED``, two descriptors of pipes that the process inherits. For every line
that comes by the first, one of JSON goes by the second. Nothing of this is in a server that is started
otherwise.
"""

import asyncio
import gc
import json
import os
import sys
import threading
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

OURS: Final = ("asyncssh.", "prompt_toolkit.", "server.")
_KEPT: Final = (
    "server.coordinator.messages.",
    "server.ui.i18n.",
    "server.ui.models.",
    "server.ui.paint.",
    "server.ui.screens.",
    "server.ui.terminal.Size",
)
"""Pictures, and the snapshots that they were made of, are shared and kept in caches of a fixed size."""


def counted() -> dict[str, Any]:
    """Tasks that are not done, open descriptors, objects of the server's and its libraries' classes by
    kind, and how many of those are in caches.
    """
    gc.collect()
    kinds: Counter[str] = Counter()
    tasks = kept = 0
    for one in gc.get_objects():
        kind = type(one)
        name = f"{kind.__module__}.{kind.__qualname__}"
        if name.startswith(_KEPT):
            kept += 1
        elif name.startswith(OURS):
            kinds[name] += 1
        elif isinstance(one, asyncio.Task):
            tasks += not one.done()
    return {"tasks": tasks, "descriptors": descriptors(), "objects": kinds, "kept": kept}


def descriptors() -> Counter[str]:
    """Those that are open, by what they are: a file, a socket, a pipe."""
    found: Counter[str] = Counter()
    for one in Path("/proc/self/fd").iterdir():
        with suppress(OSError):  # the one that looks
            found[str(one.readlink()).split(":[")[0]] += 1
    return found


def answer(asked: int, answered: int) -> None:
    """Until nobody asks any more."""
    with os.fdopen(asked) as questions, os.fdopen(answered, "w") as answers:
        for _ in questions:
            try:
                found = counted()
            except RuntimeError:  # something was changed meanwhile: once more
                found = counted()
            print(json.dumps(found), file=answers, flush=True)


def main() -> None:
    """Serve."""
    pipes = int(sys.argv[1]), int(sys.argv[2])
    threading.Thread(target=answer, args=pipes, daemon=True).start()
    from server import cli

    sys.argv = ["tide", "serve"]
    cli.main()


if __name__ == "__main__":
    main()
