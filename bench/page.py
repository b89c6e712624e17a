"""How long the report takes to open: 5,000 findings and 10,000 crosswalk rows beside 10 and 20, in headless Chromium.

``python bench/page.py`` prints one line per size: seconds to make the page, its size, and milliseconds from the
start of loading until the page is drawn and answers, until the crosswalk is drawn once its tab is chosen, and until it
has been searched (medians of five); and last the ratio of the first. Needs chromium and chromedriver.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

from selenium import webdriver

from antinomy.report.html import Content, render

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from report import invented, invented_coverage
from report.conftest import options

_SIZES = (10, 5000)
_OPENED = 5
_LOADED = "return performance.getEntriesByType('navigation')[0].domComplete"
_TIMED = "const clock = performance.now(); {}; document.body.getBoundingClientRect(); return performance.now() - clock"
_CHOSEN = _TIMED.format("document.getElementById('tab-crosswalk').click()")
_SEARCHED = _TIMED.format(
    "const form = document.querySelector('#crosswalk form'); form.elements.q.value = 'point 9';"
    "form.dispatchEvent(new Event('submit', {cancelable: true}))"
)


def main() -> None:
    medians = []
    counted = invented.aggregates(invented.findings())
    with tempfile.TemporaryDirectory() as folder:
        session = webdriver.Chrome(*options())
        try:
            for size in _SIZES:
                rows = invented.many(size)
                clock = time.monotonic()
                content = Content(
                    findings=rows,
                    run=invented.run(),
                    aggregates=counted,
                    documents=invented.DOCUMENTS,
                    **invented_coverage.many(2 * size),
                )
                page = render(content)
                made = time.monotonic() - clock
                path = Path(folder) / f"{size}.html"
                path.write_text(page, "utf-8")
                times, chosen, searched = [], [], []
                for _ in range(_OPENED):
                    session.get(path.as_uri())
                    times.append(float(session.execute_script(_LOADED)))
                    chosen.append(float(session.execute_script(_CHOSEN)))
                    searched.append(float(session.execute_script(_SEARCHED)))
                medians.append(statistics.median(times))
                answers = (
                    f"crosswalk in {statistics.median(chosen):.0f} ms, search in {statistics.median(searched):.0f} ms"
                )
                print(
                    f"{size:>6} findings, {2 * size:>6} crosswalk rows: made in {made:.1f} s, "
                    f"{len(page.encode()) / 1e6:.1f} MB, open in {medians[-1]:.0f} ms "
                    f"({min(times):.0f}–{max(times):.0f}), {answers}"
                )
        finally:
            session.quit()
    print(f"ratio {medians[1] / medians[0]:.1f} for {_SIZES[1] // _SIZES[0]} times the findings")


if __name__ == "__main__":
    main()
