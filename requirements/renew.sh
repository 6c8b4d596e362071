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
# What several nodes need besides (make install-cluster).
pin cluster --extra cluster --constraints requirements/run.txt "$@" pyproject.toml
# The same versions for those who work on it as for those who play.
pin build --group build --constraints requirements/run.txt "$@"
pin dev --group build --group dev --extra cluster --constraints requirements/cluster.txt "$@" pyproject.toml
pin release --group build --group release --constraints requirements/run.txt "$@"
pin fuzz --group fuzz "$@"
