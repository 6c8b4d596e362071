"""What ``tide`` says about itself."""

import pytest
from typer.testing import CliRunner

from server.cli.app import app


@pytest.mark.parametrize("command", [(), ("records",), ("keys",)], ids=" ".join)
def test_no_summary_of_a_command_breaks_off(command: tuple[str, ...]) -> None:
    told = CliRunner().invoke(app, [*command, "--help"], env={"COLUMNS": "80"})
    assert told.exit_code == 0
    _, _, commands = told.output.partition("Commands:\n")
    lines = commands.rstrip().splitlines()
    assert len(lines) >= 2
    for line in lines:
        assert line.endswith("."), line
        assert not line.endswith("..."), line
        assert len(line) < 80
