"""A program's settings: read, changed, taken back, and the same as those of the other faces."""

from server.session.preferences import Preferences, abilities_from, preferences_from
from server.terminal.capabilities import Capabilities
from tests.support.accounts import FakeAccount
from tests.support.api_program import Program
from tests.support.fake_clock import FakeClock
from tests.support.fakes import FakeVisit


def program(account: FakeAccount) -> Program:
    return Program(FakeVisit(), FakeClock(), account)


async def test_what_nobody_has_chosen_is_as_usual() -> None:
    async with program(FakeAccount()) as ada:
        told = (await ada.do("settings"))["settings"]
    assert told == {
        **dict.fromkeys(("language", "theme", "thin", "motion", "lines", "reader")),
        "sure": False,
        "reveal_seconds": 6,
        "bell": True,
        "notify": True,
        "chat": "all",
        "talk": "normal",
        **dict.fromkeys(("shows_results", "shows_visits", "followable"), True),
    }


async def test_what_is_set_counts_in_every_face_and_the_rest_stays() -> None:
    account = FakeAccount(settings={"blocked": {"x": "bo"}, "keys": "bid=v", "bell": False})
    async with program(account) as ada:
        wanted = {"language": "de", "thin": True, "chat": "own", "talk": "quiet", "sure": True}
        told = await ada.do("set", settings=wanted)
        assert told["ok"]
        assert told["settings"].items() >= (wanted | {"bell": False, "theme": None}).items()
        assert (await ada.do("settings"))["settings"] == told["settings"]
    kept = account.settings
    assert preferences_from(kept) == Preferences(
        sure=True, bell=False, chat="own", keys="bid=v", talk="quiet"
    )
    assert abilities_from(kept, Capabilities()) == Capabilities(language="de", thin=True)
    assert kept["blocked"] == {"x": "bo"}


async def test_a_choice_can_be_taken_back() -> None:
    account = FakeAccount(settings={"language": "pt", "theme": "mono"})
    async with program(account) as ada:
        told = (await ada.do("set", settings={"language": None}))["settings"]
    assert (told["language"], told["theme"]) == (None, "mono")
    assert "language" not in account.settings


async def test_what_is_no_setting_changes_nothing() -> None:
    account = FakeAccount(settings={"language": "pt"})
    before = account.settings
    async with program(account) as ada:
        for wrong, field in (
            ({"language": "xx"}, "settings.language"),
            ({"reveal_seconds": 3}, "settings.reveal_seconds"),
            ({"sure": None}, "settings.sure"),
            ({"bell": 1}, "settings.bell"),
            ({"blocked": {}}, "settings"),
            ([], "settings"),
        ):
            told = await ada.do("set", settings=wrong)
            assert (told["code"], told["details"]["field"]) == ("wrong_field", field), told
        assert (await ada.do("set"))["code"] == "missing_field"
    assert account.settings == before
