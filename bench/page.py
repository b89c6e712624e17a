"""How long the report takes to open: 5,000 findings beside 10, in headless Chromium.

``python bench/page.py`` prints one line per size: seconds to make the page, its size, and milliseconds from the
start of loading until the page is drawn and answers (median of five), and last the ratio. Needs chromium and
chromedriver.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

from selenium import webdriver

from antinomy.report.html import render

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from report import invented
from report.conftest import options

_SIZES = (10, 5000)
_OPENED = 5
_LOADED = "return performance.getEntriesByType('navigation')[0].domComplete"


def main() -> None:
    medians = []
    counted = invented.aggregates(invented.findings())
    with tempfile.TemporaryDirectory() as folder:
        session = webdriver.Chrome(*options())
        try:
            for size in _SIZES:
                rows = invented.many(size)
                clock = time.monotonic()
                page = render(rows, invented.RUN, counted, invented.DOCUMENTS)
                made = time.monotonic() - clock
                path = Path(folder) / f"{size}.html"
                path.write_text(page, "utf-8")
                times = []
                for _ in range(_OPENED):
                    session.get(path.as_uri())
                    times.append(float(session.execute_script(_LOADED)))
                medians.append(statistics.median(times))
                print(
                    f"{size:>6} findings: made in {made:.1f} s, {len(page.encode()) / 1e6:.1f} MB, open in "
                    f"{medians[-1]:.0f} ms ({min(times):.0f}–{max(times):.0f})"
                )
        finally:
            session.quit()
    print(f"ratio {medians[1] / medians[0]:.1f} for {_SIZES[1] // _SIZES[0]} times the findings")


if __name__ == "__main__":
    main()
