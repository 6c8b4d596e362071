"""A process in which bots think.

It reads questions and answers each with a line of JSON: the answer, or 0, and why there is none.

It ends when there is nothing more to read, as when the server has died.
"""

import json
import os
import pickle
import signal
import sys
from contextlib import suppress

from engine.bots import choose


def main() -> None:
    """Answer questions."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        # For the server alone, which may still have games to finish.
        signal.signal(number, signal.SIG_IGN)
    with suppress(OSError):
        os.nice(5)
    with suppress(EOFError, OSError):
        while True:
            question = pickle.load(sys.stdin.buffer)
            try:
                answer = [question.answer(choose), ""]
            except Exception as error:
                # Of a library that is missing also which one; other errors may name a card.
                missing = getattr(error, "name", None) if isinstance(error, ImportError) else None
                answer = [0, f"{type(error).__name__} {missing or ''}".strip()]
            print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
