"""Every harness, briefly, and always with the same inputs: new ones are for ``make fuzz`` to find."""

import asyncio

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.fuzz.every import HARNESSES
from tests.fuzz.harness import Harness, in_a_hurry
from tests.fuzz.ours import strange_in
from tests.fuzz.servers import Onlooker, a_place
from tests.fuzz.tables import Tables


def brief(examples: int, **more: int) -> settings:
    return settings(
        max_examples=examples,
        derandomize=True,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate, Phase.shrink],
        **more,  # type: ignore[arg-type]
    )


@pytest.mark.parametrize("harness", HARNESSES.values(), ids=HARNESSES)
def test_known_inputs(harness: Harness) -> None:
    for value in harness.known:
        harness.check(value)


@pytest.mark.slow
@pytest.mark.parametrize("harness", HARNESSES.values(), ids=HARNESSES)
def test_whatever_comes(harness: Harness) -> None:
    brief(harness.examples)(given(harness.inputs)(harness.check))()


@pytest.mark.parametrize("harness", HARNESSES.values(), ids=HARNESSES)
def test_any_bytes_make_an_input(harness: Harness) -> None:
    for data in (b"", b"\0", b"ada|\xff\xfe|\x1b[2J|\r\n|{table}"):
        if harness.from_bytes is not None:
            harness.check(harness.from_bytes(data))


@pytest.mark.slow
def test_commands_in_any_order() -> None:
    run_state_machine_as_test(Tables, settings=brief(20, stateful_step_count=25))


def test_every_harness_says_what_must_hold() -> None:
    assert all(len(harness.invariants) > 100 for harness in HARNESSES.values())
    assert "Invariants" in (Tables.__doc__ or "")


# ---------------------------------------------------------------- that the harnesses would notice


@pytest.mark.parametrize(
    "text",
    ["\x1b[5n", "\x1b]0;title\x07", "\x1b]52;c;x\x1b\\", "\x9b2J", "\x1bc", "a\u202eb", "\u200b", "\x0e"],
)  # fmt: skip
def test_what_is_not_ours_is_noticed(text: str) -> None:
    assert strange_in(f"before{text}after")
    with pytest.raises(AssertionError, match="another player"):
        Onlooker(lines=False).write(text)


def test_what_is_ours_passes() -> None:
    assert not strange_in("\x1b[?1049h\x1b[1;38;5;3mgrüße \u6f6e\x1b[K\r\n\a\x1b]9;Turn: now\x1b\\")


def test_a_failed_callback_is_noticed() -> None:
    async def main() -> None:
        asyncio.get_running_loop().call_soon(lambda: {"one": 1}["two"])
        await asyncio.sleep(1)

    with pytest.raises(AssertionError, match="KeyError"):
        in_a_hurry(main)


def test_a_session_that_fails_is_noticed() -> None:
    async def main() -> None:
        async with a_place() as place:
            place.server.make_frontend = None  # type: ignore[assignment, misc]
            wire = place.calls()
            wire.arrives(b"eve\r\n")
            await asyncio.sleep(2)

    with pytest.raises(AssertionError, match="session_failed"):
        in_a_hurry(main)


def test_hours_pass_at_once() -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        before = loop.time()
        await asyncio.sleep(7200)
        assert loop.time() - before == pytest.approx(7200)

    in_a_hurry(main)
