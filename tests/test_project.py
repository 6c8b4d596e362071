"""The project's own promises: what it installs and imports, what git ignores, where documents point."""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PIN = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)==([0-9][A-Za-z0-9.!+]*)")


def pins() -> dict[str, str]:
    found: dict[str, str] = {}
    for line in (ROOT / "constraints.txt").read_text().splitlines():
        if not line.startswith("#"):
            pin = PIN.fullmatch(line)
            assert pin, f"not an exact pin: {line!r}"
            found[canonicalize_name(pin[1])] = pin[2]
    return found


def needed(requirements: list[str], seen: set[str], extra: str = "") -> Iterator[Requirement]:
    """These requirements and theirs, as far as they apply to this Python and machine."""
    for requirement in map(Requirement, requirements):
        if requirement.marker and not requirement.marker.evaluate({"extra": extra}):
            continue
        yield requirement
        for asked in ("", *requirement.extras):
            key = f"{canonicalize_name(requirement.name)}[{asked}]"
            if key not in seen:
                seen.add(key)
                theirs = metadata.requires(requirement.name) or []
                yield from needed(theirs, seen, asked)


def test_constraints_pin_everything_that_make_install_brings_in() -> None:
    pinned = pins()
    project = PROJECT["project"]
    asked = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    for requirement in needed(asked, set()):
        assert canonicalize_name(requirement.name) in pinned, f"{requirement} has no pin"


def test_direct_dependencies_accept_their_pins() -> None:
    pinned = pins()
    project = PROJECT["project"]
    extras = [text for extra in project["optional-dependencies"].values() for text in extra]
    for requirement in map(Requirement, [*project["dependencies"], *extras]):
        assert requirement.specifier.contains(pinned[canonicalize_name(requirement.name)])


def rules_modules() -> list[Path]:
    bots = ROOT / "engine" / "bots"
    return sorted(path for path in (ROOT / "engine").rglob("*.py") if bots not in path.parents)


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield str(node.module)


@pytest.mark.parametrize("path", rules_modules(), ids=lambda path: path.stem)
def test_the_rules_need_nothing_but_the_standard_library(path: Path) -> None:
    strangers = {name.split(".")[0] for name in imported(path)}
    strangers -= set(sys.stdlib_module_names) | {"engine"}
    assert not strangers


def in_git() -> bool:
    return shutil.which("git") is not None and (ROOT / ".git").exists()


@pytest.mark.skipif(not in_git(), reason="not a git checkout")
@pytest.mark.parametrize(
    "path",
    [
        "keys/ssh_host_ed25519_key",
        "keys/ssh_host_ed25519_key.pub",
        "keys/authorized_keys",
        "state/anything",
        "tables.db-wal",
        "tide.toml",
        ".venv/bin/tide",
    ],
)
def test_git_ignores_keys_and_state(path: str) -> None:
    asked = subprocess.run(["git", "check-ignore", "-q", path], cwd=ROOT, check=False)
    assert asked.returncode == 0


DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("keys/*.md")])


def anchors(text: str) -> set[str]:
    """GitHub's anchors of a page's headings."""
    prose = re.sub(r"(?ms)^```.*?^```", "", text)
    titles = re.findall(r"(?m)^#+ +(.*)$", prose)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", DOCUMENTS, ids=lambda page: page.name)
def test_links_between_documents_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text()):
        if "://" in target:
            continue
        name, _, anchor = target.partition("#")
        file = page.parent / name if name else page
        assert file.exists(), f"{page.name} links to {target}"
        if anchor:
            assert anchor in anchors(file.read_text()), f"{page.name} links to {target}"


def test_make_targets_in_the_documents_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for page in DOCUMENTS:
        for name in re.findall(r"(?:^|`)make ([a-z]+)\b", page.read_text(), re.MULTILINE):
            assert name in targets, f"{page.name} says `make {name}`"
