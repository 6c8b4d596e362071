"""Python runs this first where PYTHONPATH names this folder: the clock of a node's machine is wrong by the
seconds that WRONG_CLOCKS says, such as ``a=300,b=-300``. What counts time from the start stays as it is.

libfaketime is no use for that: with it, Python's timed waits of threads never end, and with
FAKETIME_DONT_FAKE_MONOTONIC ``time.sleep`` raises ``OSError``.
"""

import os
import sys
import time

_CLOCKS = dict(each.split("=") for each in os.environ.get("WRONG_CLOCKS", "").split(",") if each)
_OPTIONS = sys.orig_argv
_NAME = _OPTIONS[_OPTIONS.index("--node") + 1] if "--node" in _OPTIONS else ""

if _NAME in _CLOCKS:
    _time, _time_ns, _fast = time.time, time.time_ns, float(_CLOCKS[_NAME])
    setattr(time, "time", lambda: _time() + _fast)  # noqa: B010 - mypy
    setattr(time, "time_ns", lambda: _time_ns() + round(_fast * 1e9))  # noqa: B010
