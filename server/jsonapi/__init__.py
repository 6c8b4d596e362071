"""The game for programs: a line of JSON for each command and each change. docs/api.md is the reference."""
