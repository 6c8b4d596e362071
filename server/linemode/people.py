"""People in line mode: chat, who is here, the account, reports, and operators' orders."""

from collections.abc import Iterable
from typing import Final

from server.cleaning import clean_name
from server.coordinator.messages import Block, ChatLine, Mute, Reply, Room, Say
from server.coordinator.messages import operator_orders as asked
from server.coordinator.people.names import is_called
from server.i18n.lookup import Words, _, languages, p_, vocabulary
from server.linemode.narration import HANGING, LineContext
from server.session.account import OperatorActions
from server.session.commands import Verb, full_word
from server.session.preferences import SETTINGS, TALKS, Verbosity
from server.storage.people import blocked_in
from server.terminal.drawing.frame import wrap
from server.text import operator_orders, refusals
from server.text.chat import (
    age_in_words,
    chat_sentence,
    only_spectators_hear,
    phrases,
    shut_out_in_words,
)
from server.text.people import account_in_words, between_lines, profile_lines, traffic_in_words
from server.text.refusals import refusal
from server.text.server_messages import report_in_words


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


_ON_ARRIVAL: Final = 3
"""Earlier lines that are told unasked: a voice takes its time for each."""
_LAST: Final = 20
"""Lines that ``chat`` tells."""


# ------------------------------------------------------------------- hearing


def hear(session: LineContext, lines: Iterable[ChatLine]) -> str:
    """Tell what is new; who has spoken to this player and may ring for it, if anybody."""
    history, quiet, table = session.chat_history, session.talk is Verbosity.QUIET, session.table
    history.moved(table.info.id if table is not None else "", session.preferences.chat)
    fresh = [line for line in history.hear(lines) if history.concerns(line)]
    before = [line for line in fresh if line.old]
    if before and not quiet:
        session.say(*(_sentence(session, line) for line in before[-_ON_ARRIVAL:]))
        if len(before) > _ON_ARRIVAL:
            session.say(session.words.t('There is more: type "chat".'))
    # Who wants it quiet is still to be reached: what is said to one person alone is told.
    told = [line for line in fresh if not line.old and (not quiet or line.room is Room.DIRECT)]
    session.say(*(_sentence(session, line) for line in told))
    return history.calls(told)


def _sentence(session: LineContext, line: ChatLine) -> str:
    words = session.words
    said = chat_sentence(line, session.player.name, session.chat_history.place, words)
    age = age_in_words(line, session.clock.time(), words)
    sentence = f"{said} ({age})" if age else said
    if not session.abilities.wraps:
        return sentence
    # Otherwise broken nowhere else, but by the client: anywhere, without a mark.
    return "\r\n".join(wrap(sentence, session.width, HANGING))


# ------------------------------------------------------------------- saying


def here(session: LineContext) -> Room:
    """Where what is said is for everybody."""
    return Room.TABLE if session.chat_history.place else Room.LOBBY


def is_answer(text: str, words: Words) -> bool:
    """Whether it is just yes or no."""
    return full_word(text, words) in (Verb.YES, Verb.NO)


def say_here(session: LineContext, text: str) -> None:
    """To everybody here. Who says just a command may have meant that."""
    words = session.words
    if full_word(text, words) is None or is_answer(text, words):
        say(session, here(session), text)
        return
    question = words.t(
        'Did you mean the command "{word}"? Type it alone for that, or "yes" to say it to everybody here.',
        word=text,
    )
    session.ask(question, lambda: say(session, here(session), text))


def say(session: LineContext, room: Room, text: str, to: str = "") -> None:
    """To everybody there, or to one person."""
    if text:
        _submit(session, Say(room, text, to=to))
    else:
        session.say(session.words.t('Say what? For example: "say hello", or "tell NAME hello".'))


def tell(session: LineContext, rest: str) -> None:
    """To one person."""
    name, _, text = rest.partition(" ")
    say(session, Room.DIRECT, text.lstrip(), name)


def reply(session: LineContext, rest: str) -> None:
    """To whom the last direct words were changed with."""
    if session.chat_history.partner:
        say(session, Room.DIRECT, rest, session.chat_history.partner)
    else:
        session.say(session.words.t("Nobody has written to you yet."))


def phrase(session: LineContext, rest: str) -> None:
    """A sentence that everybody reads in his or her own language."""
    words, known = session.words, phrases(session.words)
    number, _, name = rest.partition(" ")
    if number.isdecimal() and len(number) < 3 and 0 < int(number) <= len(known):
        room = Room.DIRECT if name else here(session)
        _submit(session, Say(room, phrase=known[int(number) - 1][0], to=name.strip()))
        return
    session.say_not_listed(number)
    session.say(
        words.t('These are shown in each reader\'s own language; type "phrase" and the number:'),
        *(f"{place}: {said}" for place, (_, said) in enumerate(known, 1)),
    )


def history(session: LineContext, _rest: str) -> None:
    """What has been said."""
    if lines := session.chat_history.lines[-_LAST:]:
        session.read([_sentence(session, line) for line in lines])
    else:
        session.say(session.words.t("Nothing has been said yet."))


def _submit(session: LineContext, said: Say) -> None:
    def warn() -> None:
        """Tell once who hears a spectator of a rated game."""
        table = session.table if said.room is Room.TABLE else None
        if table and session.spectators_told != table.info.id and only_spectators_hear(table):
            session.spectators_told = table.info.id
            text = _("Until the rated game is over, only spectators hear that.")
            session.say(session.words.t(text))

    session.do(said, warn)


# ------------------------------------------------------------------- shutting people out


def shut_out(
    session: LineContext, rest: str, kind: type[Mute] | type[Block], on: bool = True
) -> None:
    """Hear nothing more from somebody, until one of the two leaves or for good; or hear him or her again."""
    words, name = session.words, rest.split(" ", maxsplit=1)[0]
    if not name:
        blocked = blocked_in(session.account.settings).values() if kind is Block else ()
        text = _("Blocked: {names}.") if blocked else _('Whom? For example: "mute NAME".')
        session.say(words.t(text, names=", ".join(blocked)))
        return
    command = kind(name, on)

    def done() -> None:
        if on:
            session.chat_history.forget(name)
        session.say(shut_out_in_words(command, name, session.words))

    session.do(command, done)


def set_something(session: LineContext, rest: str) -> None:
    """Carry out "set bell", "set language de", "set 8", "set 8 back"; alone it tells what there is."""
    words = session.words
    what, _, value = rest.casefold().partition(" ")
    switches = {each.switch: each for each in SETTINGS if each.switch}
    also = {word: each.switch for each in SETTINGS for word in each.also.split()}
    known = (*TALKS.values(), *switches, p_("setting", "language"))
    named = vocabulary("setting", known, words, also).get(what, "")
    if named in TALKS:
        session.prefer(talk=named)
        session.say(words.t("Set: {what}.", what=what))
    elif named in switches:
        session.step(switches[named], 1)
        on = session.value_of(switches[named])
        said = words.t("{what} is on.", what=what) if on else words.t("{what} is off.", what=what)
        session.say(said)
    elif named == "language":
        _language(session, value.strip())
    elif what.isdecimal() and len(what) < 3:
        _change(session, int(what), value.strip())
    else:
        _list(session, what)


def _list(session: LineContext, wanted: str) -> None:
    """All settings with numbers and values; ``wanted``, if there is such a word, is none of them."""
    words, facts = session.words, session.facts()
    session.say_not_listed(wanted)
    talk = words.p("setting", TALKS[session.talk])
    sent, more = traffic_in_words(facts, words)
    row = _("{number}: {setting}: {value} ({hint}).")
    lines = [
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
    session.read(lines)


def _change(session: LineContext, number: int, value: str) -> None:
    settings = session.settings()
    if not 1 <= number <= len(settings):
        _list(session, str(number))
        return
    back = full_word(value, session.words) == Verb.BACK
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
        if await _is_for_nobody(operator, action):
            await act()  # which refuses it, and writes that down
        else:
            question = words.t('Type "yes" to confirm: {order}.', order=" ".join(typed))
            session.ask(question, lambda: session.fetch(act()))

    session.fetch(ask() if operator_orders.asks_first(action) else act())


async def _is_for_nobody(operator: OperatorActions, action: asked.Action) -> bool:
    """Whether it is about somebody who has to be here, and nobody is called so."""
    if not isinstance(action, asked.Kick | asked.MutePerson):
        return False
    told, who = await operator.act(asked.SeePeople(), again=True), action.who
    people = [row for row in told.rows if isinstance(row, asked.PersonRow)]
    found = any(who == row.key or is_called(row.name, who) for row in people)
    return told.ok and not told.left_out and not found


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
