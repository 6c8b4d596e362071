"""The page of results: written, read again, renewed in part."""

import json
from pathlib import Path

from bench.load.figures import BY_CLIENTS
from bench.results import Results, Section


def test_what_was_not_measured_again_stays(tmp_path: Path) -> None:
    page = tmp_path / "RESULTS.md"
    results = Results.read(page)
    results.put("rounds", Section("| a | table |", '{"sixteen colours": 1234.5, "lines": 301}'))
    results.put("frame", Section("plain text", "{}"))
    results.write(page)
    again = Results.read(page)
    again.put("engine", Section("games", '{"a round at a time": 2500.0}'))
    again.write(page)
    text = page.read_text()
    assert "| a | table |" in text
    assert "```\nplain text\n```" in text
    assert "| bytes of a round, 80x24, 16 colours | 1,300 | 900 | 1,234 | yes |" in text
    assert "| the same in line mode | 300 | 200 | 301 | nearly |" in text
    assert "| random games a second, one core | 2,250 | 4,500 | 2,500 | yes |" in text
    Results.read(page).write(page)
    assert page.read_text() == text


def test_the_figures_under_load_are_compared(tmp_path: Path) -> None:
    size = {
        "sessions": 1000,
        "p99": 12.0,
        "server": 0.5,
        "others": 0.0,
        "frame_ms": 0.3,
        "kilobytes": 90.0,
        "payload": 1300.0,
        "bad": 2.0,
        "beside": "1 % deaf",
        "marks": "disturbed",
    }
    results = Results()
    results.put("load", Section("text", f'{{"sizes": [{_json(size)}], "connects": []}}'))
    page = tmp_path / "RESULTS.md"
    results.write(page)
    text = page.read_text()
    assert (
        "| 3,000 | more | 1,000 | **no** | p99 12 ms with 1,000 at 50% of a core (disturbed) |"
        in text
    )
    assert "| 80 | 60 | 90 | nearly | with 1,000 sessions |" in text
    assert "| 1.5 | 1.1 | 2.00 | **no** | 1 % deaf, with 1,000 sessions (disturbed) |" in text


def test_a_nuisance_counts_where_it_is_felt(tmp_path: Path) -> None:
    sizes = [
        {"sessions": 1000, "p99": 6.0, "bad": 2.6, "beside": "1 % resizing"},
        {"sessions": 3000, "p99": 80.0, "bad": 0.1, "beside": "1 % deaf"},
        {"sessions": 5000, "p99": 240.0, "bad": 4.4, "beside": "1 % flooding"},
    ]
    rest = {"server": 0.5, "others": 0.0, "frame_ms": 0.3, "kilobytes": 90.0, "payload": 1300.0}
    results = Results()
    every = [{**size, **rest, "marks": ""} for size in sizes]
    results.put("load", Section("text", f'{{"sizes": {_json(every)}, "connects": []}}'))
    page = tmp_path / "RESULTS.md"
    results.write(page)
    text = page.read_text()
    assert (
        "| 1.5 | 1.1 | 2.60 | **no** | 1 % resizing, with 1,000 sessions; "
        "4.40 with 5,000, 1 % flooding, at 50% of a core without |"
    ) in text
    assert "| 1,000 | **no** | p99 80 ms with 3,000 at 50% of a core |" in text


def test_what_the_clients_limit_is_not_counted_as_reached(tmp_path: Path) -> None:
    come = {"who": "ours", "kex": "curve25519", "rate": 700.0, "ms": 1.4, "marks": BY_CLIENTS}
    results = Results()
    results.put("load", Section("text", f'{{"sizes": [], "connects": [{_json(come)}]}}'))
    page = tmp_path / "RESULTS.md"
    results.write(page)
    assert "| 700 | **no** | 1.4 ms of CPU time each (limited by the clients) |" in page.read_text()


def test_on_another_machine_the_earlier_version_is_the_yardstick(tmp_path: Path) -> None:
    come = [
        {"who": "ours", "kex": "curve25519", "rate": 300.0, "ms": 3.2, "marks": ""},
        {"who": "earlier", "kex": "curve25519", "rate": 330.0, "ms": 2.56, "marks": ""},
    ]
    ours = {"p99": 40.0, "server": 0.9, "frame_ms": 0.4, "kilobytes": 70.0, "bad": 1.0, "marks": ""}
    sizes = [{**ours, "sessions": 1500, "beside": ""}, {**ours, "sessions": 3000, "beside": ""}]
    earlier = {"sessions": 1500, "p99": 32.0, "server": 0.75, "frame_ms": 0.2}
    results = Results()
    results.put("load", Section("", _json({"sizes": sizes, "connects": come, "earlier": earlier})))
    results.put("engine", Section("games", '{"a round at a time": 1200.0, "yardstick": 12.65}'))
    page = tmp_path / "RESULTS.md"
    results.write(page)
    text = page.read_text()
    beside = "with 1,500 sessions, {} in 6ec2570 in the same run: {} where that has {}"
    assert f"| 40.0 | yes | {beside.format('32.0', '8.0', '6.4')} |" in text
    assert f"| 90% | nearly | {beside.format('75%', '70%', '58%')} |" in text
    assert f"| 0.40 | **no** | {beside.format('0.20', '0.38', '0.19')} |" in text
    assert "| 300 | yes | 3.2 ms of CPU time each; 2.6 in 6ec2570: 566 where that has 708 |" in text
    assert "| 2,250 | 4,500 | 1,200 | yes | 2,400 by the ratio of the yardstick, 2.00 |" in text


def _json(value: object) -> str:
    return json.dumps(value)
