"""What can be typed in line mode, as sentences."""

from server.coordinator.messages import Status, TableSnapshot
from server.i18n.catalogues import Words
from server.session.help_text import help_sections


def help_lines(table: TableSnapshot | None, words: Words, *, operator: bool = False) -> list[str]:
    """The commands that make sense now."""
    if table is None:
        lines = [
            words.t("play: a game against bots, at once."),
            words.t("learn: a first game of one stage, with a guide who explains it."),
            words.t(
                "lobby: who is here, and the tables; lobby free untimed: only such tables. join CODE: sit"
                " down; a private table wants its word, too: join CODE WORD. watch CODE: look on; watch"
                " alone: always the busiest table."
            ),
            words.t(
                "any: any game that has a seat free, or a new table. any untimed: preferably one of those."
            ),
            words.t(
                "new: open a table, with options such as: new gamewright 5 players 2 stages untimed."
                " Others: 90 seconds, correspondence, assistance, modified (with bga),"
                " rated, delayed (spectators see a round when it is over), no spectators."
            ),
        ]
    elif table.info.status is Status.OPEN:
        lines = [
            words.t("table: who sits here. start: begin. leave: back to the lobby."),
            words.t(
                "add: a bot; add 3: three of them; add tidal: that kind. remove 2: free seat 2. give 2:"
                " seat 2 is the owner."
            ),
            words.t("options 5 players untimed: change the options. options alone tells them."),
            words.t(
                "invite: the line to send to friends. private otter: only who knows the word comes in;"
                " public: everybody again. keep 3 zoe: seat 3 is for zoe; keep 3: for anybody. move 2 4:"
                " who sits on seat 2 moves to seat 4."
            ),
        ]
    else:
        lines = [
            words.t("bid 44, or just 44: bid that card, or bid it instead of your earlier one."),
            words.t("hand, tides, table, log, played, scores: what there is to see."),
            words.t(
                "vote pause, vote end, vote replace NAME: vote; with no before it, take it back."
                " resume: go on after a pause."
            ),
            words.t("again: another game, when this one is over. leave: a bot plays on for you."),
            words.t("learn: the guide comes to this table, or goes."),
            words.t(
                "If you watch, join: you play for a bot from the next stage on; watch: rather not. When the"
                " game is over, reveal: all hands."
            ),
        ]
    lines += [
        words.t(
            "say TEXT: to everybody here. tell NAME TEXT: to one person, wherever. reply TEXT: to who told"
            " you something last. shout TEXT: to the lobby, from a table. phrase: sentences, shown in each"
            " reader's own language."
        ),
        words.t(
            "chat: what has been said. mute NAME: hear nothing more from somebody until you leave. block"
            " NAME: for good. unmute, unblock: hear them again."
        ),
        words.t(
            "games: yours that are over; games all: everybody's. replay 2: number 2 of them again, step by"
            " step; replay alone: the last one. reveal 2: all hands of number 2."
        ),
        words.t(
            "In a replay: next, back, next 4; go 3.7: stage 3, round 7; go end. eyes NAME: as that player"
            " saw it; eyes all: as everybody did; reveal: all hands. hand, table, log and others work there."
        ),
        words.t("results: how you have done. best: the best players."),
        words.t("account: how you come back; account code: a code for another device."),
    ]
    lines += [
        words.t(
            "set: every setting and its number; set 5: the next value of number 5; set 5 back: the one"
            " before. set quiet, set normal, set talkative: how much is said."
        ),
        words.t(
            "set sure, set bell: ask before a bid that reveals; ring when people wait for you. set"
            " language de: the language. set notify: a notification, where your terminal shows one."
        ),
        words.t(
            "report NAME TEXT: tell the operators of this house about somebody; their answer reaches you."
        ),
        words.t("more, or Enter: what comes next of a long answer."),
        words.t("who, rules, screen (the full screen), quit. The beginning of a word is enough."),
    ]
    if operator:
        lines.append(words.t("admin: what operators do; admin help tells all of it."))
    return lines


def rules_lines(table: TableSnapshot | None, words: Words) -> list[str]:
    """The rules, aware of what the table plays; without what only the full screen has."""
    sections = help_sections(table.info.options if table else None, words)
    lines = []
    for heading, paragraphs in sections:
        texts = [text for text in paragraphs if "\t" not in text]
        if texts:
            lines.append(f"{heading}: {' '.join(texts)}")
    return lines
