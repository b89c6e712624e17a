"""The crosswalk, the gaps and the stricter rules as a reader meets them in a browser."""

from __future__ import annotations

import base64
import io
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pypdf import PdfReader

from antinomy.report.html import Content, render
from report import invented, invented_coverage

if TYPE_CHECKING:
    from selenium.webdriver import Chrome
    from selenium.webdriver.remote.webelement import WebElement

Open = Callable[..., None]
_HERE = "[role=tabpanel]:not([hidden])"
_LEFT, _RIGHT, _HOME, _END = "\ue012", "\ue014", "\ue011", "\ue010"


@pytest.fixture
def open_page(browser: Chrome, tmp_path: Path) -> Open:
    """Render the invented findings and crosswalk and open the page at a fragment; the rest goes to ``render``."""

    def open_(fragment: str = "", **others: Any) -> None:
        rows = others.pop("rows", None) or invented.findings()
        given = {"aggregates": invented.aggregates(rows), "documents": invented.DOCUMENTS, "run": invented.run()}
        path = tmp_path / "report.html"
        path.write_text(render(Content(findings=rows, **(given | invented_coverage.tables() | others))), "utf-8")
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
        browser.get("about:blank")
        browser.get_log("browser")
        browser.get(path.as_uri() + fragment)
        assert browser.get_log("browser") == []

    return open_


def _one(browser: Chrome, css: str) -> WebElement:
    return browser.find_element("css selector", css)


def _texts(browser: Chrome, css: str) -> list[str]:
    script = "return [...document.querySelectorAll(arguments[0])].map((node) => node.innerText)"
    found: list[str] = browser.execute_script(script, css)
    return found


def _rows(browser: Chrome) -> list[str]:
    """Return the labels of the provisions that the open tab lists, those below the screen too."""
    script = "return [...document.querySelectorAll(arguments[0])].map((node) => node.textContent)"
    found: list[str] = browser.execute_script(script, f"{_HERE} .finding .what > b:first-child")
    return found


def _choose(browser: Chrome, control: str, text: str) -> None:
    options = browser.find_elements("css selector", f"{_HERE} [name={control}] option")
    next(option for option in options if option.text.startswith(text)).click()


def _wait(met: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not met():
        assert time.monotonic() < deadline, "the page did not get there in 20 s"
        time.sleep(0.05)


def test_the_summary_says_it_in_words(browser: Chrome, open_page: Open) -> None:
    open_page()
    name = invented.DOCUMENTS[0]["title"]
    assert _one(browser, ".lead").text == (
        f"Of 6 duties of {name}, 3 have a counterpart in the 2 US documents, 1 partly or perhaps, 1 none, 1 is open; "
        "1 is stricter in the 2 US documents; 4 conflicts are likely. "
        f"Of 3 duties of the 2 US documents, 2 have a counterpart in {name}, 1 none."
    )
    assert _texts(browser, ".standing .said") == [
        "3 of 6 have a counterpart, 1 in part or perhaps, 1 gap, 1 open",
        "2 of 3 have a counterpart, 1 gap",
    ]


def test_tabs_go_by_arrow_keys_and_say_what_they_are(browser: Chrome, open_page: Open) -> None:
    open_page()
    tabs = browser.find_elements("css selector", "[role=tablist] > [role=tab]")
    assert [tab.text for tab in tabs] == [
        "Conflicts 4", "Definitions 0", "Stricter rules 1", "Crosswalk 9", "Gaps 2", "By place and topic",
        "Run and sources",
    ]  # fmt: skip
    tabs[0].click()
    for key, at in ((_RIGHT, 1), (_RIGHT, 2), (_END, 6), (_RIGHT, 0), (_LEFT, 6), (_HOME, 0)):
        browser.switch_to.active_element.send_keys(key)
        assert browser.switch_to.active_element == tabs[at]
        selected = [tab.get_attribute("aria-selected") for tab in tabs]
        assert selected == ["true" if n == at else "false" for n in range(7)]
        # One stop for the Tab key, one panel to see, and each names the other.
        assert [tab.get_attribute("tabindex") in (None, "0") for tab in tabs].count(True) == 1
        (panel,) = browser.find_elements("css selector", _HERE)
        assert panel.get_attribute("id") == tabs[at].get_attribute("aria-controls")
        assert panel.get_attribute("aria-labelledby") == tabs[at].get_attribute("id")


def test_a_fragment_opens_its_tab_or_its_row(browser: Chrome, open_page: Open) -> None:
    open_page("#gaps")
    assert _one(browser, "#tab-gaps").get_attribute("aria-selected") == "true"
    row = invented_coverage.tables()["coverage"][2]
    open_page(f"#c-{row['coverage_id']}")
    assert _one(browser, "#tab-crosswalk").get_attribute("aria-selected") == "true"
    assert "Article 24(2)" in _one(browser, f"{_HERE} .open .what").text


def test_the_crosswalk_is_filtered_by_side_chapter_and_state(browser: Chrome, open_page: Open) -> None:
    open_page("#crosswalk")
    assert len(_rows(browser)) == 9
    assert _one(browser, f"{_HERE} .count").text == "9 duties"
    # A row tells what its first counterpart says.
    assert _texts(browser, f"{_HERE} .best q")[0]
    _choose(browser, "view", "The 2 US documents")
    assert _rows(browser) == ["III.A, paragraph 2", "V.B, paragraph 1", "I.A, paragraph 1"]
    assert _one(browser, f"{_HERE} .count").text == "3 of 9 duties"
    _choose(browser, "standing", "Gap")
    assert _rows(browser) == ["I.A, paragraph 1"]
    _one(browser, f"{_HERE} button[type=reset]").click()
    _wait(lambda: len(_rows(browser)) == 9)
    _choose(browser, "chapter", "Specimen Regulation on Technology Risk: Access and records")
    assert _rows(browser) == ["Article 9(4)", "Article 8(1)"]
    _choose(browser, "chapter", "all")
    for state, rows in (
        ("Counterpart", ["Article 17(3)"]),
        ("Counterpart is stricter", ["Article 24(2)"]),
        ("Stricter than its counterpart", ["V.B, paragraph 1"]),
        ("Possible or partial counterpart", ["Article 9(4)"]),
        ("Open", ["Article 11(4)"]),
        ("Left out", ["Article 2(1)", "Article 40(1)"]),
    ):
        _choose(browser, "standing", state)
        assert _rows(browser) == rows, state
    assert _one(browser, f"{_HERE} .count").text == "0 of 9 duties, and 2 provisions left out"
    _choose(browser, "standing", "All duties")
    _choose(browser, "order", "surest first")
    assert _rows(browser)[:2] == ["Article 17(1)", "III.A, paragraph 2"]
    assert _rows(browser)[-1] == "Article 11(4)"


def test_the_crosswalk_is_searched_in_both_texts_and_reasons(browser: Chrome, open_page: Open) -> None:
    open_page("#crosswalk")
    for words, rows in (
        ("own name", ["Article 17(3)"]),
        # Words of a counterpart find the provision that it is one of.
        ("vary the scenario", ["Article 24(2)", "V.B, paragraph 1"]),
        ("who files", ["Article 17(3)"]),
        ("nowhere to be found", []),
    ):
        field = _one(browser, f"{_HERE} [name=q]")
        field.clear()
        field.send_keys(words)
        _wait(lambda rows=rows: _rows(browser) == rows)  # type: ignore[misc]


def test_an_opened_row_shows_both_texts_with_their_evidence(browser: Chrome, open_page: Open) -> None:
    open_page("#crosswalk")
    browser.find_elements("css selector", f"{_HERE} .finding h3 button")[2].click()
    opened = _one(browser, f"{_HERE} .open")
    assert "Counterpart is stricter" in opened.text
    assert "88 %" in opened.text
    assert opened.find_element("css selector", ".side .text").text == invented.TEST_EU.text
    assert opened.find_element("css selector", ".side mark").text == invented.TEST_EU.text[:40].strip()
    counterpart = opened.find_element("css selector", ".counterpart")
    assert "Stricter V.B, paragraph 1 Business Continuity" in counterpart.text
    assert "at least once a year here, every quarter there" in counterpart.text
    assert invented.TEST_US.text in counterpart.text
    assert "On the same duty 93 %" in counterpart.text
    assert "NIST IR 8477 subset of" in counterpart.text
    link = counterpart.find_element("css selector", ".path a")
    assert link.get_dom_attribute("href") == "continuity%20manual.pdf#page=47"
    # The same pair from its other side.
    browser.find_elements("css selector", f"{_HERE} .finding h3 button")[7].click()
    other = browser.find_elements("css selector", f"{_HERE} .open")[1].text
    assert "every quarter here, at least once a year there" in other
    assert "Less strict Article 24(2)" in other
    assert "NIST IR 8477 superset of" in other


def test_counterparts_beyond_the_first_open_by_themselves(browser: Chrome, open_page: Open) -> None:
    open_page("#crosswalk")
    browser.find_elements("css selector", f"{_HERE} .finding h3 button")[1].click()
    first, second = browser.find_elements("css selector", f"{_HERE} .open .counterpart")
    assert invented.FILER_US.text in first.text
    assert invented.NOTICE_US.text not in second.text
    second.find_element("css selector", "summary").click()
    assert invented.NOTICE_US.text in second.text


def test_a_decision_on_a_row_is_shown(browser: Chrome, open_page: Open) -> None:
    tables = invented_coverage.tables()
    tables["coverage"][4] |= {
        "decision": "reject", "decided_by": "A. Analyst", "decided_at": "2031-04-02T08:00:00+00:00",
        "decided_note": "Annex II has one.",
    }  # fmt: skip
    open_page("#gaps", **tables)
    assert _texts(browser, f"{_HERE} .finding .flags") == ["Rejected", ""]
    _one(browser, f"{_HERE} .finding h3 button").click()
    assert "Rejected by A. Analyst on 2 April 2031: Annex II has one." in _one(browser, f"{_HERE} .open").text
    _choose(browser, "decision", "Not reviewed")
    assert _rows(browser) == ["I.A, paragraph 1"]


def test_gaps_name_the_nearest_miss_and_why_it_is_not_enough(browser: Chrome, open_page: Open) -> None:
    open_page("#gaps")
    assert _rows(browser) == ["Article 8(1)", "I.A, paragraph 1"]
    assert _one(browser, f"{_HERE} .count").text == "2 gaps"
    nearest = _texts(browser, f"{_HERE} .best")[0]
    assert nearest.split("\n") == [
        "II.C, paragraph 5 Records and Access 12 % on the same duty",
        invented.LOGS_US.text[:40],
        "One keeps a list of systems, the other erases logs",
    ]
    _one(browser, f"{_HERE} .finding h3 button").click()
    opened = _one(browser, f"{_HERE} .open").text
    assert f"Gap: {invented_coverage.NEAR_MISS}." in opened
    assert invented.LOGS_US.text in opened
    _choose(browser, "standing", "Open")
    assert _rows(browser) == ["Article 11(4)"]
    assert "Compared with nothing: no candidate was kept for it" in _texts(browser, f"{_HERE} .best")[0]


def test_a_chapter_of_the_bars_leads_to_its_gaps_or_else_to_its_crosswalk(browser: Chrome, open_page: Open) -> None:
    open_page("#gaps")
    bars = _texts(browser, "#gaps .chapters tbody tr")
    assert ["Access", "and", "records", "1", "1"] in [line.split() for line in bars]
    _one(browser, "#gaps button[data-chapter='Access and records']").click()
    assert _rows(browser) == ["Article 8(1)"]
    _one(browser, "#gaps button[data-chapter='Testing']").click()
    assert _one(browser, "#tab-crosswalk").get_attribute("aria-selected") == "true"
    assert _rows(browser) == ["Article 24(2)"]
    # Of a side with several documents each has its bar, and its chapters when it is opened.
    _one(browser, "#tab-gaps").click()
    document = browser.find_elements("css selector", ".of-doc")[1]
    assert document.text == "Records and Access\n0 of 1 have a counterpart, 1 gap"
    document.find_element("css selector", "summary").click()
    document.find_element("css selector", "button").click()
    assert _rows(browser) == ["I.A, paragraph 1"]


def test_stricter_rules_stand_by_topic_with_both_values_and_who_governs(browser: Chrome, open_page: Open) -> None:
    changes = {"finding_id": "7" * 16, "kind": "procedure", "left_id": "x", "right_id": "y", "p_relation": 0.64}
    quotes = {"evidence_left": "shall be tested", "evidence_right": "should exercise"}
    rows = [*invented.findings(), invented.finding(invented.KNOWN[4], 7, **changes, **quotes)]
    open_page("#stricter", rows=rows)
    assert _texts(browser, f"{_HERE} .group h3") == ["How often 1", "Testing 1"]
    first, second = browser.find_elements("css selector", f"{_HERE} .finding h3 button")
    halves = [half.text for half in first.find_elements("css selector", ".half")]
    assert halves == [
        "Article 24(2) Specimen Regulation on Technology Risk\nat least once a year",
        "V.B, paragraph 1 Business Continuity governs\nevery quarter",
    ]
    assert first.find_element("css selector", ".prob").text == "probability\n–"
    # Without values the words stand that the verdict rests on, verbatim.
    values = [value.text for value in second.find_elements("css selector", ".value")]
    assert [value.strip('“”"') for value in values] == ["shall be tested", "should exercise"]
    assert second.find_element("css selector", ".prob").text == "probability\n64 %"


def test_of_three_regimes_there_is_a_matrix_and_the_strictest_rule_of_all(browser: Chrome, open_page: Open) -> None:
    third = invented_coverage.TEST_UK
    pairs = [
        invented.Known(here, there, "stricter", "frequency", 0.1, (here.text, there.text), "Oftener.", governs)
        for here, there, governs in (
            (invented.TEST_EU, invented.TEST_US, "right"),
            (invented.TEST_EU, third, "right"),
            (invented.TEST_US, third, "left"),
        )
    ]
    rows = [invented.finding(known, rank) for rank, known in enumerate(pairs, start=1)]
    documents = [*invented.DOCUMENTS, invented_coverage.UK_RULES]
    open_page(rows=rows, documents=documents, **invented_coverage.tables(invented_coverage.THREE))
    assert _one(browser, ".lead").text == "3 sides were compared, in 3 pairs; no conflict is likely."
    cells = {cell.text.split("\n")[0] for cell in browser.find_elements("css selector", ".matrix td button")}
    assert cells == {"3 of 6", "1 of 1", "2 of 3"}
    assert "1 in part, 1 none, 1 stricter there, 1 in conflict" in _one(browser, ".matrix td button").text
    _one(browser, ".matrix td button").click()
    assert len(_rows(browser)) == 6
    _one(browser, "#tab-stricter").click()
    lines = [line.split("\t") for line in _texts(browser, ".strictest tbody tr")]
    assert ["The 2 US documents", "V.B, paragraph 1", "every quarter", "strictest"] in [line[-4:] for line in lines]
    assert [line[-1].strip() for line in lines].count("strictest") == 1
    assert len(lines) == 3


def test_a_conflict_below_even_odds_is_possible_and_the_nearest_pairs_follow(browser: Chrome, open_page: Open) -> None:
    rows = [
        invented.finding(invented.KNOWN[0], 1, p_conflict=0.31, rationale="The left says “the left lane” (31% sure).")
    ]
    near = [
        invented.finding(invented.KNOWN[6], None, p_conflict=0.22, state=None, score=None, weight=None)  # type: ignore[arg-type]
    ]
    open_page(rows=rows, near=near)
    title = invented.DOCUMENTS[0]["title"]
    first = _texts(browser, "#conflicts > .list .finding")[0]
    assert "Possible conflict" in first
    assert "31 %" in first
    assert f"{title} says “the left lane”." in first
    assert _texts(browser, "#nearest h3")[0] == "None is likely; this pair comes nearest"
    shown = _texts(browser, "#nearest .finding")
    assert len(shown) == 1
    assert "Article 17(3)" in shown[0]
    assert "22 %" in shown[0]
    _one(browser, "#nearest .finding h3 button").click()
    assert invented.FILER_EU.text in _one(browser, "#nearest .open").text


def test_after_likely_conflicts_come_the_pairs_that_are_less_likely(browser: Chrome, open_page: Open) -> None:
    rows = [invented.finding(invented.KNOWN[0], 1, p_conflict=0.9)]
    near = [
        invented.finding(invented.KNOWN[6], None, p_conflict=p, state=None, score=None, weight=None)  # type: ignore[arg-type]
        for p in (0.4, 0.1, 0.09)
    ]
    open_page(rows=rows, near=near)
    assert _texts(browser, "#nearest h3")[0] == "Less likely; these 2 pairs come next"
    assert [("40 %" in text, "10 %" in text) for text in _texts(browser, "#nearest .finding")] == [(1, 0), (0, 1)]
    open_page(rows=rows, near=near[2:])
    assert _texts(browser, "#nearest") == []


def test_nothing_runs_from_the_new_places(browser: Chrome, open_page: Open) -> None:
    attack = (
        '</script><script>document.title="taken"</script>"onmouseover="document.title=1" '
        "<img src=x onerror=document.title=1>"
    )
    tables = invented_coverage.tables()
    kept = (
        "_id",
        "_doc",
        "_sha256",
        "relation",
        "relationship",
        "state",
        "governs",
        "kind",
        "pair_key",
        "side",
        "other",
    )
    for row in (*tables["coverage"], *tables["counterparts"]):
        row |= {name: attack for name, value in row.items() if isinstance(value, str) and not name.endswith(kept)}
    near = [invented.finding(invented.KNOWN[0], None, rationale=attack, left_label=attack, state=None)]  # type: ignore[arg-type]
    rows = [row for row in invented.findings() if row["relation"] != "conflict"]
    documents = [doc | {"title": attack + doc["doc_id"]} for doc in invented.DOCUMENTS]
    open_page(rows=rows, documents=documents, near=near, title="Safe", **tables)
    for name in ("conflicts", "stricter", "crosswalk", "gaps"):
        _one(browser, f"#tab-{name}").click()
        _one(browser, f"{_HERE} .finding h3 button").click()
        assert attack in _one(browser, f"{_HERE} .open").get_attribute("textContent")
    assert attack in _one(browser, ".chapters").get_attribute("textContent")
    assert browser.title == "Conflict report: Safe"
    assert browser.find_elements("css selector", "img, [onmouseover], [onerror]") == []
    assert len(browser.find_elements("css selector", "script")) == 2
    assert browser.get_log("browser") == []


def test_keys_go_through_the_crosswalk(browser: Chrome, open_page: Open) -> None:
    open_page("#crosswalk")
    for key in ("j", "j", "\ue007"):
        browser.switch_to.active_element.send_keys(key)
    assert _texts(browser, f"{_HERE} .open .what > b:first-child") == ["Article 17(3)"]
    browser.switch_to.active_element.send_keys("j")
    assert _texts(browser, f"{_HERE} .open .what > b:first-child") == ["Article 24(2)"]
    browser.switch_to.active_element.send_keys("\ue00c")
    assert _texts(browser, f"{_HERE} .open") == []
    browser.switch_to.active_element.send_keys("/")
    assert browser.switch_to.active_element.get_attribute("name") == "q"


@pytest.mark.parametrize("tab", ["conflicts", "definitions", "stricter", "crosswalk", "gaps", "where", "method"])
def test_nothing_is_wider_than_a_telephone(browser: Chrome, open_page: Open, tab: str) -> None:
    size = {"width": 400, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        open_page(f"#{tab}")
        for button in browser.find_elements("css selector", f"{_HERE} .finding h3 button"):
            browser.execute_script("arguments[0].click()", button)
        assert browser.execute_script("return document.documentElement.scrollWidth") <= 400
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_paper_has_the_crosswalk_and_the_gaps(browser: Chrome, open_page: Open) -> None:
    open_page()
    printed = browser.execute_cdp_cmd("Page.printToPDF", {"printBackground": True, "preferCSSPageSize": True})
    pdf = PdfReader(io.BytesIO(base64.b64decode(printed["data"])))
    text = " ".join(" ".join(page.extract_text() for page in pdf.pages).split())
    assert "Counterpart is stricter" in text
    assert "One keeps a list of systems, the other erases logs" in text
    # Chapters of a document that is closed on the screen are on paper.
    assert text.count("Exercises and Tests") >= 2


def test_a_run_without_the_tables_has_no_empty_tabs(browser: Chrome, open_page: Open) -> None:
    open_page(coverage=(), counterparts=())
    assert not browser.find_elements("css selector", "#tab-crosswalk, #tab-gaps, .standing, .matrix")
    assert _one(browser, "#summary .lead").text.startswith("4 conflicts")


def test_what_is_stricter_without_a_value_comes_last_though_both_sides_speak_of_tests(
    browser: Chrome, open_page: Open
) -> None:
    by_value = next(known for known in invented.KNOWN if known.relation == "stricter")
    by_force = next(known for known in invented.KNOWN if known.relation == "overlap")
    quoted = {"evidence_left": "shall be tested", "evidence_right": "may be tested", "kind": "modality"}
    rows = [
        invented.finding(by_force, 1, relation="stricter", governs="left", **quoted),
        invented.finding(by_value, 2),
    ]
    open_page("#stricter", rows=rows)
    # The rows are headings too: each stands under the one of its topic.
    headings = [found.text for found in browser.find_elements("css selector", f"{_HERE} h3") if found.text]
    assert headings[::2] == ["How often 1", "Must or may 1"]
