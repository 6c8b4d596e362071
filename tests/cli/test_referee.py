"""``tide referee`` as a user meets it: files, standard input, archives with bad records among good ones."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.engine.oracle import play_game
from tests.support.engine import random_generator
from tests.support.state_dirs import Outcome
from tests.support.state_dirs import tide as run

STDIN = "standard input"
SAID = f"tide: {STDIN}"


def game(
    word: object = "cli", edition: str = "amigo", players: int = 4, stop: int | None = None
) -> tuple[dict[str, Any], dict[str, Any]]:
    record, report = play_game(edition, players, 2, False, random_generator(word), stop)
    record["players"] = ["ada", "bo", "cem", "dora", "eve", "fay"][:players]
    return record, report


GOOD, REPORT = game()
OTHER, OTHER_REPORT = game("other", "bga", 6, 7)


def line(record: object) -> str:
    return json.dumps(record) + "\n"


def changed(**fields: Any) -> dict[str, Any]:
    return GOOD | fields


def with_bid(stage: int, round_: int, seat: int, card: int | None) -> dict[str, Any]:
    copy: dict[str, Any] = json.loads(json.dumps(GOOD))
    copy["stages"][stage]["bids"][round_][seat] = card
    return copy


def referee(*arguments: str | Path, stdin: str | bytes = b"") -> Outcome:
    return run("referee", *arguments, stdin=stdin)


def reports(told: Outcome) -> list[Any]:
    return [json.loads(line) for line in told.lines]


# ------------------------------------------------------------------------------------ good records


@pytest.mark.parametrize(
    "dressed",
    [
        lambda text: "\ufeff" + text,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\n \n\t\r\n" + text + "\n\n",
        lambda text: text.rstrip("\n"),
        lambda text: "\ufeff\r\n" + text.replace("\n", "\r\n\r\n"),
    ],
    ids=["byte order mark", "CRLF", "blank lines", "no newline at the end", "all of them"],
)
@pytest.mark.parametrize("pretty", [False, True])
def test_marks_line_ends_and_blank_lines_are_fine(dressed: Any, pretty: bool) -> None:
    text = json.dumps(GOOD, indent=2) + "\n" if pretty else line(GOOD) * 2
    told = referee("--json", stdin=dressed(text).encode())
    assert (told.status, told.err) == (0, "")
    assert reports(told) == [REPORT] * (1 if pretty else 2)


def test_files_in_their_order_and_standard_input_among_them(tmp_path: Path) -> None:
    (tmp_path / "one.jsonl").write_text(line(GOOD) + line(OTHER))
    (tmp_path / "two.json").write_text(json.dumps(OTHER, indent=2))
    told = referee("--json", tmp_path / "one.jsonl", "-", tmp_path / "two.json", stdin=line(GOOD))
    assert (told.status, told.err) == (0, "")
    assert reports(told) == [REPORT, OTHER_REPORT, REPORT, OTHER_REPORT]


# ------------------------------------------------------------------------------------- bad records


BAD: dict[str, tuple[object, str]] = {
    "a card twice": (
        with_bid(1, 1, 0, GOOD["stages"][1]["bids"][0][0]),
        "record 2, stage 2, round 2, seat 1: card",
    ),
    "a card dealt twice": (
        changed(deal=[*GOOD["deal"][:3], [GOOD["deal"][0][0], *GOOD["deal"][3][1:]]]),
        "record 2, seat 4: card",
    ),
    "an impossible tide": (
        changed(stages=[{"tides": [[4, 13]], "bids": []}]),
        "record 2, stage 1, round 1: there is no tide card 13",
    ),
    "play after the end of the game": (
        changed(stages=[*GOOD["stages"], {"tides": [[1, 2]], "bids": []}]),
        "record 2, stage 3: play goes on although the game is over",
    ),
    "a foreign version": (changed(version=2), "record 2: written in version 2"),
    "a list": ([GOOD], "record 2: a record has to be a JSON object"),
}
"""One for each kind of place that is named."""


@pytest.mark.parametrize("case", BAD)
def test_a_bad_record_among_good_ones(case: str) -> None:
    bad, expected = BAD[case]
    told = referee("--json", stdin=line(GOOD) + line(bad) + line(OTHER))
    assert told.status == 1
    assert reports(told) == [REPORT, OTHER_REPORT]
    (error,) = told.errors
    assert error.startswith(f"{SAID}: {expected}")


RUBBISH = {
    "broken JSON": line(GOOD)[:-3] + "\n",
    "cut off": line(GOOD)[:400] + "\n",
    "words": "this is no record\n",
    "single quotes": str(GOOD) + "\n",
    "absurd nesting": "[" * 50_000 + "]" * 50_000 + "\n",
    "more absurd nesting": '{"a":' * 50_000 + "\n",
    "a huge number": line(GOOD).replace('"version": 1', '"version": ' + "1" * 9999),
    "not a number": line(GOOD).replace('"version": 1', '"version": NaN'),
    "a key twice": line(GOOD).replace('"version": 1', '"version": 1, "version": 1'),
    "control characters": "\x00\x01\x1b[31m\x07\n",
    "a very long line": "x" * (3 << 20) + "\n",
    "a very long record": line(GOOD | {"note": "x" * (2 << 20)}),
}


@pytest.mark.parametrize("before", [0, 1])
@pytest.mark.parametrize("case", RUBBISH)
def test_rubbish_among_good_records(case: str, before: int) -> None:
    told = referee("--json", stdin=line(GOOD) * before + RUBBISH[case] + line(OTHER))
    assert told.status == 1
    assert reports(told) == [*[REPORT] * before, OTHER_REPORT]
    (error,) = told.errors
    assert error.startswith(f"{SAID}: record {before + 1}: ")
    assert error.isprintable()


def test_bytes_that_are_no_text() -> None:
    binary = bytes(range(256)) * 40
    told = referee("--json", stdin=binary)
    assert (told.status, told.out) == (1, "")
    assert told.errors == [f"{SAID}: record 1: this is not text: byte 129 is not UTF-8"]
    told = referee("--json", stdin=line(GOOD).encode() + b"\xff\xfe\x80\n" + line(GOOD).encode())
    assert reports(told) == [REPORT, REPORT]
    assert told.errors == [f"{SAID}: record 2: this is not text: byte 1 is not UTF-8"]


@pytest.mark.slow
def test_much_binary_rubbish_gives_one_line() -> None:
    told = referee(stdin=b"\x80\n\n\xff{}\n" * 220_000)
    assert (told.status, told.out) == (1, "")
    assert len(told.errors) == 1


def test_of_very_many_bad_records_most_are_counted_and_the_good_ones_used() -> None:
    told = referee("--json", stdin=line({}) * 1_000 + line(GOOD))
    assert (told.status, reports(told)) == (1, [REPORT])
    *first, last = told.errors
    assert len(first) == 100
    assert first[-1].startswith(f"{SAID}: record 100: not a record of this game")
    assert last == f"{SAID}: and 900 more bad records"


def test_blank_lines_count_as_lines_and_not_as_records() -> None:
    told = referee("--json", stdin="\n" + line(GOOD) + "\n\n" + line({}) + line(GOOD))
    assert reports(told) == [REPORT, REPORT]
    (error,) = told.errors
    assert error.startswith(f"{SAID}: record 2 (line 5): not a record of this game")


# -------------------------------------------------------------- one pretty-printed record, broken


def broken(text: str, before: str, after: str) -> str:
    assert before in text
    return text.replace(before, after, 1)


PRETTY = json.dumps(GOOD, indent=1)
BY_HAND = "\n".join(
    [
        '{"format": "turn-the-tide", "version": 1, "rules": {"edition": "amigo", "stages": 2},',
        f'"players": {json.dumps(GOOD["players"])},',
        '"deal": [' + ",\n".join(map(json.dumps, GOOD["deal"])) + "],",
        '"stages": [' + ",\n".join(map(json.dumps, GOOD["stages"])),
        "]}",
    ]
)


@pytest.mark.parametrize(
    "text",
    [
        broken(PRETTY, '"version": 1,', '"version": 1'),
        broken(PRETTY, '"players": [', '"players": '),
        broken(PRETTY, "{", ""),
        PRETTY[:-2],
        PRETTY[: len(PRETTY) // 2],
        PRETTY + "\n]",
        broken(PRETTY, '"version": 1', '"version": NaN, "version": 1'),
        broken(PRETTY, '"version": 1', '"version": 7'),
        broken(PRETTY, '"bids": [', '"bids": [[1, 2, 3, 4], '),
        broken(BY_HAND, ' "stages": 2},', ' "stages": 2}'),
        broken(BY_HAND, '"players"', "players"),
        BY_HAND[:-2],
        BY_HAND[:-3],
        "[" + PRETTY + ",\n" + PRETTY + "]",
    ],
)
def test_a_broken_one_gets_one_complaint(text: str) -> None:
    told = referee(stdin=text)
    assert (told.status, told.out) == (1, "")
    (error,) = told.errors
    assert error.startswith(f"{SAID}: record 1")


def test_the_line_of_the_file_is_named() -> None:
    text = "\n\n" + broken(PRETTY, '"version": 1,', '"version": 1')
    (error,) = referee(stdin=text).errors
    assert error == f"{SAID}: record 1: broken JSON at line 6, column 2"
    (_, error) = referee(stdin=line({}) + line({"format": 1})[:-2] + "\n" + line(GOOD)).errors
    assert error == f"{SAID}: record 2: broken JSON at line 2, column 13"


# ------------------------------------------------------------------------------------ bad files


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "good").write_text(line(GOOD))
    told = referee("--json", tmp_path / "missing", tmp_path, tmp_path / "good")
    assert told.status == 1
    assert reports(told) == [REPORT]
    assert told.errors == [
        f"tide: {tmp_path}/missing: No such file or directory",
        f"tide: {tmp_path}: Is a directory",
    ]


def test_files_without_a_record(tmp_path: Path) -> None:
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "blank").write_bytes(b"\xef\xbb\xbf\r\n\n  \n")
    told = referee(tmp_path / "empty", tmp_path / "blank", "-")
    assert (told.status, told.out) == (1, "")
    assert told.errors == [
        f"tide: {name}: there is no record in it"
        for name in (tmp_path / "empty", tmp_path / "blank", STDIN)
    ]


def test_a_file_with_a_wild_name(tmp_path: Path) -> None:
    file = tmp_path / "a\x1b[31m\nb\udcff"
    try:
        file.write_text("{}\n{}")
    except OSError:
        pytest.skip("this file system has no such names")
    told = referee(file)
    assert len(told.errors) == 2
    assert all(error.isprintable() for error in told.errors)


# --------------------------------------------------------------------------- what people read


def scripted() -> dict[str, Any]:
    """Three players of whom two drown, in two rounds."""
    poor = [*range(1, 13)], [*range(49, 61)]
    rich = [*range(13, 25)]
    return {
        "format": "turn-the-tide",
        "version": 1,
        "rules": {"edition": "amigo", "stages": 1},
        "players": ["ada", "bo", "cem"],
        "deal": [poor[0], rich, poor[1]],
        "stages": [{"tides": [[7, 4]], "bids": [[1, 13, 60]]}],
    }


def test_the_account_of_a_game() -> None:
    told = referee(stdin=json.dumps(scripted()))
    assert (told.status, told.err) == (0, "")
    assert told.out.splitlines() == [
        "standard input, record 1 · Amigo · 3 players · short: 1 stage",
        "  seat 1  ada: 1 2 3 4 5 6 7 8 9 10 11 12",
        "  seat 2  bo: 13 14 15 16 17 18 19 20 21 22 23 24",
        "  seat 3  cem: 49 50 51 52 53 54 55 56 57 58 59 60",
        "",
        "Stage 1 of 1",
        "  life preservers: ada 0, bo 6, cem 0",
        "",
        "  Round 1: tides 4 and 7",
        "    cem (60) took 4 · bo (13) took 7 · ada 1",
        "    bo lost a life preserver (tide 7, the highest), 5 left",
        "    now: ada dry (0 left), bo at 7 (5 left), cem at 4 (0 left)",
        "",
        "  The stage is not over.",
        "",
        "The game is not over.",
        "scores: ada 0, bo 0, cem 0",
    ]


def test_the_account_of_an_elimination_and_of_the_end() -> None:
    record = scripted()
    # ada is rich now, and shares the highest tide with cem, who has nothing to lose.
    record["deal"] = [[*range(13, 25)], [*range(1, 13)], [*range(49, 61)]]
    record["stages"] = [{"tides": [[4, 7], [3, 3]], "bids": [[13, 12, 60], [24, 11, 59]]}]
    told = referee(stdin=json.dumps(record)).out
    assert (
        "    ada and cem share the highest tide (3): ada lost a life preserver, 4 left;"
        " cem had none left and went out\n"
        "    nothing is passed on: a life preserver was lost\n"
        "    now: ada at 3 (4 left), bo dry (0 left), cem out\n"
        "\n"
        "  End of the stage: only two are left, so it ends at once\n"
        "  points: ada +4, bo +1, cem -1\n"
        "  one point more for the lowest tide: bo\n"
        "  scores: ada 4, bo 1, cem -1\n"
    ) in told
    assert told.endswith("ada wins with 4 points\nscores: ada 4, bo 1, cem -1\n")
    record["seats"] = [{"kind": "left"}, {"kind": "human"}, "?"]
    told = referee(stdin=json.dumps(record)).out
    assert told.endswith("ada (bot) wins with 4 points\nscores: ada 4, bo 1, cem -1\n")


def test_several_accounts_say_which_is_which() -> None:
    told = referee(stdin=line(GOOD) + line({}) + line(OTHER))
    titles = [text for text in told.out.splitlines() if text.startswith(STDIN)]
    assert titles == [
        f"{STDIN}, record 1 · Amigo · 4 players · short: 2 stages",
        f"{STDIN}, record 3 · Board Game Arena · 6 players · short: 2 stages",
    ]
    assert len(told.errors) == 1


def test_names_reach_the_terminal_clean_and_distinct() -> None:
    names = ["\x1b[31mada\x07", "\u202eob", "ob", "\u200b"]
    told = referee(stdin=line(changed(players=names)))
    assert told.status == 0
    assert all(character.isprintable() or character == "\n" for character in told.out)
    assert "seat 1  [31mada:" in told.out
    assert "seat 2  ob (seat 2):" in told.out
    assert "seat 3  ob (seat 3):" in told.out
    assert "seat 4  seat 4:" in told.out


def test_what_a_record_says_reaches_the_terminal_clean_in_complaints_too() -> None:
    text = line(GOOD).replace('"version": 1', '"\\u001b[31m": 1, "\\u001b[31m": 1, "version": 1')
    (error,) = referee(stdin=text).errors
    assert error == f'{SAID}: record 1: the key "[31m" appears twice'


# --------------------------------------------------------------------------- the real program


def tide(*arguments: str, **options: Any) -> subprocess.Popen[bytes]:
    # A shell has what it starts in the background ignore SIGINT: these tests, and what they start.
    heard = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    program = f"{heard}; from server.cli import main; main()"
    command = [sys.executable, "-c", program, "referee", *arguments]
    return subprocess.Popen(command, stderr=subprocess.PIPE, **options)


def test_a_reader_that_goes_away(tmp_path: Path) -> None:
    (tmp_path / "many").write_text(line(GOOD) * 200)
    running = tide(str(tmp_path / "many"), stdout=subprocess.PIPE)
    assert running.stdout
    assert running.stdout.readline()
    running.stdout.close()
    assert running.stderr
    assert running.stderr.read() == b""
    running.stderr.close()
    assert running.wait() == 1


def test_standard_output_that_is_full(tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    (tmp_path / "one").write_text(line(GOOD))
    with open("/dev/full", "wb") as full:
        running = tide(str(tmp_path / "one"), stdout=full)
        _, err = running.communicate()
    assert err == b"tide: standard output: No space left on device\n"
    assert running.returncode == 1


def test_a_terminal_without_the_characters(tmp_path: Path) -> None:
    (tmp_path / "one").write_text(line(changed(players=["žofie", "李", "c", "d"])))
    running = tide(
        str(tmp_path / "one"),
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONIOENCODING": "latin-1"},
    )
    out, err = running.communicate()
    assert (err, running.returncode) == (b"", 0)
    assert b"seat 1  ?ofie" in out


@pytest.mark.slow
def test_closed_standard_streams(tmp_path: Path) -> None:
    (tmp_path / "one").write_text(line(GOOD))
    command = f"{sys.executable} -c 'from server.cli import main; main()' referee"
    for closed, expected in (
        (f"{command} <&-", b"tide: standard input: it is closed\n"),
        (f"{command} {tmp_path}/one >&-", b"tide: standard output is closed\n"),
        (f"{command} {tmp_path}/missing 2>&-", b""),
    ):
        told = subprocess.run(["sh", "-c", closed], capture_output=True, check=False)
        assert (told.stdout, told.stderr) == (b"", expected)
        assert told.returncode == 1


def test_ctrl_c_is_no_traceback() -> None:
    running = tide("--json", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert running.stdin
    assert running.stdout
    running.stdin.write(line(GOOD).encode())
    running.stdin.flush()
    # The answer comes while the program waits for more; so it is up and running now.
    assert json.loads(running.stdout.readline()) == REPORT
    running.send_signal(signal.SIGINT)
    out, err = running.communicate()
    assert (out, err, running.returncode) == (b"", b"", 130)
