"""Settings, the account, reports and operators' orders, as they are typed and told in line mode."""

from server.cleaning import clean_name
from server.coordinator.messages import operator_orders as asked
from server.i18n.lookup import _, languages
from server.linemode.context import LineContext
from server.session.command_words import Said, Verb, understand
from server.session.preferences import SETTINGS, TALKS, Verbosity
from server.text import operator_orders, refusals
from server.text.account import account_in_words, traffic_in_words
from server.text.server_messages import report_in_words


def set_something(session: LineContext, rest: str) -> None:
    """Carry out "set bell", "set language de", "set 8", "set 8 back"; alone it tells what there is."""
    words = session.words
    what, _, value = rest.casefold().partition(" ")
    talks = {words.p("setting", word): talk for talk, word in TALKS.items()}
    talks |= {talk.value: talk for talk in Verbosity}
    switches = {words.p("setting", each.switch): each for each in SETTINGS if each.switch}
    switches |= {each.switch: each for each in SETTINGS if each.switch}
    switches |= {word: each for each in SETTINGS for word in each.also.split()}
    if what in talks:
        session.prefer(talk=talks[what].value)
        session.say(words.t("Set: {what}.", what=what))
    elif what in switches:
        session.step(switches[what], 1)
        on = session.value_of(switches[what])
        said = words.t("{what} is on.", what=what) if on else words.t("{what} is off.", what=what)
        session.say(said)
    elif what in ("language", words.p("setting", "language")):
        _language(session, value.strip())
    elif what.isdecimal() and len(what) < 3:
        _change(session, int(what), value.strip())
    else:
        _list(session, what)


def _list(session: LineContext, wanted: str) -> None:
    """All settings; ``wanted``, if there is such a word, is none of them."""
    session.say_not_listed(wanted)
    session.read(settings_lines(session))


def settings_lines(session: LineContext) -> list[str]:
    """Every setting with its number and value, and what there is to say of the line."""
    words, facts = session.words, session.facts()
    talk = words.p("setting", TALKS[session.talk])
    sent, more = traffic_in_words(facts, words)
    row = _("{number}: {setting}: {value} ({hint}).")
    return [
        words.t(
            'How much you are told: {talk}. To change it, type "set quiet", "set '
            'normal" or "set talkative".',
            talk=talk,
        ),
        *(
            words.t(row, number=number, setting=each.label, value=each.value, hint=each.hint)
            for number, each in enumerate(session.settings(), 1)
        ),
        words.t('"set 5" changes setting 5 to its next value, "set 5 back" to the previous one.'),
        words.t("Sent to you so far: {sent}; {more}.", sent=sent, more=more),
    ]


def _change(session: LineContext, number: int, value: str) -> None:
    settings = session.settings()
    if not 1 <= number <= len(settings):
        _list(session, str(number))
        return
    meant = understand(value, session.words)
    back = isinstance(meant, Said) and meant.verb == Verb.BACK
    settings[number - 1].change(-1 if back else 1)
    # In the language that may just have been chosen.
    line = session.settings()[number - 1]
    session.say(f"{line.label}: {line.value}.")


def _language(session: LineContext, wanted: str) -> None:
    known = languages()
    if wanted in known:
        session.set_abilities(language=wanted)
        session.say(session.words.t("This is English."))  # each catalogue names its own language
    else:
        session.say(session.words.t("Languages here: {languages}.", languages=", ".join(known)))


def change_name(session: LineContext, rest: str) -> None:
    """Be called otherwise from now on."""
    words, name = session.words, clean_name(rest)
    if not name or name == session.player.name:
        session.say(
            words.t('You are {name}. Type "name" and another one.', name=session.player.name)
        )
    elif session.table is not None:
        session.say(words.t('You are at a table; type "leave" before you change your name.'))
    elif not session.account.renames:
        session.say(words.t("Log in again for another name."))
    else:
        session.rename(name)


def tell_account(session: LineContext, rest: str) -> None:
    """How this player comes back; with "code" after it, a code for another key."""
    words, player, account = session.words, session.player, session.account
    wanted = rest.casefold() in ("code", words.p("account", "code"))

    async def tell() -> None:
        code = await account.link_code() if wanted and not player.guest else ""
        ask = words.t(
            'To play as yourself on another device, with another key: type "account code".'
        )
        session.say(
            words.t("You are {name}", name=player.name) + ".",
            *account_in_words(player.name, session.way_back, code, ask, words, guest=player.guest),
        )

    session.fetch(tell())


# ------------------------------------------------------------------- operators


def give_order(session: LineContext, rest: str) -> None:
    """Carry out an operator's order; one that sends people away is asked for once more."""
    words = session.words
    operator = session.account.operator_actions
    if operator is None:
        session.say(refusals.refusal_of_order(asked.OperatorReply("not_operator"), words))
        return
    typed = rest.split()
    if not typed or typed[0] == "help":
        session.read(operator_orders.orders_lines(words))
        return
    try:
        action = operator_orders.parse_order(typed)
    except operator_orders.BadOperatorCommand as problem:
        session.say(problem.in_words(words))
        return

    async def act() -> None:
        session.read(operator_orders.told_lines(action, await operator.act(action), words))

    async def ask() -> None:
        if await operator.nobody(action):
            await act()  # which refuses it, and writes that down
        else:
            question = words.t('Type "yes" to confirm: {order}.', order=" ".join(typed))
            session.ask(question, lambda: session.fetch(act()))

    session.fetch(ask() if operator_orders.asks_first(action) else act())


def report(session: LineContext, rest: str) -> None:
    """Tell operators about somebody."""
    words, (name, _, text) = session.words, rest.partition(" ")
    if not text.strip():
        session.say(words.t('Whom, and what? For example: "report NAME shouts at everybody".'))
        return

    async def work() -> None:
        code = await session.account.report(name, text.strip())
        session.say(report_in_words(code, name, words))

    session.fetch(work())
