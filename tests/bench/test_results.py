"""The page of results: written, read again, renewed in part."""

import json
from pathlib import Path

from bench.__main__ import sections
from bench.load.figures import BY_CLIENTS
from bench.results import TARGETS, Results, Section, commit


def test_what_was_not_measured_again_stays(tmp_path: Path) -> None:
    page = tmp_path / "RESULTS.md"
    results = Results.read(page)
    results.put("rounds", Section("| a | table |", '{"sixteen colours": 1234.5, "lines": 301}'))
    results.put("recovery", Section("plain text", "{}"))
    results.write(page)
    again = Results.read(page)
    again.put("engine", Section("games", '{"ratio": 1.66, "told": "in pairs"}'))
    again.write(page)
    text = page.read_text()
    assert "| a | table |" in text
    assert "plain text" in text
    at = commit().removeprefix("commit ")
    assert f"| bytes of a round, 80x24, 16 colours | 1,300 | 1,100 | 1,234 | yes | {at} |" in text
    assert f"| the same in line mode | 300 | 200 | 301 | **no** | {at} |" in text
    games = "random games a second, to ffcb53b6's (states alone)"
    assert f"| {games} | 1.65 | 1.65 | 1.66 | yes | {at} | in pairs |" in text
    Results.read(page).write(page)
    assert page.read_text() == text


def test_what_was_never_measured_says_so(tmp_path: Path) -> None:
    page = tmp_path / "RESULTS.md"
    Results.read(page).write(page)
    text = page.read_text()
    assert text.count("| not measured |") == len(TARGETS)
    assert "| honest p99 with bad clients, to without | 1.5 | 1.1 | not measured |" in text


def test_a_measurement_of_several_sections_is_told_apart() -> None:
    said = [
        "beside\n",
        'figures nuisances {"rows": []}\n',
        "\n",
        "load\n",
        'figures load {"a": 1}\n',
    ]
    assert list(sections("load", said)) == [
        ("nuisances", Section("beside", '{"rows": []}')),
        ("load", Section("load", '{"a": 1}')),
    ]
    assert list(sections("engine", ["games\n", 'figures {"b": 2}\n'])) == [
        ("engine", Section("games", '{"b": 2}'))
    ]


SIZE = {
    "who": "ours",
    "sessions": 1000,
    "p99": 16.5,
    "server": 0.5,
    "round_ms": 5.6,
    "frame_ms": 0.34,
    "login_ms": 3.0,
    "kilobytes": 90.0,
    "marks": "disturbed",
}


def _page(tmp_path: Path, *rows: dict[str, object]) -> str:
    results = Results()
    results.put("load", Section("text", json.dumps({"rows": rows})))
    results.write(tmp_path / "RESULTS.md")
    return (tmp_path / "RESULTS.md").read_text()


def test_a_verdict_is_about_what_was_measured(tmp_path: Path) -> None:
    earlier = {**SIZE, "who": "earlier", "p99": 11.0, "round_ms": 4.0, "frame_ms": 0.17}
    small = {**SIZE, "sessions": 200, "frame_ms": 0.5}
    text = _page(tmp_path, small, SIZE, {**earlier, "login_ms": 3.5, "marks": ""})
    at = commit().removeprefix("commit ")
    beside = "with 1,000 sessions; {} in 6ec2570 in the same run, {} times (disturbed)"
    assert f"| 0.7 of it | 5.60 | **no** | {at} | {beside.format('4.00', '1.40')} |" in text
    assert f"| 16.5 | **no** | {at} | {beside.format('11.0', '1.50')} |" in text
    assert f"| 3.00 | yes | {at} | {beside.format('3.50', '0.86')} |" in text
    assert "| CPU ms a frame with 200 | wish's | less | not measured |" in text
    text = _page(tmp_path, small, SIZE, {**SIZE, "who": "wish", "sessions": 200, "frame_ms": 0.6})
    assert "| 0.50 | yes |" in text
    assert "wish takes 0.60 in the same run" in text
    assert "| 0.9 of 6ec2570 | 0.7 of it | not measured |" in text


def test_what_the_clients_limit_is_not_counted_as_reached(tmp_path: Path) -> None:
    assert "| 60 | 50 | 50.0 | yes |" in _page(tmp_path, {**SIZE, "kilobytes": 50.0})
    limited = {**SIZE, "kilobytes": 50.0, "marks": BY_CLIENTS}
    assert "| 60 | 50 | 50.0 | **no** |" in _page(tmp_path, limited)
