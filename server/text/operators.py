"""What operators are told, in words: for the operators' page, line mode and ``tide admin`` alike."""

from typing import Final

from server.coordinator.moderation import orders as asked
from server.coordinator.moderation.orders import Action, OperatorReply, PersonRow, Row, TableFacts
from server.i18n.catalogues import Words
from server.storage.moderation import AuditRow, BanRow, MuteRow, ReportRow
from server.text.operator_commands import BadOperatorCommand, orders
from server.text.server_messages import moment_in_words

_EDITIONS: Final = {"amigo": "Amigo", "gamewright": "Gamewright", "bga": "BGA"}


def told_lines(action: Action, told: OperatorReply, words: Words) -> list[str]:
    """An answer as sentences, a row each."""
    if not told.ok:
        return [refusal_in_words(told, words)]
    if not isinstance(action, asked.Seeing):
        return [done_in_words(action, told, words)]
    lines = [row_in_words(row, words) for row in told.rows]
    if told.left_out and isinstance(told.rows[-1], AuditRow):
        lines.append(words.t("There is more: audit {number}", number=told.rows[-1].id))
    elif told.left_out:
        lines.append(words.n("and {count} more", "and {count} more", told.left_out))
    return lines or [nothing_in_words(action, words)]


def nothing_in_words(action: Action, words: Words) -> str:
    """What is said where there is no row."""
    match action:
        case asked.SeePeople():
            return words.t("Nobody is here.")
        case asked.SeeTables():
            return words.t("There is no table.")
        case asked.SeeReports():
            return words.t("There is no report to deal with.")
        case asked.SeeBans():
            return words.t("Nobody is banned or silenced.")
        case _:
            return words.t("Nothing has been done yet.")


def row_in_words(row: Row, words: Words) -> str:
    """One row in full."""
    match row:
        case PersonRow():
            return _person(row, words)
        case TableFacts():
            return _table(row, words)
        case ReportRow():
            return _report(row, words)
        case BanRow():
            return _ban(row, words)
        case MuteRow():
            return _mute(row, words)
        case AuditRow():
            return _entry(row, words)


def _person(row: PersonRow, words: Words) -> str:
    facts = [words.t("guest") if row.guest else words.t("account")]
    if row.operator:
        facts.append(words.t("operator"))
    if row.muted:
        facts.append(words.t("silenced for {time}", time=span_in_words(row.muted, words)))
    where = place_in_words(row, words)
    since = span_in_words(row.seconds, words)
    facts += [where, f"{row.line} {row.address}", words.t("for {time}", time=since)]
    if row.key:
        facts.append(row.key)
    return f"{row.name}: {', '.join(facts)}"


def place_in_words(row: PersonRow, words: Words) -> str:
    """Where somebody is."""
    if not row.table:
        return words.t("in the lobby")
    if row.watching:
        return words.t("watches {table}", table=row.table)
    return words.t("at {table}", table=row.table)


def _table(row: TableFacts, words: Words) -> str:
    names = ", ".join(name for name in row.names if name) or words.t("nobody")
    title = f"{row.title} ({row.code})" if row.code else row.title
    return f"{title}: {status_in_words(row, words)}, {_EDITIONS.get(row.edition, row.edition)}, {names}"


def status_in_words(row: TableFacts, words: Words) -> str:
    """What a table is doing, and who watches."""
    said = {
        "open": words.t("open"),
        "over": words.t("over"),
    }.get(row.status) or words.t(
        "stage {stage} of {stages}, round {round}",
        stage=row.stage,
        stages=row.stages,
        round=row.round,
    )
    if row.spectators:
        said += ", " + words.n("{count} watches", "{count} watch", row.spectators)
    return said


def _report(row: ReportRow, words: Words) -> str:
    where = words.t("at {table}", table=row.place) if row.place else words.t("in the lobby")
    when = moment_in_words(row.made)
    said = words.t(
        "{number}: {reporter} about {about}, {where}, {when}: {text}",
        number=row.id,
        reporter=row.reporter,
        about=row.about,
        where=where,
        when=when,
        text=row.text,
    )
    if row.closed:
        closed = words.t("closed by {who}", who=row.closed_by)
        said += f" ({closed}{f': {row.answer}' if row.answer else ''})"
    return said


def kind_in_words(kind: str, words: Words) -> str:
    """What is banned."""
    return {
        "key": words.p("ban", "key"),
        "name": words.p("ban", "name"),
        "address": words.p("ban", "address"),
        "network": words.p("ban", "network"),
    }.get(kind, kind)


def end_in_words(until: float, words: Words) -> str:
    """How long a ban lasts."""
    return words.t("until {when}", when=moment_in_words(until)) if until else words.t("for ever")


def _ban(row: BanRow, words: Words) -> str:
    said = words.t(
        "{number}: {kind} {what}, {end}, by {who}",
        number=row.id,
        kind=kind_in_words(row.kind, words),
        what=row.shown,
        end=end_in_words(row.until, words),
        who=row.made_by,
    )
    return f"{said}: {row.reason}" if row.reason else said


def _mute(row: MuteRow, words: Words) -> str:
    said = words.t(
        "{name} is silenced until {when}, by {who}",
        name=row.name,
        when=moment_in_words(row.until),
        who=row.made_by,
    )
    return f"{said}: {row.reason}" if row.reason else said


def _entry(row: AuditRow, words: Words) -> str:
    who = f"{row.name} ({row.who})" if row.name else row.who
    details = ", ".join(
        f"{key} {_value(key, value)}" for key, value in row.details.items() if value
    )
    facts = [moment_in_words(row.made), who, f"{row.action} {row.about}".strip()]
    if details:
        facts.append(details)
    return f"{row.id}: {', '.join(facts)}: {outcome_in_words(row.outcome, words)}"


def _value(key: str, value: object) -> str:
    if key == "until" and isinstance(value, int | float):
        return moment_in_words(value)
    return str(value)


def outcome_in_words(outcome: str, words: Words) -> str:
    """How something that was written down has ended."""
    if outcome == "ok":
        return words.t("done")
    return refusal_in_words(OperatorReply(outcome), words) if outcome else words.t("unfinished")


def span_in_words(seconds: float, words: Words) -> str:
    """A length of time, coarse."""
    if seconds < 120:
        return words.t("{count} s", count=round(seconds))
    if seconds < 7200:
        return words.t("{count} min", count=round(seconds / 60))
    if seconds < 2 * 86_400:
        return words.t("{count} h", count=round(seconds / 3600))
    return words.n("{count} day", "{count} days", round(seconds / 86_400))


def done_in_words(action: Action, told: OperatorReply, words: Words) -> str:
    """What was done."""
    facts = told.facts
    name = str(facts.get("name", ""))
    match action:
        case asked.Kick():
            return words.t("{name} has been sent away.", name=name)
        case asked.MutePerson():
            until = moment_in_words(float(facts["until"]))
            return words.t("{name} is silenced until {when}.", name=name, when=until)
        case asked.UnmutePerson():
            return words.t("{name} may speak again.", name=name)
        case asked.Vouch():
            return words.t(
                "{name} is listed among the best players, once there is a rating.", name=name
            )
        case asked.Unvouch():
            return words.t(
                "{name} is listed among the best players only after enough games with people from elsewhere.",
                name=name,
            )
        case asked.BanSomebody():
            end = end_in_words(float(facts["until"]), words)
            said = words.t(
                "Ban {number}: {what}, {end}.", number=facts["id"], what=facts["shown"], end=end
            )
            ended = int(facts["ended"])
            if ended:
                told_of = words.n("{count} connection ended.", "{count} connections ended.", ended)
                said = f"{said} {told_of}"
            return said
        case asked.Unban():
            return words.t("{what} may come in again.", what=facts["shown"])
        case asked.AnswerReport() | asked.CloseReport():
            return words.t("Report {number} is closed.", number=facts["id"])
        case asked.CloseTable(code):
            return words.t("Table {code} is closed.", code=code)
        case asked.Broadcast():
            return words.n("Told {count} person.", "Told {count} people.", int(facts["people"]))
        case asked.Drain():
            return _drained(facts, words)
        case asked.Undrain():
            return words.t("New games may begin again.")
        case _:
            return _reread(facts, words)


def _drained(facts: dict[str, str | int | float], words: Words) -> str:
    games = int(facts["games"])
    said = words.t("No new game begins.")
    playing = words.n("{count} game is in progress.", "{count} games are in progress.", games)
    if facts["stop"]:
        return f"{said} {playing} {words.t('When none is left, the server stops.')}"
    return f"{said} {playing}"


def _reread(facts: dict[str, str | int | float], words: Words) -> str:
    changed, late = str(facts.get("changed", "")), str(facts.get("late", ""))
    said = (
        words.t("Settings taken over: {names}.", names=changed)
        if changed
        else words.t("The settings are as they were.")
    )
    if late:
        said = f"{said} {words.t('These need a restart: {names}.', names=late)}"
    return said


def refusal_in_words(told: OperatorReply, words: Words) -> str:
    """Why something was not done."""
    facts = told.facts
    name = str(facts.get("name", ""))
    known = {
        "not_operator": words.t("Your key is not, or no longer, an operator's."),
        "no_account": words.t('No account has the name "{name}".', name=name),
        "nobody_called": words.t('Nobody here is called "{name}".', name=name)
        if name
        else words.t("Nobody here is called so."),
        "no_key": words.t("There is no key to ban: a guest. Ban the name or the address."),
        "no_such_kind": words.t("A ban is of a key, a name, an address or a network."),
        "bad_fingerprint": words.t("That is no fingerprint: SHA256: and 43 characters."),
        "bad_name": words.t("That is no name."),
        "bad_address": words.t("That is no address."),
        "bad_network": words.t("That is no network: for example 192.0.2.0/24 or 2001:db8::/48."),
        "too_wide": words.t("That network is too wide: it would shut out half of the world."),
        "own_ban": words.t("That ban would hit yourself."),
        "no_such_ban": words.t("There is no ban with that number."),
        "no_such_report": words.t("There is no report with that number."),
        "no_such_table": words.t("There is no table with that code."),
        "no_text": words.t("There is nothing to say."),
        "no_time": words.t("Say how long: 30m, 2h, 7d or 4w."),
        "not_draining": words.t("New games may begin anyway."),
        "settings": words.t("Nothing was changed: {problem}", problem=facts.get("problem", "")),
        "not_understood": words.t(
            "That was not understood: {problem}", problem=facts.get("problem", "")
        ),
        "storage": words.t("It could not be written down, so it has not been done."),
    }
    return known.get(told.code) or words.t("Something went wrong: nothing has been done.")


def bad_order_in_words(problem: BadOperatorCommand, words: Words) -> str:
    """Why an order was not understood."""
    match problem.code:
        case "no_time":
            return words.t("Say how long: 30m, 2h, 7d or 4w; a ban also ever.")
        case "no_number":
            return words.t("Which number?")
        case "missing":
            usage = next(
                (order.usage for order in orders(words) if order.usage.split()[0] == problem.word),
                problem.word,
            )
            return words.t("Like this: {usage}", usage=usage)
        case _ if problem.word:
            return words.t('There is no order "{word}"; say help.', word=problem.word[:24])
        case _:
            return words.t("Say help for the orders.")


def orders_lines(words: Words) -> list[str]:
    """The help: all orders."""
    known = orders(words)
    width = max(len(order.usage) for order in known)
    return [
        *(f"{order.usage:<{width}}  {order.meaning}" for order in known),
        words.t(
            "WHO is a fingerprint, a name, an address, a network, or somebody's name who is here."
        ),
        words.t("TIME is 30m, 2h, 7d or 4w; for a ban also ever."),
    ]
