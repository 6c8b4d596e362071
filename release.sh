#!/usr/bin/env bash
# `make release`: the source archive, the wheel, what the wheel was tested with (requirements, constraints and SBOM, also
# those of a server on PostgreSQL) and the checksums of all that, in dist/. The same commit makes the same bytes: times are the commit's.
set -euo pipefail
cd "$(dirname "$0")"
python=${PYTHON:-python3}
tools=build/release player=build/player
export PIP_DISABLE_PIP_VERSION_CHECK=1

if [ -n "$(git status --porcelain 2>/dev/null)" ]; then
  echo "release: there are changes that are not committed; what is released could not be made again" >&2
  [ "${1:-}" = --anyway ] || exit 1
fi
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y pyproject.toml)}
export SOURCE_DATE_EPOCH
umask 022
rm -rf dist "$tools" "$player"

"$python" -m venv "$tools"
"$tools/bin/python" -m pip install -q --require-hashes --no-deps -r requirements/release.txt
"$tools/bin/hatchling" build -t sdist -t wheel -d dist

# As somebody who plays has it: the locked versions, the wheel, and nothing else.
wheel=$(echo dist/*.whl)
"$python" -m venv --without-pip "$player"
pip_for_player() { "$tools/bin/python" -m pip --python "$player/bin/python" install -q --no-deps "$@"; }
pip_for_player --require-hashes -r requirements/run.txt
pip_for_player --no-index "$wheel"
"$player/bin/tide" verify docs/short-game.json >/dev/null
"$player/bin/tide" arena greedy expert master --games 3 --jobs 1 >/dev/null  # numpy, and weights that are no code

name=$(basename "$wheel" | cut -d- -f1,2)
list() {  # what is installed there now
  "$tools/bin/cyclonedx-py" environment --pyproject pyproject.toml --mc-type application --output-reproducible \
    --output-format JSON --output-file "$1" "$player/bin/python"
}
cp requirements/run.txt "dist/$name-requirements.txt"
# For pipx, whose pip refuses hashes beside a wheel that comes without one.
sed -nE 's/^([a-z].*) \\$/\1/p' requirements/run.txt >"dist/$name-constraints.txt"
list "dist/$name-sbom.cdx.json"
# And as a host with PostgreSQL has it (docs/hosting.md).
pip_for_player --require-hashes -r requirements/postgres.txt
cp requirements/postgres.txt "dist/$name-postgres-requirements.txt"
list "dist/$name-postgres-sbom.cdx.json"
(cd dist && sha256sum -- * >SHA256SUMS)
ls -l dist
