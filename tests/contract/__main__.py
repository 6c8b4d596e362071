"""``python -m tests.contract`` writes the golden files anew: read the difference before you commit it."""

import tempfile
from pathlib import Path

from tests.contract.observed import observed

ROOT = Path(__file__).resolve().parents[2]


def main() -> None:
    golden = ROOT / "tests" / "contract" / "golden"
    with tempfile.TemporaryDirectory() as place:
        found = observed(Path(place))
    for name, lines in found.items():
        (golden / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines))


if __name__ == "__main__":
    main()
