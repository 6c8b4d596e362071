"""What a player is told of the account (how to come back, also from another device) and of the connection."""

from server.i18n.lookup import Words
from server.terminal.capabilities import ConnectionStats


def account_in_words(
    name: str, way_back: str, link: str, ask_for_link: str, words: Words, *, guest: bool
) -> tuple[str, ...]:
    """Paragraphs; a login name is one by itself. ``way_back`` is that of a guest, ``link`` a code that was
    asked for, if one was; ``ask_for_link`` says how.
    """
    if guest:
        return _guest(way_back, words)
    first = words.t(
        "Your SSH key says who you are here: anybody who logs in with it gets "
        "your seat, results and settings. The names you have used belong to you "
        "alone."
    )
    rename = words.t("To change your name, log in once as NAME+rename, with the new name.")
    if not link:
        return (first, rename, ask_for_link)
    return (
        first,
        words.t("On the other device, log in once within ten minutes, with this name:"),
        f"{name}+{link}",
        words.t(
            "From then on its key opens this account. If it has played here before, its results "
            "become yours. Whoever has the code can do it: show it to nobody."
        ),
    )


def _guest(way_back: str, words: Words) -> tuple[str, ...]:
    if not way_back:
        return (words.t("Nothing is kept here: this game runs in your own terminal."),)
    return (
        words.t(
            "You came without an SSH key, so this code is how you come back to your seat if the"
            " connection drops. Log in with this name:"
        ),
        way_back,
        words.t(
            "Whoever has the code counts as you here: show it to nobody. It works as long as you"
            " have a seat."
        ),
        words.t(
            "With an SSH key you need none of this, and your name and results stay yours: "
            "`ssh-keygen -t ed25519` makes one."
        ),
    )


def traffic_in_words(facts: ConnectionStats, words: Words) -> tuple[str, str]:
    """How much has been sent; how much has come in, and what the terminal says that it is."""
    sent = words.n("{count} byte", "{count} bytes", facts.sent)
    parts = [words.n("{count} byte received", "{count} bytes received", facts.received)]
    if facts.kind:
        parts.append(words.t("terminal {kind}", kind=facts.kind))
    if facts.speed:
        parts.append(words.t("{speed} bits per second", speed=facts.speed))
    return sent, ", ".join(parts)
