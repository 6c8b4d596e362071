#!/bin/sh
# `make lock`: versions and hashes of everything that is installed, for every Python and every machine that we run on.
# What is pinned stays as it is, unless pyproject.toml wants something else, or --upgrade is given.
set -eu
cd "$(dirname "$0")/.."

pin() {
  file=$1
  shift
  uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-emit-index-url \
    --custom-compile-command "make lock" --output-file "requirements/$file.txt" "$@"
}

pin run "$@" pyproject.toml
# What a server on PostgreSQL needs besides (make install-postgres).
pin postgres --extra postgres --constraints requirements/run.txt "$@" pyproject.toml
# The same versions for those who work on it as for those who play.
pin build --group build --constraints requirements/run.txt "$@"
pin dev --group build --group dev --extra postgres --constraints requirements/postgres.txt "$@" pyproject.toml
pin release --group build --group release --constraints requirements/run.txt "$@"
pin fuzz --group fuzz "$@"
