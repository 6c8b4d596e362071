"""What can be typed to come to a table, to set it up, and in a game that is played, over, or told again."""

from msgspec import structs

from engine import bots
from engine.errors import BadRules
from server.coordinator import messages as m
from server.coordinator.events.days import is_day
from server.coordinator.people.names import called, is_called
from server.i18n.lookup import p_, vocabulary
from server.linemode.narration import LineContext
from server.session import table_in_sentences
from server.session.attention import bid_due, waits_for
from server.session.commands import TableAction, Verb, full_word
from server.session.preferences import NEW_TABLE, SOLO, filling
from server.session.sharing import code_and_word, invite_line
from server.text.bots import bot_in_words, bot_line, cards_in_words, hint_in_words
from server.text.happenings import MOTIONS
from server.text.refusals import refusal
from server.text.rounds import capital, guess_in_words, may_guess
from server.text.times import time_in_words
from server.viewmodels.lobby import game_lines
from server.viewmodels.table import code_of, rematch_in_words, seat_names
from server.viewmodels.table_options import BadOption, options_in_words, parse_options

_OTHER = p_("to watch", "other")
_SEATS = frozenset(str(number) for number in range(1, 100))


# ------------------------------------------------------------------- to a table


def play(session: LineContext, rest: str) -> None:
    """Against bots, at once; in a game a number is a card, which some languages play and do not bid."""
    table = session.table
    if rest.isdecimal() and table is not None and table.table is not None:
        bid(session, rest)
    elif (options := _options(session, rest, SOLO)) is not None:
        session.do(m.QuickGame(options))


def hint(session: LineContext, _rest: str) -> None:
    """What the strongest bot would bid."""

    def tell() -> None:
        if (found := session.hint) is not None:
            names, words = seat_names(session.here.info), session.words
            session.say(*hint_in_words(found, names, words), cards_in_words(found, words))

    if session.here.info.options.gives_hints:
        session.say(session.words.t("Thinking ..."))
    session.do(m.AskHint(), tell)


def guess(session: LineContext, rest: str) -> None:
    """Guess, once out, who takes the high tide: by name or by number."""
    words, table = session.words, session.here
    wanted, view = rest.casefold().strip(), table.table
    seats = may_guess(table)
    if view is None or not seats:
        session.say(refusal(m.Reply(m.Refusal.NO_GUESS), words))
        return
    names = [table.info.seats[seat].name for seat in seats]
    found = [
        seat
        for seat, name in zip(seats, names, strict=True)
        if wanted == str(seat + 1) or is_called(name, wanted)
    ]
    if not found:
        session.say(guess_in_words(table, words))
        return
    name = table.info.seats[found[0]].name
    said = words.t("Your guess: {name}.", name=name)
    session.do(m.Guess(found[0], view.stage, view.round), lambda: session.say(said))


def learn(session: LineContext, _rest: str) -> None:
    """A first game with the guide; at a table it comes there, or goes."""
    words, table = session.words, session.table
    if table is None:
        session.learn()
    elif session.guide.here:
        session.guide.end()
        session.say(words.t("The guide leaves."))
    elif table.seat < 0:
        session.say(words.t("The guide comes only to players."))
    else:
        session.say(words.t("The guide is here."))
        session.call_guide()


def deal(session: LineContext, rest: str) -> None:
    """Play the deal of a code or a word; without one, that of the replay or of the game that is over here."""
    words, seen = session.words, session.replayed or session.table
    if rest:
        session.play_deal(rest)
    elif seen is not None and seen.info.seed:
        code = code_of(seen.info)
        session.say(words.t("The code of this deal: {code}", code=code))
        session.ask(words.t('Type "yes" to play it against bots.'), lambda: session.play_deal(code))
    else:
        session.say(words.t('Which one? Type "deal" and a code, or any word.'))


def new(session: LineContext, rest: str, command: type[m.OpeningCommand] = m.CreateTable) -> None:
    """Open a table; with ``QuickJoin``, only where no open one fits."""
    options = _options(session, rest, NEW_TABLE)
    if options is not None:
        session.do(command(options))


def join(session: LineContext, rest: str) -> None:
    """Sit down where a code leads; who watches a game and gives none would play for a bot in it."""
    table = session.table
    if rest:
        code, word = code_and_word(rest)
        session.do(m.JoinTable(code, word=word))
    elif table is not None and table.seat < 0:
        session.do(m.JoinTable(table.info.id))
    else:
        session.say(session.words.t('Which one? Type "lobby" for the tables and their codes.'))


def turns(session: LineContext, rest: str) -> None:
    """The games by correspondence; or go to the next one, or to one by its number."""
    words, games = session.words, session.correspondence
    if not games:
        session.say(
            words.t(
                'You have no games by correspondence; "new correspondence" opens a table for one.'
            )
        )
    elif rest.isdecimal() and len(rest) <= 3 and 0 < int(rest) <= len(games):
        session.do(m.JoinTable(games[int(rest) - 1].table))
    elif full_word(rest, words) == Verb.NEXT:
        if not session.own_games.next:
            session.say(words.t("There is no other game to go to."))
        session.go_to_next_game()
    else:
        lines = game_lines(games, session.player.name, session.clock.time(), words)
        numbered = [f"{number}. {line}." for number, line in enumerate(lines, 1)]
        session.read([f"{session.own_games.said}:", *numbered])


def watch(session: LineContext, rest: str) -> None:
    """Watch the table with a code, another one than now, or always the busiest one."""
    if rest.casefold() in vocabulary("to watch", (_OTHER,), session.words):
        session.do(m.WatchAnother())
    elif rest:
        code, word = code_and_word(rest)
        session.do(m.WatchTable(code, word))
    elif session.table is not None and session.table.seat < 0:
        # Who waits for a bot's place only watches from now on.
        session.do(m.WatchTable(session.table.info.id))
    else:
        said = session.words.t("You are shown the busiest table from now on, until you leave it.")
        session.do(m.FollowBusiest(), lambda: session.say(said))


def _options(session: LineContext, text: str, start: m.TableOptions) -> m.TableOptions | None:
    """The options typed; ``None`` after saying what is wrong with them."""
    words = session.words
    try:
        return parse_options(text, start, words)
    except BadRules as error:
        session.say(refusal(m.Reply(error.code, error.details), words))
    except BadOption as error:
        session.say(words.t('"{word}" is not an option of a table; type "help".', word=str(error)))
    return None


# ------------------------------------------------------------------- at a table that is open


def change_options(session: LineContext, rest: str) -> None:
    """Change the options; alone it tells them."""
    now = session.here.info.options
    options = _options(session, rest, now) if rest else now
    if options is None:
        return

    def tell() -> None:
        words = session.words
        facts = ", ".join(options_in_words(options, words))
        session.say(words.t("Options: {facts}.", facts=facts))

    if rest:
        session.do(m.ChangeOptions(options), tell)
    else:
        tell()


def add(session: LineContext, rest: str) -> None:
    """A bot, so many of them, or of which kind: "2", "tidal", "2 tidal"."""
    number, strategy, words = 1, "", session.words
    for word in rest.casefold().split():
        if word.isdecimal() and len(word) < 3:
            number = int(word)
        elif word in bots.TYPED:
            strategy = bots.TYPED[word]
        else:
            session.say(words.t('There is no bot "{word}", only:', word=word))
            for name in bots.WANTED:
                session.say(f"{bot_in_words(name, words)}: {bot_line(name, words)}")
            return
    if number:
        session.do_all([m.AddBot(strategy=strategy)] * number)
    else:
        session.say(words.t('How many bots? For example: "add 2", or just "add" for one.'))


def act(action: TableAction, session: LineContext, rest: str) -> None:
    """Do what is done with nothing but what follows its word."""
    wanted = [each for each in structs.fields(action.command) if each.name not in action.fixed]
    given: dict[str, int | str] = {}
    for number, field in enumerate(wanted, 1):
        typed, _, rest = rest.partition(" ") if number < len(wanted) else (rest, "", "")
        if field.type is str and (typed or not field.required):
            given[field.name] = typed.strip()
        elif field.type is int and typed.strip() in _SEATS:
            given[field.name] = int(typed) - 1
        else:
            session.say(session.words.t(action.asks[number - 1]))
            return
    session.do(action.given(**given))


def invite(session: LineContext, _rest: str) -> None:
    """How others come to this table: the line that they type, alone in its line to be copied."""
    words, table = session.words, session.here
    lines = [words.t("The code to join: {code}.", code=table.info.id)]
    if line := invite_line(table, session.facts().way_in):
        lines = [words.t("To sit down here, others type:"), line]
    if table.info.private and not table.word:
        lines.append(words.t("Private: friends need the invitation word, too."))
    session.say(*lines)


def start(session: LineContext, _rest: str) -> None:
    """Begin; seats that are still empty are not given to bots without asking."""
    words, table = session.words, session.here
    info, empty = table.info, any(not seat.name for seat in table.info.seats)
    may = table.owned and info.status is m.Status.OPEN and not info.options.rated
    if not (empty and may):
        session.do(m.StartGame())
        return

    def fill() -> None:
        if session.table is not None and session.table.info.id == info.id:
            session.do_all(filling(session.table))

    said = words.t('Seats are empty. Should bots take them and the game begin? Type "yes" or "no".')
    if any(seat.kept for seat in info.seats):
        said = words.t(
            'Some kept seats are empty. Should bots take them and the game begin? Type "yes" or'
            ' "no".'
        )
    session.ask(said, fill)


# ------------------------------------------------------------------- in a game


def look(session: LineContext, _rest: str) -> None:
    """Everything there is to see."""
    words, told = session.words, session.replayed
    if told is not None:
        session.say(*table_in_sentences.table_lines(told, words))
        return
    session.say(*table_in_sentences.place_lines(None, session.here, words, session.clock.time()))
    if due := bid_due(session.here):
        time = time_in_words(max(0, round(due - session.clock.time())), words)
        session.say(capital(words.t("{time} left", time=time)) + ".")


def log(session: LineContext, rest: str) -> None:
    """The rounds of this stage, or the last ones of them."""
    last = int(rest) if rest.isdecimal() and len(rest) < 3 else 0
    session.say(*table_in_sentences.log_lines(session.seen, session.words, last))


def bid(session: LineContext, rest: str) -> None:
    """Bid a card."""
    words, table, view = session.words, session.here, table_in_sentences.view_of(session.here)
    if not rest.isdecimal() or len(rest) > 2:
        session.say(words.t('Which card? For example: "bid 44", or just "44".'))
        return
    command = m.PlaceBid(int(rest), view.stage, view.round)

    def submit() -> None:
        session.do(command, sealed)

    def sealed() -> None:
        now = session.table
        # When it was the last bid, the round has been told by now.
        if now and now.table and (now.table.stage, now.table.round) == (view.stage, view.round):
            session.say(words.t("The {card} is sealed.", card=command.card))

    if session.preferences.sure and waits_for(table):
        said = words.t('That reveals the round. Type "yes" to bid {card}.', card=command.card)
        session.ask(said, submit)
    else:
        submit()


def again(session: LineContext, _rest: str) -> None:
    """Another game."""

    def ready() -> None:
        # Where all others were ready already, the next game has begun, and been told.
        table = session.table
        if table is not None and table.info.status is m.Status.OVER:
            words = session.words
            session.say(words.t("You are ready for another game."))
            session.say(rematch_in_words(table.info, session.clock.time(), words))

    session.play_again(ready)


def vote(session: LineContext, rest: str) -> None:
    """Vote, or take the vote back."""
    words = session.words
    typed = rest.casefold().split()
    without = vocabulary("table option", ("no",), words)
    agree = not (typed and (typed[0] in without or full_word(typed[0], words) == Verb.NO))
    asked = typed if agree else typed[1:]
    known = vocabulary("vote", [each.typed for each in MOTIONS.values()], words)
    if not asked or asked[0] not in known:
        session.say(words.t('Type "vote pause", "vote end", or "vote replace" and a name.'))
        return
    motion, seat = m.Motion(known[asked[0]]), -1
    if motion is m.Motion.REPLACE:
        wanted = " ".join(asked[1:])
        seat = called([who.name for who in session.here.info.seats], wanted)
        if seat < 0:
            session.say(words.t('Nobody at this table is called "{name}".', name=wanted))
            return
    table = session.here
    agreed = [
        each.agreed for each in table.info.votes if (each.motion, each.seat) == (motion, seat)
    ]
    if (table.seat in sum(agreed, ())) is not agree:
        session.do(m.Vote(motion, seat, agree))
    elif agree:
        session.say(words.t("You have voted for that already."))
    else:
        session.say(words.t("You have not voted for that."))


def leave(session: LineContext, _rest: str) -> None:
    """Leave the replay, or the table."""
    words, table = session.words, session.table
    if session.replay is not None:
        session.replay = None
        session.say(
            words.t("You are in the lobby.")
            if table is None
            else words.t("The replay is closed; you are at table {title}.", title=table.info.title)
        )
    elif session.here.seat < 0 or session.here.info.status is not m.Status.PLAYING:
        session.do(m.LeaveTable())
    elif is_day(session.here.info.event):
        session.do(
            m.LeaveTable(), lambda: session.say(words.t('The game waits for you: type "today".'))
        )
    else:
        if session.corresponds:
            session.say(words.t('"lobby" leads to the lobby, and your seat is kept.'))
        said = words.t(
            'A bot would play on for you, and its result would be yours. Type "yes" to leave.'
        )
        if session.here.info.event:
            said = words.t(
                'A bot bids for you until you are back: "join {code}". Type "yes" to leave.',
                code=session.here.info.id,
            )
        session.ask(said, lambda: session.do(m.LeaveTable()))
