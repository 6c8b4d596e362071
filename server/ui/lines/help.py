"""What can be typed in line mode, as sentences."""

from server.coordinator.messages import Status, TableSnapshot
from server.ui.help_text import help_sections
from server.ui.i18n import Words


def help_lines(table: TableSnapshot | None, words: Words) -> list[str]:
    """The commands that make sense now."""
    if table is None:
        lines = [
            words.t("play: a game against bots, at once."),
            words.t("learn: a first game of one stage, with a guide who explains it."),
            words.t(
                "lobby: who is here, and the tables. join CODE: sit down. watch CODE: look on."
            ),
            words.t(
                "new: open a table, with options such as: new gamewright 5 players 2 stages untimed."
                " Others: 90 seconds, correspondence, assistance, modified (with bga)."
            ),
        ]
    elif table.info.status is Status.OPEN:
        lines = [
            words.t("table: who sits here. start: begin. leave: back to the lobby."),
            words.t(
                "add: a bot; add 3: three of them. remove 2: free seat 2. give 2: seat 2 is the owner."
            ),
            words.t("options 5 players untimed: change the options. options alone tells them."),
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
        ]
    lines += [
        words.t(
            "set quiet, set normal, set talkative: how much is said. set sure, set bell: ask before a bid"
            " that reveals; ring when the others wait. set language de: the language."
        ),
        words.t("set notify: a notification when the others wait, where your terminal shows one."),
        words.t("who, rules, screen (the full screen), quit. The beginning of a word is enough."),
    ]
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
