"""What each player takes, by kind: bytes are different on every machine."""

import gc
from collections import Counter

import pytest

from server.terminal.application import PlayerApplication
from tests.fuzz.callers import comes_in
from tests.fuzz.harness import in_a_hurry
from tests.fuzz.houses import a_place

OURS = (
    "server.coordinator.",
    "server.transport.",
    "server.fullscreen.",
    "server.linemode.",
    "server.session.",
    "server.terminal.",
)

BIG = {
    # Parts of asyncssh, which has dictionaries.
    "server.transport.ssh.connection.SshConnection",
    "server.transport.ssh.auth.SshAuth",
    "server.transport.ssh.session.SshSession",
    # Parts of prompt_toolkit, which has dictionaries.
    "server.terminal.application.PlayerApplication",
    "server.terminal.application.SessionKeyProcessor",
    "server.terminal.keys.input.SessionInput",
    "server.terminal.output.ChannelOutput",
    "server.terminal.drawing.renderer.FrameRenderer",
    # Keeps something in its dictionary.
    "server.session.chat_history.ChatHistory",
    # A page like others, of which there is one at a time.
    "server.fullscreen.results.page.FinalPage",
}


def with_dictionaries() -> Counter[str]:
    """How many objects of our own there are that each have a dictionary, or room for one."""
    gc.collect()
    kinds = Counter(map(type, gc.get_objects()))
    return Counter(
        {
            f"{kind.__module__}.{kind.__qualname__}": count
            for kind, count in kinds.items()
            if str(kind.__module__).startswith(OURS) and kind.__dictoffset__
        }
    )


@pytest.mark.slow
def test_what_each_player_has_needs_no_dictionaries() -> None:
    async def main() -> None:
        async with a_place() as place:
            _, first, _ = await comes_in(place)
            before = with_dictionaries()
            _, second, _ = await comes_in(place)
            new = with_dictionaries() - before
            assert "server.transport.ssh.connection.SshConnection" in new
            assert not new.keys() - BIG
            first.abort()
            second.abort()

    in_a_hurry(main)


@pytest.mark.slow
def test_a_session_that_came_in_is_a_running_application() -> None:
    def running() -> int:
        return sum(
            isinstance(one, PlayerApplication) and one.is_running for one in gc.get_objects()
        )

    async def main() -> None:
        async with a_place() as place:
            before = running()
            _, first, _ = await comes_in(place)
            assert running() == before + 1
            _, second, _ = await comes_in(place)
            assert running() == before + 2
            first.abort()
            second.abort()
        gc.collect()
        assert running() <= before

    in_a_hurry(main)
