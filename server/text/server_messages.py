"""What the server tells a visitor (``ServerMessage``), or somebody who may not come in, in their language."""

from datetime import UTC, datetime

from server.coordinator.messages import Reply, ServerMessage
from server.i18n.catalogues import Words, languages, words_for
from server.text.rounds import refusal


def moment_in_words(when: float) -> str:
    """A time, the same for everybody: players of one house live in different places."""
    return datetime.fromtimestamp(when, UTC).strftime("%Y-%m-%d %H:%M UTC")


def ban_in_words(reason: str, until: float, words: Words) -> str:
    """What somebody is told who may not come in; ``until`` 0 is for ever."""
    if until:
        said = words.t("You may not come in here until {when}.", when=moment_in_words(until))
    else:
        said = words.t("You may not come in here any more.")
    return f"{said} {_why(reason, words)}".strip()


def ban_in_all_languages(reason: str, until: float) -> str:
    """The same before anybody can know which language is understood: a line each."""
    return "".join(
        f"{ban_in_words(reason, until, words_for(language))}\r\n" for language in languages()
    )


def word_in_words(word: ServerMessage, words: Words) -> str:
    """What the house says."""
    match word.kind:
        case "kicked":
            said = words.t("An operator has ended your connection; a seat is kept.")
        case "banned":
            return ban_in_words(word.text, word.until, words)
        case "muted":
            said = words.t(
                "An operator has silenced you until {when}.", when=moment_in_words(word.until)
            )
        case "unmuted":
            return words.t("You may speak again.")
        case "not_kept":
            return refusal(Reply(word.kind), words)
        case "answer":
            said = words.t("Thank you for your report about {name}.", name=word.about)
            return f"{said} {words.t('The answer: {text}', text=word.text)}"
        case "operator":
            said = words.t("You are an operator here: press ! or, in line mode, say admin.")
            if word.text in {"", "0"}:
                return said
            waiting = words.n(
                "{count} report is open.", "{count} reports are open.", int(word.text)
            )
            return f"{said} {waiting}"
        case "report":
            return words.t("A report about {name}: {text}", name=word.about, text=word.text)
        case _:
            return words.t("From the server: {text}", text=word.text)
    return f"{said} {_why(word.text, words)}".strip()


def report_in_words(code: str, name: str, words: Words) -> str:
    """What became of a report about somebody (``Account.report``)."""
    known = {
        "ok": words.t("Reported: operators will see it, and their answer reaches you here."),
        "nobody_called": words.t('Nobody is called "{name}".', name=name[:24]),
        "own_name": words.t("That is you."),
        "bot_called": words.t("That is one of the server's bots."),
        "no_text": words.t("Say what has happened."),
        "report_wait": words.t("That is enough for now: you can report again in a few minutes."),
        "no_operators": words.t("There are no operators here."),
    }
    return known.get(code) or words.t("That could not be written down just now: try again later.")


def _why(reason: str, words: Words) -> str:
    return words.t("The reason: {reason}", reason=reason) if reason else ""
