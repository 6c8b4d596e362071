"""What passes between sessions and tables is plain data, and says of what kind it is."""

from itertools import combinations
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.editions import Edition, Rules
from server.coordinator import messages as m

CHANGED = m.TableOptions(
    Rules(Edition.BGA, 6, 2, modified_drowning=True), m.Pace.CORRESPONDENCE, 7200
)


@pytest.mark.parametrize("kinds", [get_args(m.Command), get_args(m.Happening)], ids=len)
def test_messages_of_different_kinds_are_never_equal(
    kinds: tuple[type[msgspec.Struct], ...],
) -> None:
    for one, other in combinations(kinds, 2):
        if one.__struct_fields__ == other.__struct_fields__:
            values = ["x"] * len(one.__struct_fields__)
            assert one(*values) == one(*values)
            assert one(*values) != other(*values)


def _kinds() -> list[type[msgspec.Struct]]:
    """Of everything that passes, and of what lies in it."""
    inside = [
        m.Player,
        m.SeatInfo,
        m.VoteInfo,
        m.TablePublic,
        m.TableRow,
        m.ChatLine,
        m.ServerMessage,
    ]
    whole = [m.TableSnapshot, m.LobbySnapshot, m.Reply, m.Update]
    return [*get_args(m.Command), *get_args(m.Happening), *inside, *whole]


_DETAILS = st.dictionaries(st.text(), st.text() | st.integers(0, 99))


def _of(kind: type[Any]) -> st.SearchStrategy[Any]:
    fields = {field.name: field.type for field in msgspec.structs.fields(kind)}
    values = {name: st.from_type(type_) for name, type_ in fields.items()}
    return st.builds(kind, **(values | ({"details": _DETAILS} if kind is m.Reply else {})))


st.register_type_strategy(float, st.floats(allow_nan=False))
st.register_type_strategy(int, st.integers(-(2**53), 2**53))
st.register_type_strategy(Rules, st.sampled_from([Rules(), CHANGED.rules]))
for _kind in _kinds():
    st.register_type_strategy(_kind, _of(_kind))


@pytest.mark.parametrize("kind", _kinds(), ids=lambda kind: kind.__name__)
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_whatever_passes_encodes_and_decodes(kind: type[Any], data: st.DataObject) -> None:
    one = data.draw(_of(kind))
    assert one.__struct_config__.frozen
    assert one.__struct_config__.tag == kind.__name__
    # Not JSON: the time of a closing that nobody has set is infinite.
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(one), type=kind) == one
