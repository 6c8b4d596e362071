"""Profiles, following and reports."""

from server.coordinator.contract import Profile
from server.coordinator.messages import LobbySnapshot, ServerMessage, Update
from tests.support.accounts import RESULTS, Reporting
from tests.support.faces import AnyFace, at_home, on_each_face
from tests.support.fakes import FakeVisit

BO = Profile("bo", False, RESULTS, True, True, "reef-7", "Reef", 1e6, True, False)


@on_each_face
async def test_who_somebody_is(face: AnyFace) -> None:
    async with at_home(face, profiles={"bo": BO}) as ada:
        await ada.does("profile", name="bo")
        ada.learns(
            "Here now, at table Reef (reef-7).",
            "Rating 2442, after 12 rated games. Estimate: 3120, with a standard error of 226.",
            "Best season: place 3 in October 2026, score 61.5%.",
            "Today's tide: 21 days, streak 3, longest 9.",
            "12 games with you lately: you came out ahead in 7, behind in 4.",
            profile={
                "name": "bo",
                "here": True,
                "table": "reef-7",
                "followed": False,
                "results": {
                    "rating": {"shown": 2442},
                    "best": {"month": "2026-10", "rank": 3, "score": 61.5},
                    "met": 12,
                    "ahead": 7,
                    "days_in_a_row": {"longest": 9, "now": 3},
                },
            },
        )


@on_each_face
async def test_somebody_is_followed_and_no_more(face: AnyFace) -> None:
    async with at_home(face, profiles={"bo": BO}) as ada:
        await ada.does("follow", name="bo")
        ada.learns("told when bo comes.", ok=True)
        assert ada.account.following == {"bo"}
        await ada.does("unfollow", name="bo")
        assert not ada.account.following


@on_each_face
async def test_guests_have_no_page(face: AnyFace) -> None:
    async with at_home(face) as ada:
        await ada.does("profile", name="bo")
        none = "There is no page about bo; guests have none."
        ada.learns(none, code="no_profile", details={"name": "bo"})


@on_each_face
async def test_it_is_told_when_somebody_comes_and_when_somebody_invites(face: AnyFace) -> None:
    async with at_home(face) as ada:
        assert isinstance(ada.visit, FakeVisit)
        await ada.does("today")
        said = (ServerMessage("came", about="bo"), ServerMessage("invited", "bo", about="reef-7"))
        for word in said:
            here = LobbySnapshot((), ("ada", "bo"))
            ada.visit.feed.push(Update(here, None, (), False, "", said=(word,)))
            await ada.clock.advance(0)
            ada.learns(
                "bo is here."
                if word.kind == "came"
                else "bo keeps a seat for you at a table: reef-7.",
                house=[{"kind": word.kind, "about": word.about}],
            )


@on_each_face
async def test_a_report_reaches_the_operators_or_says_why_not(face: AnyFace) -> None:
    async with at_home(face, kind=Reporting) as ada:
        assert isinstance(ada.account, Reporting)
        await ada.does("report", name="bo", text="shouts")
        ada.learns("Reported", ok=True)
        assert ada.account.reports == [("bo", "shouts")]
        ada.account.code = "cut"
        await ada.does("report", name="bo", text="shouts")
        ada.learns("only the first 300 columns", ok=True, cut=300)
