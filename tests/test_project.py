"""The project's own promises: what it installs and imports, what git ignores, where documents point."""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib import metadata
from itertools import chain
from pathlib import Path

import click
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from server.cli.commands import tide
from server.settings.settings import declared
from tests.code_lines import counted

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PIN = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)==([0-9][A-Za-z0-9.!+]*)(?: ; [^\\]+)?")
HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}")
LOCKS = ("run", "postgres", "build", "dev", "release", "fuzz")


def pins(lock: str) -> dict[str, str]:
    """The version of everything in a lock file; each has to have hashes, and there is nothing else."""
    found: dict[str, str] = {}
    text = (ROOT / "requirements" / f"{lock}.txt").read_text()
    lines = "".join(line for line in text.splitlines(True) if not line.startswith("#"))
    for line in lines.replace("\\\n", "").splitlines():
        requirement, *hashes = re.split(r" +(?=--)", line)
        pin = PIN.fullmatch(requirement.strip())
        assert pin, f"not an exact pin: {line!r}"
        assert hashes, f"no hash: {line!r}"
        assert all(map(HASH.fullmatch, hashes)), line
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
                try:
                    theirs = metadata.requires(requirement.name) or []
                except metadata.PackageNotFoundError:
                    continue  # this environment is older than the lock; `make` renews it
                yield from needed(theirs, seen, asked)


def asked(lock: str) -> list[str]:
    """What pyproject.toml wants to be in a lock file."""
    project, groups = PROJECT["project"], PROJECT["dependency-groups"]
    postgres = [*project["dependencies"], *project["optional-dependencies"]["postgres"]]
    return {
        "run": [*project["dependencies"]],
        "postgres": postgres,
        "build": [*groups["build"]],
        "dev": [
            *postgres,
            *groups["dev"],
            *groups["build"],
        ],
        "release": [*groups["release"], *groups["build"]],
        "fuzz": [*groups["fuzz"]],
    }[lock]


@pytest.mark.parametrize("lock", LOCKS)
def test_locks_accept_what_is_asked_for(lock: str) -> None:
    pinned = pins(lock)
    for requirement in map(Requirement, asked(lock)):
        version = pinned[canonicalize_name(requirement.name)]
        assert requirement.specifier.contains(version), f"make lock: {requirement}"


@pytest.mark.parametrize("lock", ["run", "postgres", "build", "dev"])
def test_locks_have_everything_that_comes_with_it(lock: str) -> None:
    pinned = pins(lock)
    for requirement in needed(asked(lock), set()):
        assert canonicalize_name(requirement.name) in pinned, f"make lock: {requirement}"


def test_locks_agree() -> None:
    versions: dict[str, str] = {}
    for lock in LOCKS:
        for name, version in pins(lock).items():
            assert versions.setdefault(name, version) == version, name


def test_the_constraints_of_a_release_are_the_locked_versions() -> None:
    (line,) = re.findall(
        r"^(sed .*) >.*-constraints.txt", (ROOT / "release.sh").read_text(), re.MULTILINE
    )
    done = subprocess.run(["sh", "-c", line], cwd=ROOT, capture_output=True, text=True, check=True)
    pinned = [PIN.fullmatch(each) for each in done.stdout.splitlines()]
    locked = re.findall(r"(?m)^[a-z].*==\S+", (ROOT / "requirements" / "run.txt").read_text())
    assert [f"{pin[1]}=={pin[2]}" for pin in pinned if pin] == locked


@pytest.mark.parametrize("ci", ["", "true"])
def test_services_are_installed_by_continuous_integration_alone(tmp_path: Path, ci: str) -> None:
    """And not on a developer's machine, where no more is missing than some tests."""
    called = tmp_path / "called"
    for name in ("apt-get", "sudo", "make"):
        (tmp_path / name).write_text(f'#!/bin/sh\necho "{name} $*" >>{called}\n')
        (tmp_path / name).chmod(0o755)
    for name in ("dirname", "env"):
        (tmp_path / name).symlink_to(str(shutil.which(name)))
    command = [str(shutil.which("bash")), str(ROOT / ".ci" / "run")]
    environ = {"PATH": str(tmp_path), "CI": ci}
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=True)
    lines = called.read_text().splitlines()
    assert [line for line in lines if line.startswith("make")][
        -1
    ] == "make --no-print-directory test"
    assert any("apt-get" in line and "install" in line for line in lines) == bool(ci)
    assert ("tests are skipped that need" in done.stderr) != bool(ci)


def test_what_the_image_hands_on_is_noticed() -> None:
    """Every package whose licence asks for more than to be named."""
    notice = (ROOT / "NOTICE").read_text()
    for name in pins("postgres"):
        try:
            about = metadata.metadata(name).json
        except metadata.PackageNotFoundError:
            continue  # of another system
        licence = f"{about.get('license_expression')} {about.get('license')}"[:100]
        if re.search(r"\b(L?GPL|EPL|MPL|AGPL)\b", licence):
            assert re.search(rf"(?m)^  .*\b{name}\b", notice), f"{name}: {licence}"


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


@pytest.mark.slow
def test_whatever_is_imported_is_asked_for() -> None:
    """And not merely there because something else asks for it."""
    wanted = {canonicalize_name(Requirement(one).name) for one in asked("postgres")}
    modules = {
        name
        for path in ("engine", "server")
        for file in (ROOT / path).rglob("*.py")
        for name in imported(file)
    }
    ours = set(sys.stdlib_module_names) | {"engine", "server"}
    comes_with = metadata.packages_distributions()
    for module in sorted({name.split(".")[0] for name in modules} - ours):
        packages = {canonicalize_name(name) for name in comes_with.get(module, [module])}
        assert packages & wanted, f"{module} is imported, and {packages} are not asked for"


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
        "deploy/.env",
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


def test_headings_that_the_code_names_are_there() -> None:
    """As in ``rules.md, "A round"``."""
    for path in chain.from_iterable((ROOT / name).rglob("*.py") for name in PLAIN):
        text = " ".join(path.read_text(encoding="utf-8").split())
        for name, heading in re.findall(r'([\w-]+\.md), "([A-Z][^"]+)"', text):
            page = (ROOT / "docs" / name).read_text(encoding="utf-8")
            assert f"# {heading}\n" in page, f"{path.relative_to(ROOT)}: {name}, {heading}"


def test_make_targets_in_the_documents_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for page in DOCUMENTS:
        for name in re.findall(
            r"(?:^|`)make ([a-z]+(?:-[a-z]+)*)\b", page.read_text(), re.MULTILINE
        ):
            assert name in targets, f"{page.name} says `make {name}`"


@pytest.mark.parametrize("page", DOCUMENTS, ids=lambda page: page.name)
def test_commands_and_options_in_the_documents_exist(page: Path) -> None:
    code = re.findall(r"(?ms)^```sh.*?^```|(?<!`)`[^`]+`", page.read_text())
    for typed in re.findall(r"(?m)(?:^|`|/bin/|exec tide )tide ([^\n`|>#&]+)", "\n".join(code)):
        command: click.Command = tide
        words = typed.split()
        while isinstance(command, click.Group) and words and words[0].isalpha():
            found = command.get_command(click.Context(command), words.pop(0))
            assert found, f"{page.name}: tide {typed}"
            command = found
        known = {"-h"}.union(*(one.opts + one.secondary_opts for one in command.params))
        options = {word.partition("=")[0] for word in words if word.startswith("-")}
        assert options - {"--help"} <= known, f"{page.name}: tide {typed}"


def test_settings_in_the_documents_exist() -> None:
    for page in DOCUMENTS:
        named = set(re.findall(r"`((?:limits|tables|timing)\.\w+)`", page.read_text()))
        assert named <= declared().keys(), page.name


def test_what_tests_share_is_in_no_test_module() -> None:
    for path in [*(ROOT / "tests").rglob("*.py"), *(ROOT / "bench").rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text())):
            modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            modules += [each.name for each in node.names] if isinstance(node, ast.Import) else []
            shared = [module for module in modules if ".test_" in module]
            assert not shared, (
                f"{path.relative_to(ROOT)} imports {shared}: move that to tests/support"
            )


MOST_CODE_LINES = 41_960
MOST_MODULES = 207
"""A budget for ``server/``: a change that needs more raises it, and says why."""


def test_the_server_keeps_within_its_budget() -> None:
    modules = [path for path in (ROOT / "server").rglob("*.py") if path.name != "__init__.py"]
    assert len(modules) <= MOST_MODULES
    assert sum(counted().values()) <= MOST_CODE_LINES


def test_the_engine_keeps_within_its_budget() -> None:
    modules = [path for path in (ROOT / "engine").rglob("*.py") if path.name != "__init__.py"]
    assert len(modules) <= 30
    assert sum(counted(folders=("engine",)).values()) <= 4_200


def test_the_documents_keep_within_their_budget() -> None:
    assert sum(page.stat().st_size for page in DOCUMENTS) <= 214_000


PLAIN = ("bench", "engine", "server")
FRAGMENT = re.compile(
    r"(Who|Whoever|Whom|Whose|Of|So many|So long|So often|How many|How much|The same|Those|As the)\b"
)


def docstrings(path: Path) -> Iterator[str]:
    """Those of modules, classes, functions and attributes: each string that is a statement."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        value = node.value if isinstance(node, ast.Expr) else None
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            yield value.value


def test_docstrings_name_their_subject() -> None:
    """Each is an imperative or a noun phrase that stands alone."""
    for path in chain.from_iterable((ROOT / name).rglob("*.py") for name in PLAIN):
        found = [text for text in docstrings(path) if FRAGMENT.match(text)]
        assert not found, path.relative_to(ROOT)
