"""Share of provisions with right number, parents and words, per style of numbering and format of file.

    python bench/styles.py [texts per cell]

The texts are made by tests/parse/styles.py and set by tests/parse/formats.py.
"""

from __future__ import annotations

import sys
from pathlib import Path

# In place of this folder, whose parse.py hides the package of the same name.
sys.path[0] = str(Path(__file__).resolve().parents[1] / "tests")

from parse.formats import FORMATS  # noqa: E402
from parse.scored import parse  # noqa: E402
from parse.styles import STYLES, key, numbered  # noqa: E402


def main() -> None:
    """Print a row per style: the mean share over the texts, and the least."""
    seeds = range(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
    print("style".ljust(10), *(form.rjust(14) for form in FORMATS))
    for style in STYLES:
        cells = []
        for form in FORMATS:
            shares = [1 - len(parse(style, form, seed)[1]) / len(key(numbered(style, seed))) for seed in seeds]
            cells.append(f"{sum(shares) / len(shares):.3f} ({min(shares):.3f})".rjust(14))
        print(style.ljust(10), *cells, flush=True)


if __name__ == "__main__":
    main()
