"""One harness, for so many seconds: ``python -m tests.fuzz.one NAME SECONDS``. See
``tests.fuzz.__main__``.
"""

import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis.stateful import run_state_machine_as_test

CORPUS = Path(".fuzz")
_AT_ONCE = 200
"""Examples between two looks at the clock."""
_OURS = ("engine", "server")
"""Packages in which new code is worth keeping an input for ..."""
_THEIRS = {
    "settings": ("tomllib",),
    "ssh-bytes": ("asyncssh",),
    "ssh-packets": ("asyncssh",),
}
"""... and those of others that do most of the work for a harness."""


def main() -> None:
    """Exits with another status than 0 when an invariant did not hold."""
    name, seconds = sys.argv[1], float(sys.argv[2])
    warnings.simplefilter("error")
    place = CORPUS / name
    place.mkdir(parents=True, exist_ok=True)
    if name == "tables":
        _machine(seconds)
    elif atheris := _atheris(name):
        _guided(atheris, name, seconds, place)
    else:
        _made_up(name, seconds)


def _atheris(name: str) -> Any:
    """The fuzzer, or nothing where it is not installed."""
    try:
        import atheris
    except ImportError:
        print("atheris is not installed: hypothesis alone", flush=True)
        return None
    with atheris.instrument_imports(include=[*_OURS, *_THEIRS.get(name, ())]):
        import tests.fuzz.every  # noqa: F401
    return atheris


def _guided(atheris: Any, name: str, seconds: float, place: Path) -> None:
    from tests.fuzz.every import HARNESSES

    harness = HARNESSES[name]
    check = _telling(harness.check)
    for value in harness.known:
        check(value)
    made: Any = _quiet(1)(given(harness.inputs)(check))
    drawn = made.hypothesis.fuzz_one_input
    make = harness.from_bytes

    def once(data: bytes) -> None:
        # Any bytes never come to a whole record or order, and a strategy never to what is none: both, then.
        if make is None:
            drawn(data)
        elif data[:1] < b"\x80":
            check(make(data[1:]))
        else:
            drawn(data[1:])

    options = [
        f"-max_total_time={int(seconds)}",
        f"-artifact_prefix={place}/found-",
        "-verbosity=0",
    ]
    atheris.Setup([sys.argv[0], *options, "-rss_limit_mb=2048", "-timeout=30", str(place)], once)
    atheris.Fuzz()


def _made_up(name: str, seconds: float) -> None:
    from tests.fuzz.every import HARNESSES

    harness = HARNESSES[name]
    for value in harness.known:
        harness.check(value)
    _until(seconds, _quiet(_AT_ONCE)(given(harness.inputs)(harness.check)))


def _machine(seconds: float) -> None:
    from tests.fuzz.tables import Tables

    _until(seconds, lambda: run_state_machine_as_test(Tables, settings=_quiet(_AT_ONCE)))


def _until(seconds: float, work: Callable[[], object]) -> None:
    end = time.monotonic() + seconds
    rounds = 0
    while time.monotonic() < end:
        work()
        rounds += 1
    print(f"{rounds * _AT_ONCE} inputs")


def _telling(check: Callable[[Any], None]) -> Callable[[Any], None]:
    """Shows the input that breaks an invariant, as Python."""

    def told(value: Any) -> None:
        try:
            check(value)
        except Exception:
            print(f"INPUT: {value!r}", file=sys.stderr)
            raise

    return told


def _quiet(examples: int) -> settings:
    return settings(
        max_examples=examples,
        deadline=None,
        database=None,
        stateful_step_count=40,
        suppress_health_check=list(HealthCheck),
    )


if __name__ == "__main__":
    main()
