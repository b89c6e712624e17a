"""The report as a reader meets it in a browser."""

from __future__ import annotations

import base64
import io
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pypdf import PdfReader

from antinomy.evaluate import reviewed
from antinomy.findings.calibration import Calibration
from antinomy.findings.conflict_log import VerifiedLog
from antinomy.judge.result import JudgeResult
from antinomy.report.html import Content, render
from antinomy.run.manifest import CompletedStage
from report import invented, invented_coverage

if TYPE_CHECKING:
    from selenium.webdriver import Chrome
    from selenium.webdriver.remote.webelement import WebElement

Open = Callable[..., None]


@pytest.fixture
def open_page(browser: Chrome, tmp_path: Path) -> Open:
    """Render findings and open the page; other arguments go to ``render``."""

    def open_(rows: list[dict[str, Any]] | None = None, fragment: str = "", **others: Any) -> None:
        rows = invented.findings() if rows is None else rows
        given = {
            "run": invented.run(),
            "aggregates": invented.aggregates(rows),
            "documents": invented.DOCUMENTS,
            "compared_with": "quarter-1",
        }
        path = tmp_path / "report.html"
        path.write_text(render(Content(findings=rows, **(given | others))), "utf-8")
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
        browser.get_log("browser")
        browser.get(path.as_uri() + fragment)
        assert browser.get_log("browser") == []

    return open_


def _all(browser: Chrome, css: str) -> list[WebElement]:
    return browser.find_elements("css selector", css)


def _one(browser: Chrome, css: str) -> WebElement:
    return browser.find_element("css selector", css)


def _texts(browser: Chrome, css: str) -> list[str]:
    # In one step: the page may draw its list anew between two.
    script = "return [...document.querySelectorAll(arguments[0])].map((node) => node.textContent)"
    found: list[str] = browser.execute_script(script, css)
    return found


#: The tab that is open.
_HERE = "[role=tabpanel]:not([hidden])"


def _tab(browser: Chrome, name: str) -> None:
    _one(browser, f"#tab-{name}").click()


def _count(browser: Chrome) -> str:
    return _one(browser, f"{_HERE} .count").text


def _ranks(browser: Chrome) -> list[str]:
    return _texts(browser, f"{_HERE} .finding .rank")


def _choose(browser: Chrome, control: str, value: str) -> None:
    _one(browser, f"{_HERE} [name={control}] option[value='{value}']").click()


def _press(browser: Chrome, keys: str) -> None:
    browser.switch_to.active_element.send_keys(keys)


def _open_ranks(browser: Chrome) -> list[str]:
    return _texts(browser, ".finding.open .rank")


def _wait(browser: Chrome, met: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not met():
        assert time.monotonic() < deadline, "the page did not get there in 20 s"
        time.sleep(0.05)


def test_the_page_tells_what_was_found_and_what_it_took(browser: Chrome, open_page: Open) -> None:
    open_page(quality={"precision": {"value": 0.875, "low": 0.7, "high": 0.96}, "recall": {"value": 0.8}})
    said = _one(browser, "#summary").text.replace("\u202f", ",")
    assert "4 conflicts and 1 other finding among 2,690 pairs of provisions compared" in said
    assert "Since the previous run: 4 new, 1 carried over, 1 resolved" in said
    _tab(browser, "method")
    said = _one(browser, "#method").text.replace("\u202f", ",")
    assert "1,588,445" in said
    assert "0.17 % of all, 590 times fewer" in said
    assert "Precision 0.88 95 % interval 0.70–0.96" in said
    assert "Recall 0.80" in said
    # 1.08 million tokens for 2,000 pairs make 540 each.
    assert "857,760,300" in said
    assert _one(browser, "h1").text == "Specimen Regulation on Technology Risk and 2 US documents"
    assert browser.execute_script("return performance.getEntriesByType('resource').length") == 0


def test_the_title_counts_all_that_was_compared(browser: Chrome, open_page: Open) -> None:
    # Only two of the three have findings, and the unreadable fourth was not compared.
    rows = [row for row in invented.findings() if row["right_doc"] == invented.US_CONTINUITY]
    unread = invented.DOCUMENTS[2] | {"doc_id": "us-lost", "status": "quarantined", "error": "no text"}
    open_page(rows, documents=[*invented.DOCUMENTS, unread])
    assert _one(browser, "h1").text == "Specimen Regulation on Technology Risk and 2 US documents"
    assert _one(browser, ".byline").text == "1 EU document and 2 US documents compared, 2 April 2031"
    _tab(browser, "method")
    assert "Could not be read: no text" in _one(browser, ".sources").text


def test_the_account_says_what_was_not_judged_and_why(browser: Chrome, open_page: Open) -> None:
    relations = {"conflict": 4, "none": 680}
    judged = JudgeResult(relations=relations, words={"eu × us": {"client": "customer", "<b>": "firm"}})
    run = invented.run(errors=6, stages={"judge": CompletedStage(1.0, judged, "")})
    open_page(run=run, pairs_kept=600, pairs_repeated=90)
    said = _one(browser, "#summary").text.replace("\u202f", ",")
    assert "6 pairs have no verdict, because the judge failed on them." in said
    _tab(browser, "method")
    said = _one(browser, "#method").text.replace("\u202f", ",")
    assert "Words taken to name the same thing" in said
    assert "client = customer <b> = firm" in said
    assert "Judged earlier 600 both texts are unchanged" in said
    assert "Repeated 90 the same two texts stand elsewhere too; judged once" in said
    assert "No relation 680" in said


def test_review_and_calibration_are_told(browser: Chrome, open_page: Open) -> None:
    rows = invented.findings()
    rows[3] |= {"p_conflict": 0.61}
    calibration = Calibration(
        method="platt", x=(0.8,), y=(-0.3,), judge="norms", model="norms-1", prompt_sha256="d4" * 32, decided=64,
        conflicts=41, decisions_sha256="e5" * 32, brier_before=0.21, brier_after=0.17,
        fitted_at="2031-03-01T00:00:00+00:00",
    )  # fmt: skip
    said = [{**rows[3], "decision_id": "1", "reviewer": "A", "note": "", "run_id": "r", "decided_at": "2031"}]
    log = VerifiedLog(({},), "f6" * 32, False)
    open_page(rows, calibration=calibration, reviewed=reviewed.measure(rows, said), log=log)
    _tab(browser, "method")
    assert "Reviewed 1 of 5\nConfirmed 1\nRejected 0" in _one(browser, "#method").text
    assert "Right so far 100 % 95 % interval 21–100 %" in _one(browser, "#method").text
    method = _one(browser, "#method").text.replace("\u202f", ",")
    assert "corrected by what reviewers decided on 64 findings (41 of them confirmed as conflicts)" in method
    assert "was 0.210 before and is 0.170 after" in method
    assert f"1 decision, seal {'f6' * 32}" in method
    _tab(browser, "conflicts")
    _all(browser, ".finding h3 button")[3].click()
    _one(browser, ".open .foot summary").click()
    facts = _one(browser, ".open .facts").text
    assert "Probability of a conflict 0.61" in facts
    assert "As the judge said 0.88" in facts


def test_filters_narrow_the_list(browser: Chrome, open_page: Open) -> None:
    open_page()
    assert _ranks(browser) == ["1", "2", "3", "4"]
    assert _count(browser) == "4 conflicts"
    _choose(browser, "doc", invented.US_RECORDS)
    assert _ranks(browser) == ["3"]
    assert _count(browser) == "1 of 4 conflicts"
    _one(browser, f"{_HERE} button[type=reset]").click()
    _wait(browser, lambda: len(_ranks(browser)) == 4)
    for control, value, ranks in (
        ("kind", "deadline", ["1"]),
        ("state", "carried", ["3"]),
        ("decision", "=confirm", ["4"]),
        ("decision", "none", ["1", "2", "3"]),
        ("doc", invented.US_CONTINUITY, ["1", "2", "4"]),
    ):
        _choose(browser, control, value)
        assert _ranks(browser) == ranks, (control, value)
        _choose(browser, control, "")
    browser.execute_script(
        "const p = conflicts.querySelector('[name=p]'); p.value = 0.9;"
        "p.dispatchEvent(new Event('change', {bubbles: true}))"
    )
    assert _ranks(browser) == ["1", "2", "3"]
    # What is of another relation stands under its own tab, resolved ones too.
    _tab(browser, "stricter")
    assert _ranks(browser) == ["5"]
    assert _count(browser) == "1 stricter rule"
    _tab(browser, "definitions")
    assert _ranks(browser) == ["–"]
    assert _count(browser) == "0 definitions, and 1 resolved"


def test_other_relations_stand_among_the_conflicts_where_one_is_probable(browser: Chrome, open_page: Open) -> None:
    overlap = invented.finding(invented.KNOWN[6], 6, p_conflict=0.7)
    open_page([*invented.findings()[:2], overlap])
    assert _count(browser) == "3 findings"
    _choose(browser, "relation", "conflict")
    assert _ranks(browser) == ["1", "2"]
    _choose(browser, "relation", "overlap")
    assert _ranks(browser) == ["6"]


def test_search_reads_texts_labels_context_and_reasons(browser: Chrome, open_page: Open) -> None:
    open_page()
    for words, ranks in (
        ("territory", ["4"]),
        ("ARTICLE 9(4)", ["3"]),
        ("unplanned event", ["1", "2"]),
        ("cannot be kept", ["3"]),
        ("nowhere to be found", []),
    ):
        field = _one(browser, "#conflicts [name=q]")
        field.clear()
        field.send_keys(words)
        _wait(browser, lambda ranks=ranks: _ranks(browser) == ranks)  # type: ignore[misc]
    assert "Nothing passes the filters." in _one(browser, "#conflicts .list").text


def test_the_heat_map_and_the_topics_lead_to_their_findings(browser: Chrome, open_page: Open) -> None:
    open_page()
    _tab(browser, "where")
    cell = _one(browser, ".heat button[title='Incidents × Examination Manual: Business Continuity']")
    assert cell.accessible_name == "2 Incidents × Examination Manual: Business Continuity: 2 conflicts, 0 other"
    cell.click()
    assert _one(browser, "#tab-conflicts").get_attribute("aria-selected") == "true"
    assert _ranks(browser) == ["1", "2"]
    assert "Only Incidents × Examination Manual: Business Continuity" in _one(browser, "#conflicts .chip").text
    _tab(browser, "stricter")
    assert _ranks(browser) == []
    _one(browser, "#stricter .chip button").click()
    assert _ranks(browser) == ["5"]
    _tab(browser, "conflicts")
    assert len(_ranks(browser)) == 4
    _tab(browser, "where")
    # A cell without conflicts leads to the tab of what it has.
    _one(browser, ".heat button[title='Testing × Examination Manual: Business Continuity']").click()
    assert _one(browser, "#tab-stricter").get_attribute("aria-selected") == "true"
    assert _ranks(browser) == ["5"]
    _tab(browser, "where")
    panel = _one(browser, ".topics [role=button]")
    assert panel.accessible_name.startswith("Notices of major incidents / Notification of Regulators: 2 findings")
    browser.execute_script("arguments[0].focus()", panel)
    _press(browser, "\ue007")
    assert _ranks(browser) == ["1", "2"]
    assert panel.get_attribute("aria-pressed") == "true"


def test_everything_works_from_the_keyboard(browser: Chrome, open_page: Open) -> None:
    open_page()
    _press(browser, "j")
    _press(browser, "j")
    assert _open_ranks(browser) == []
    _press(browser, "\ue007")
    assert _open_ranks(browser) == ["2"]
    # With one open, the next opens in its place: a reader goes through the list with one key.
    _press(browser, "j")
    assert _open_ranks(browser) == ["3"]
    _press(browser, "k")
    assert _open_ranks(browser) == ["2"]
    _press(browser, "\ue00c")
    assert _open_ranks(browser) == []
    _press(browser, "/")
    assert browser.switch_to.active_element.get_attribute("name") == "q"
    # In a field, letters are letters.
    _press(browser, "jk")
    _wait(browser, lambda: _ranks(browser) == [])
    _press(browser, "\ue00c")
    assert len(_ranks(browser)) == 4
    _one(browser, "#keys").click()
    _press(browser, "j")
    assert browser.switch_to.active_element.get_attribute("id") == "keys"


def test_a_finding_shows_both_sides_with_the_clash_marked(browser: Chrome, open_page: Open) -> None:
    open_page()
    _one(browser, ".finding button").click()
    left, right = _all(browser, ".open .side")
    assert invented.NOTICE_EU.text in left.text
    assert "Specimen Regulation on Technology Risk" in left.text
    assert "Incidents › Notices of major incidents" in left.text
    marked = "".join(_texts(browser, ".open .side:first-child mark"))
    assert marked == invented.KNOWN[0].evidence[0]
    assert left.find_element("css selector", "mark.ec").text == "24 hours"
    assert right.find_element("css selector", "mark.ec").text == "36 hours"
    link = left.find_element("css selector", "h4 a")
    assert (link.text, link.get_attribute("href")) == (
        "Article 17(1), page 22",
        "https://law.example/specimen.pdf#page=22",
    )
    assert right.find_element("css selector", "h4 a").get_dom_attribute("href") == "continuity%20manual.pdf#page=31"
    left.find_element("css selector", "summary").click()
    assert "‘major incident’ means an unplanned event" in left.text
    _one(browser, ".open .foot summary").click()
    facts = _one(browser, ".open .facts").text
    assert "Probability of a conflict 0.97" in facts
    assert "Judge norms, norms-1" in facts
    assert "Prompt d4d4d4d4d4d4" in facts
    assert _one(browser, ".open h3 button").get_attribute("aria-expanded") == "true"


def test_what_changed_and_what_was_decided_stands_above_the_texts(browser: Chrome, open_page: Open) -> None:
    open_page()
    said = []
    for name in ("conflicts", "stricter", "definitions"):
        _tab(browser, name)
        for button in _all(browser, f"{_HERE} .finding h3 button"):
            button.click()
        said += [item.text for item in _all(browser, f"{_HERE} .finding")]
    assert f"Since the previous run: the text of {invented.DOCUMENTS[0]['title']} changed" in said[2]
    assert "Confirmed by A. Analyst on 2 April 2031: Legal agrees." in said[3]
    assert "The verdict depends on which provision is read first." in said[3]
    assert "the stricter side" in said[4].split("Examination Manual")[1]
    assert "Resolved: now judged overlap" in said[5]
    # Records come from an address that no browser should follow.
    assert _all(browser, ".finding:nth-child(3) .side:nth-child(2) a") == []


def test_dark_and_light(browser: Chrome, open_page: Open) -> None:
    open_page()
    ground = "return getComputedStyle(document.body).backgroundColor"
    light = browser.execute_script(ground)
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    )
    dark = browser.execute_script(ground)
    assert _lightness(dark) < 50 < 200 < _lightness(light)
    _one(browser, "#theme").click()
    assert browser.execute_script(ground) == light
    _one(browser, "#theme").click()
    assert browser.execute_script(ground) == dark
    assert _one(browser, "#theme").get_attribute("aria-pressed") == "true"


def _lightness(colour: str) -> float:
    channels = [int(part) for part in colour.removeprefix("rgb(").removesuffix(")").split(",")]
    return sum(channels) / 3


def test_a_provision_cannot_run_code_or_break_the_page(browser: Chrome, open_page: Open) -> None:
    attack = (
        '</script><script>document.title="taken"</script>"onmouseover="document.title=1" '
        "<img src=x onerror=document.title=1>"
    )
    rows = invented.findings()
    for column, value in rows[0].items():
        if isinstance(value, str) and not column.endswith(("_id", "_doc", "sha256", "relation", "state")):
            rows[0][column] = attack
    rows[0] |= {"finding_id": "0" * 16, "cluster_id": rows[0]["left_id"]}
    rows[0]["left_text"] = rows[0]["evidence_left"] = attack
    documents = [doc | {"title": attack, "error": attack} for doc in invented.DOCUMENTS]
    open_page(rows, documents=documents, run=invented.run(run_id=attack), title=attack)
    _one(browser, ".finding button").click()
    _one(browser, "mark").click()  # the mouse goes over it
    assert _one(browser, ".open .side .text").text == attack
    assert browser.title == f"Conflict report: {attack}"
    assert _all(browser, "img, [onmouseover], [onerror]") == []
    assert len(_all(browser, "script")) == 2
    # Even markup that got into the page would not run: the page's policy forbids it.
    browser.execute_script(
        "const b = document.createElement('b'); b.setAttribute('onclick', 'document.title = 1');"
        "document.body.append(b); b.click()"
    )
    assert browser.title != "1"


@pytest.mark.long
def test_five_thousand_findings_are_drawn_as_they_are_scrolled_to(browser: Chrome, open_page: Open) -> None:
    # Counting the conflicts of 5,000 findings takes longer than drawing them, and is not what is tested.
    rows = [row | {"relation": "conflict"} for row in invented.many(5000)]
    open_page(rows, aggregates=invented.aggregates(invented.findings()), **invented_coverage.many(10_000))
    assert _count(browser) == "5000 conflicts"
    loaded = browser.execute_script("return performance.getEntriesByType('navigation')[0].domComplete")
    # On a quiet machine it is a fraction of the three seconds that it may take: bench/page.py says how many.
    assert loaded < 10_000
    assert 0 < len(_all(browser, ".finding")) < 500
    for _ in range(3):
        seen = len(_all(browser, ".finding"))
        browser.execute_script("scrollTo(0, document.body.scrollHeight)")
        _wait(browser, lambda seen=seen: len(_all(browser, ".finding")) > seen)  # type: ignore[misc]
    _one(browser, "#conflicts [name=q]").send_keys("branch 4999")
    _wait(browser, lambda: _ranks(browser) == ["5000"])
    _tab(browser, "crosswalk")
    assert _count(browser) == "10000 duties"
    assert 0 < len(_all(browser, "#crosswalk .finding")) < 500
    _one(browser, "#crosswalk [name=q]").send_keys("point 9999")
    _wait(browser, lambda: len(_all(browser, "#crosswalk .finding")) == 4)


def test_paper_shows_every_finding_whole_and_light(browser: Chrome, open_page: Open) -> None:
    open_page()
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    )
    printed = browser.execute_cdp_cmd("Page.printToPDF", {"printBackground": True, "preferCSSPageSize": True})
    pdf = PdfReader(io.BytesIO(base64.b64decode(printed["data"])))
    text = " ".join(" ".join(page.extract_text() for page in pdf.pages).split())
    for known in invented.KNOWN[:-1]:
        assert known.rationale in text
        assert " ".join(known.left.text.split())[:60] in text
    assert "‘major incident’ means an unplanned event" in text
    assert "Clear" not in text
    # Every tab is on it, and afterwards the one that was open is open again.
    for heading in ("Conflicts", "Definitions", "Stricter rules", "Where the findings lie", "The run in figures"):
        assert heading in text
    assert _one(browser, _HERE).get_attribute("id") == "conflicts"
    # Once printed, the list is closed again.
    assert _open_ranks(browser) == []


def test_a_link_opens_its_finding(browser: Chrome, open_page: Open) -> None:
    rows = invented.findings()
    open_page(rows, fragment=f"#f-{rows[2]['finding_id']}")
    assert _open_ranks(browser) == ["3"]


def test_a_run_without_findings_says_so(browser: Chrome, open_page: Open) -> None:
    open_page([])
    assert "No findings among 2\u202f690 pairs of provisions compared" in _one(browser, "#summary").text
    for name, said in (("conflicts", "conflict"), ("definitions", "definition"), ("stricter", "stricter rule")):
        _tab(browser, name)
        assert not _one(browser, f"#{name} form").is_displayed()
        assert f"No {said} was found." in _one(browser, f"#{name} .list").text
