"""What ``tests.code_lines`` counts."""

from tests.code_lines import code_lines


def test_comments_blank_lines_and_docstrings_are_no_code() -> None:
    source = '''"""A module
of two lines of words."""

import os  # counts once

LIMIT = (
    1,
)
"""Words about the limit."""


def f() -> str:
    """Words."""
    # Nothing.
    return """text
    that is returned"""
'''
    assert code_lines(source) == len(["import", "LIMIT", "1", ")", "def", "return", "that"])
