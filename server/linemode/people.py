"""People in line mode: what there is to know of somebody, and whom one follows."""

from server.coordinator.messages import Reply
from server.i18n.lookup import _
from server.linemode.context import LineContext
from server.text.people import between_lines, profile_lines
from server.text.refusals import refusal


def profile(session: LineContext, rest: str) -> None:
    """The page of somebody; alone the player's own, as others see it."""

    async def tell() -> None:
        name, words = rest or session.player.name, session.words
        page = await session.account.profile(name)
        if page is None:
            session.say(refusal(Reply("no_profile", {"name": name}), words))
        else:
            told = profile_lines(page, session.clock.time(), words)
            session.read([f"{page.name}:", *told, *between_lines(page, words)])

    session.fetch(tell())


def follow(session: LineContext, rest: str, on: bool = True) -> None:
    """Be told when somebody comes, or no more; alone it tells whom the player follows."""

    async def change() -> None:
        words = session.words
        if not rest:
            followed = await session.account.followed()
            here = words.t("here")
            names = ", ".join(f"{it.name} ({here})" if it.here else it.name for it in followed)
            none = words.t('You follow nobody. To be told when somebody comes: "follow NAME".')
            session.say(words.t("You follow: {names}.", names=names) if names else none)
        elif (code := await session.account.follow(rest, on)) != "ok":
            session.say(refusal(Reply(code, {"name": rest}), words))
        else:
            told = _("From now on you are told when {name} comes.")
            session.say(words.t(told if on else _("You do not follow {name} any more."), name=rest))

    session.fetch(change())
