# make install | serve | play | test | lint | bench
# ARGS="..." is handed on to the command: make serve ARGS="--host 0.0.0.0"

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
CODE   := $(wildcard engine server tests bench docs/*.py docs/examples/*.py)
PIP    := $(BIN)/python -m pip install -q --disable-pip-version-check
# Exact versions, none of which is installed unless it is, byte for byte, the file that its hash was taken of.
LOCKED := $(PIP) --require-hashes --no-deps -r
# Our own package on top; what builds it was locked, too.
OURS   := $(PIP) --no-deps --no-build-isolation -e .
# `make PYTHON=python3.13 ...` wants that one, whatever Python the environment has.
ifeq ($(origin PYTHON),command line)
ASKED  := -$(notdir $(PYTHON))
endif
# A stamp for what playing needs, one for what PostgreSQL needs besides, one for what working on it needs; the
# last includes the others.
RUN    := $(VENV)/.stamp-run$(ASKED)
POSTGRES := $(VENV)/.stamp-postgres$(ASKED)
DEV    := $(VENV)/.stamp-dev$(ASKED)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help install install-postgres serve play check test lint format bench messages screens settings release lock lowest clean hosting-check fuzz soak

help:
	@echo "make serve     start a server, then: ssh -p 2222 localhost"
	@echo "make play      play in this terminal against bots"
	@echo "make install   everything for working on the code, in $(VENV)"
	@echo "make install-postgres  what a server needs besides to keep its data in PostgreSQL (docs/hosting.md)"
	@echo "make lint      style, types, import directions"
	@echo "make check     the quick tests, in three minutes on two cores"
	@echo "make test      all tests (ARGS=--cov: and what they cover)"
	@echo "make bench     the measurements: all, or ARGS=rounds, or ARGS='load --sizes 200'; ARGS=price: did this commit get dearer?"
	@echo "make fuzz      hostile input: MINUTES=5 altogether, NAME=telnet for one kind of it"
	@echo "make soak      long runs, in CONTRIBUTING.md: KIND=monkeys, cup, faults, or soak; ARGS=10 for ten minutes"
	@echo "make messages  new texts into the catalogues of every language"
	@echo "make release   sdist, wheel, SBOM and their checksums, into dist/"
	@echo "make hosting-check  type what docs/hosting.md tells, in a bare Debian (root, network)"
	@echo "make lock      pin what pyproject.toml asks for, with hashes"
	@echo "make lowest    test with the lowest version of each library that pyproject.toml asks for"
	@echo "make screens   retake the pictures in the documents from a real game"
	@echo "make settings  rewrite the tables of docs/settings.md from server/settings/"

# (Re)make the environment if it is missing or was left half made.
define venv
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; this is " + sys.version.split()[0] + ". Try: make PYTHON=python3.12")'
	@{ test -z "$(ASKED)" || test "$$($(BIN)/python -V 2>&1)" = "$$($(PYTHON) -V)"; } && $(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear $(VENV)
endef

$(RUN): pyproject.toml requirements/run.txt requirements/build.txt
	$(venv)
	$(LOCKED) requirements/build.txt -r requirements/run.txt
	$(OURS)
	@touch $@

$(DEV): pyproject.toml requirements/dev.txt
	$(venv)
	$(LOCKED) requirements/dev.txt
	$(OURS)
	@touch $(RUN) $(POSTGRES) $@

$(POSTGRES): $(RUN) requirements/postgres.txt
	$(LOCKED) requirements/postgres.txt
	@touch $@

install: $(DEV)

install-postgres: $(POSTGRES)

serve: $(RUN)
	@exec $(BIN)/tide serve $(ARGS)

play: $(RUN)
	@exec $(BIN)/tide play $(ARGS)

# Two workers a core; the slowest tests are told at the end. They start hundreds of servers, each of which would compile
# all its modules where no bytecode may be written.
PYTEST = env -u PYTHONDONTWRITEBYTECODE $(BIN)/pytest -n auto --dist worksteal --durations=15 --durations-min=1

check: $(DEV)
	$(PYTEST) -m "not slow" --hypothesis-profile=quick $(ARGS)

test: $(DEV)
	$(PYTEST) $(ARGS)

lint: $(DEV)
	$(BIN)/ruff check $(CODE)
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/mypy $(CODE)
	$(BIN)/lint-imports

format: $(DEV)
	$(BIN)/ruff check --fix $(CODE)
	$(BIN)/ruff format $(CODE)

bench: $(DEV)
	$(BIN)/python -m bench $(ARGS)

# Long runs, each a module of tests/e2e; ARGS are its own: minutes, people or faults, and a seed.
soak: $(DEV)
	TIDE_SOAK_TELLS=1 $(BIN)/python -m tests.e2e.$(or $(KIND),soak) $(ARGS)

fuzz: $(DEV)
	@$(BIN)/python -c 'import atheris' 2>/dev/null || $(LOCKED) requirements/fuzz.txt || echo "atheris cannot be installed here"
	$(BIN)/python -m tests.fuzz $(or $(MINUTES),5) $(NAME)

hosting-check: $(DEV)
	$(BIN)/python -m tests.hosting_check

messages: $(DEV)
	$(BIN)/python -m tests.i18n.messages

screens: $(DEV)
	$(BIN)/python -m docs.capture

settings: $(DEV)
	$(BIN)/python -m docs.settings

# What goes out: see release.sh.
release:
	PYTHON=$(PYTHON) ./release.sh $(ARGS)

# What resolves versions.
UV := build/lock/bin/uv
$(UV): requirements/release.txt
	$(PYTHON) -m venv build/lock
	build/lock/bin/python -m pip install -q --disable-pip-version-check --require-hashes --no-deps -r requirements/release.txt
	@touch $@

# Exact versions for everything that pyproject.toml asks for; ARGS=--upgrade takes the newest ones.
lock: $(UV)
	PATH="build/lock/bin:$$PATH" ./requirements/renew.sh $(ARGS)

# The lowest version of each library that pyproject.toml asks for, on the lowest Python, and the tests of what they do.
lowest: $(UV)
	$(UV) venv -q --clear --python 3.11 build/lowest
	$(UV) pip compile -q --resolution lowest-direct --python-version 3.11 --extra postgres -o build/lowest/run.txt pyproject.toml
	$(UV) pip install -q --python build/lowest -r build/lowest/run.txt --group dev -e .
	build/lowest/bin/pytest -n auto -m "not slow" --hypothesis-profile=quick $(or $(ARGS),tests/transport tests/terminal tests/cli)

clean:
	rm -rf $(VENV) build dist .coverage .coverage.* htmlcov .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache .fuzz
