"""Counts lines of code: those with a token on them that is no comment and belongs to no docstring.

``python -m tests.code_lines [REV [FOLDER ...]]`` prints them for each part of ``server/`` (or of the folders)
at a revision, or as the files are now.
"""

import ast
import io
import subprocess
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
_NO_CODE: Final = {
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT),
    *(tokenize.ENDMARKER, tokenize.ENCODING),
}


def code_lines(source: str) -> int:
    """Of one module. A string alone on its line tells about what stands above it."""
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in _NO_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(source)):
        value = node.value if isinstance(node, ast.Expr) else None
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            lines.difference_update(range(value.lineno, (value.end_lineno or value.lineno) + 1))
    return len(lines)


def counted(revision: str = "", folders: tuple[str, ...] = ("server",)) -> Counter[str]:
    """By package, ``server/cli`` for example; modules beside packages count for their folder."""
    found: Counter[str] = Counter()
    for name, source in _sources(revision, folders):
        found["/".join(Path(name).parts[:-1][:2])] += code_lines(source)
    return found


def _sources(revision: str, folders: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    listing = ["ls-tree", "-r", "--name-only", revision] if revision else ["ls-files"]
    for name in _git(*listing, "--", *folders).splitlines():
        if name.endswith(".py"):
            yield name, _git("show", f"{revision}:{name}") if revision else _now(name)


def _now(name: str) -> str:
    path = ROOT / name
    return path.read_text(encoding="utf-8") if path.exists() else ""


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout


def main() -> None:
    """Print the table."""
    revision, *folders = sys.argv[1:] or [""]
    found = counted(revision, tuple(folders) or ("server",))
    for package, lines in sorted(found.items()):
        print(f"{lines:7,} {package}")
    print(f"{found.total():7,} in all")


if __name__ == "__main__":
    main()
