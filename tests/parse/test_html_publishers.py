"""Web pages as publishers set them: an ordinance with raised numbers, a sourcebook, a policy exported from a wiki."""

from __future__ import annotations

import pytest

from antinomy.parse import parse_document
from antinomy.parse.model import ParsedDocument
from antinomy.settings.source import Source


def page(body: str) -> ParsedDocument:
    return parse_document(Source("x", "x.html", "any"), f"<html><body>{body}</body></html>".encode())


def texts(document: ParsedDocument) -> dict[str, str]:
    return {section.eid: section.text for section in document.sections if section.text}


def _article(number: str, heading: str, *blocks: str) -> str:
    return f"<article><h4><b>Art. {number}</b>&nbsp;{heading}</h4><div>{''.join(blocks)}</div></article>"


def _mark(number: int) -> str:
    return f"<sup><a href='#n{number}' id='m{number}'>{number}</a></sup>"


def _note(number: int, text: str) -> str:
    return f"<div class='notes'><p id='n{number}'><sup><a href='#m{number}'>{number}</a></sup> {text}</p></div>"


def test_letters_in_lists_of_terms_and_inserted_paragraphs_are_numbers() -> None:
    """Raised numbers are those of paragraphs, and linked ones those of notes; a repealed article keeps its place."""
    document = page(
        "<h1>Lamp Ordinance</h1>"
        + _article("1", "Scope", "<p>It applies to keepers.</p>")
        + _article(
            "2",
            "Duties",
            "<p><sup>1</sup> A keeper shall:</p><dl><dt>a. </dt><dd>trim the wick;</dd>",
            f"<dt>a<sup>bis</sup>.{_mark(1)}</dt><dd>log the hour;</dd>",
            "<dt>b. </dt><dd>check each week:<dl>",
            "<dt>1. </dt><dd>the oil,</dd><dt>2. </dt><dd>the glass.</dd></dl></dd></dl>",
            "<p><sup>1<i>bis</i></sup> The hour is that of the harbour.</p><p><sup>2</sup> The log is kept.</p>",
            _note(1, "Inserted in 2031."),
        )
        + _article("3", f"…{_mark(2)}", _note(2, "Repealed in 2031."))
        + _article("4", "Horns", "<p><sup>1</sup> A horn shall be loud.</p><p><sup>2</sup> It is tested.</p>")
        + "<h1>Annex 1</h1><p>(Art. 2 para. 2)</p><h2>Form of the log</h2><p>The log has two columns.</p>"
    )
    assert texts(document) == {
        "art_1": "It applies to keepers.",
        "art_2__para_1": "A keeper shall:",
        "art_2__para_1__point_a": "trim the wick;",
        "art_2__para_1__point_abis": "log the hour;",
        "art_2__para_1__point_b": "check each week:",
        "art_2__para_1__point_b__point_1": "the oil,",
        "art_2__para_1__point_b__point_2": "the glass.",
        "art_2__para_1bis": "The hour is that of the harbour.",
        "art_2__para_2": "The log is kept.",
        "art_4__para_1": "A horn shall be loud.",
        "art_4__para_2": "It is tested.",
        "anx_1__subpara_1": "(Art. 2 para. 2)",
        "anx_1__subpara_2": "The log has two columns.",
        "fn_1": "Inserted in 2031.",
        "fn_2": "Repealed in 2031.",
    }
    headings = {section.eid: section.heading for section in document.sections}
    assert headings["art_3"] == "…"
    assert headings["anx_1"] == "Form of the log"
    notes = [section.label for section in document.sections if section.type == "footnote"]
    assert notes == ["Footnote 1 to Art. 2, paragraph 1, point abis", "Footnote 2 to Art. 3"]
    assert document.structure == 1


def test_paragraphs_set_as_terms_without_meanings_and_parts_headed_as_the_act_is() -> None:
    def part(level: int, heading: str, *held: str) -> str:
        return f"<section><h{level}><a href='#x'>{heading}</a></h{level}><div>{''.join(held)}</div></section>"

    document = parse_document(
        Source("x", "x.html", "any"),
        (
            "<html><head><title>export-en</title></head><body><div id='front'><p>812.4</p><h1>Lighthouse Act</h1></div>"
            "<main>"
            + part(
                1,
                "Chapter 1 Lamps",
                _article("1", "Scope", "<p>The Act applies to keepers of lamps.</p>"),
                _article(
                    "2",
                    "Duties",
                    "<p><sup>1</sup> A keeper must trim the wick.</p>",
                    "<p><sup>1ter</sup> A keeper must do so with a knife:</p>",
                    "<dl><dt>a. </dt><dd>of bone; or</dd>",
                    f"<dt>a<sup>bis</sup>.{_mark(1)} of steel.</dt><dd class='x'></dd></dl>",
                    "<dl><dt><sup>2</sup> The wick must be of cotton.</dt><dd class='x'></dd></dl>",
                    _note(1, "Inserted in 2031."),
                ),
            )
            + part(
                1,
                "Chapter 2 Horns",
                part(2, "Section 1 Sound", _article("3", "Loudness", "<p>A horn must be loud.</p>")),
                part(
                    2,
                    "Section 2 Tests",
                    _article("4", "Days", "<p><sup>1</sup> It must sound.</p>", "<p><sup>2</sup> Daily.</p>"),
                ),
            )
            + "</main></body></html>"
        ).encode(),
    )
    assert document.title == "Lighthouse Act"
    assert texts(document) == {
        "art_1": "The Act applies to keepers of lamps.",
        "art_2__para_1": "A keeper must trim the wick.",
        "art_2__para_1ter": "A keeper must do so with a knife:",
        "art_2__para_1ter__point_a": "of bone; or",
        "art_2__para_1ter__point_abis": "of steel.",
        "art_2__para_2": "The wick must be of cotton.",
        "art_3": "A horn must be loud.",
        "art_4__para_1": "It must sound.",
        "art_4__para_2": "Daily.",
        "fn_1": "Inserted in 2031.",
    }
    above = {section.label: section.parent_eid for section in document.sections}
    assert above["Art. 1"] == above["Art. 2"] == "chp_1"
    assert above["Art. 3"] != above["Art. 4"]
    assert {above["Art. 3"], above["Art. 4"]} == {s.eid for s in document.sections if s.type == "section"}


def test_an_annex_beside_the_text_has_its_title_and_the_rows_of_a_table_without_heads() -> None:
    cells = (("1", "Varn", ""), ("2", "Orrin", "The keeper of Orrin may use gas."), ("3", "Skerry", ""))
    rows = "".join(f"<tr>{''.join(f'<td><p>{cell}</p></td>' for cell in row)}</tr>" for row in cells)
    document = page(
        "<h1>Harbour Ordinance</h1><main>"
        + "".join(
            _article(
                number, "Oil", "<p><sup>1</sup> Oil shall be dry.</p><p><sup>2</sup> It shall be sold in jars.</p>"
            )
            for number in "123"
        )
        + f"</main><div><section><h1>Annex 1{_mark(1)}</h1>{_note(1, 'Amended in 2031.')}<p>(Art. 2 para. 2)</p>"
        f"<h2>Ports</h2><table border='1'>{rows}</table></section>"
        "<section><h1>Annex 2</h1><p>(Art. 3)</p><h2>Repeals</h2><p>The Jar Ordinance is repealed.</p></section></div>"
    )
    assert document.warnings == []
    annexed = [(s.type, s.number, s.heading, s.text) for s in document.sections if s.eid.startswith("anx")]
    assert annexed[0] == ("annex", "1", "Ports", "(Art. 2 para. 2)")
    assert [row[1:] for row in annexed if row[0] == "paragraph"] == [
        ("1", "", "Varn"),
        ("2", "", "Orrin; The keeper of Orrin may use gas."),
        ("3", "", "Skerry"),
    ]
    assert any(row[2] == "Repeals" for row in annexed)


def test_terms_of_a_list_of_terms_are_no_numbers() -> None:
    document = page("<h1>Rules</h1><h2>1. Terms</h2><dl><dt>oil</dt><dd>fuel.</dd><dt>wick</dt><dd>a cord.</dd></dl>")
    assert [section.term for section in document.sections if section.type == "definition"] == ["oil", "wick"]


@pytest.mark.parametrize("number", ["<span>({})</span>", "<b>({})</b>&nbsp;", "<div>({})</div>"])
def test_the_number_that_an_item_prints_is_its_number(number: str) -> None:
    """And not the one that a browser would count, whatever the number stands in."""
    items = "".join(
        f"<li>{number.format(n)} <div>{text}</div></li>" for n, text in enumerate(("Oil; and", "new wicks."), 1)
    )
    document = page(
        "<h1>LAMP 1 Lamps</h1><h2>LAMP 1.1 Care</h2>"
        f"<div>LAMP 1.1.1 R 02/05/2031</div><p>A keeper must buy:</p><ol>{items}</ol>"
        "<div>LAMP 1.1.2 G 02/05/2031</div><p>LAMP 1.1.1 R to LAMP 1.1.3 R bear on purchases. Gifts are free.</p>"
        "<div>LAMP 1.1.3 R 02/05/2031</div><p>A keeper must not sell oil.</p>"
    )
    assert texts(document) == {
        "para_1-1-1R": "A keeper must buy:",
        "para_1-1-1R__point_1": "Oil; and",
        "para_1-1-1R__point_2": "new wicks.",
        "para_1-1-2G": "LAMP 1.1.1 R to LAMP 1.1.3 R bear on purchases. Gifts are free.",
        "para_1-1-3R": "A keeper must not sell oil.",
    }


def _requirements(*rows: tuple[str, str]) -> str:
    cells = "".join(
        f"<tr><td><b>{number}</b></td><td>{text}</td><td>Pilot</td></tr>"
        if text
        else f"<tr><th colspan='3'>{number}</th></tr>"
        for number, text in rows
    )
    return f"<table><tr><th>ID</th><th>Requirement</th><th>Owner</th></tr>{cells}</table>"


def test_a_policy_whose_requirements_stand_in_tables() -> None:
    """Their codes run through all tables; lists stay in their rows, and a row of one cell heads those below it."""
    titles = ["1. Harbour", "1.1 – Lamps", "Storms", "3. Boats"]
    outline = "".join(f"<li><span>{n}.{n}</span> <a href='#{n}'>{title}</a></li>" for n, title in enumerate(titles, 1))
    lists = "<p>A log states:</p><ol type='a'><li>the hour;</li><li>who:<ol type='i'>"
    lists += "<li>looked;</li><li>lit.</li></ol></li></ol>"
    document = page(
        f"<h1>Harbour Policy</h1><ul>{outline}</ul><div><a href='/p'>Print</a> | <a href='/s'>Share</a></div>"
        "<h2 id='1'>1. Harbour</h2><h3 id='2'>1.1 – Lamps</h3>"
        + _requirements(("HB-01", "A lamp must burn."), ("HB-02", lists), ("At night", ""), ("HB-03", "A lamp is red."))
        + "<h2 id='3'>Storms</h2><p>A storm is announced.</p>"
        + _requirements(
            ("ST-01", "Boats stay in."), ("ST-02", "<ul><li>Ropes are doubled.</li><li>Sails go.</li></ul>")
        )
        + "<h2 id='4'>3. Boats</h2><h3>3.1 Oars</h3>"
        + _requirements(("HB-04", "Oars must be white."))
    )
    assert texts(document) == {
        "para_HB-01": "Requirement: A lamp must burn.; Owner: Pilot",
        "para_HB-02": "Owner: Pilot; Requirement: A log states:",
        "para_HB-02__point_a": "the hour;",
        "para_HB-02__point_b": "who:",
        "para_HB-02__point_b__point_i": "looked;",
        "para_HB-02__point_b__point_ii": "lit.",
        "para_HB-03": "Requirement: A lamp is red.; Owner: Pilot",
        "hd_storms": "A storm is announced.",
        "para_ST-01": "Requirement: Boats stay in.; Owner: Pilot",
        "para_ST-02": "Owner: Pilot; Requirement:",
        "para_ST-02__item_1": "Ropes are doubled.",
        "para_ST-02__item_2": "Sails go.",
        "para_HB-04": "Requirement: Oars must be white.; Owner: Pilot",
    }
    found = {section.eid: section for section in document.sections}
    assert found["sec_1-1"].heading == "Lamps"
    assert found[found["para_HB-03"].parent_eid].heading == "At night"
    assert not found["hd_storms"].parent_eid
    assert not found["sec_3"].parent_eid


def test_numbers_of_rows_run_on_below_a_row_that_heads_them() -> None:
    """Of two lists in a row, the first is that of the provision."""
    lists = "<td>A pilot logs:<ul><li>wind;</li><li>tide.</li></ul></td><td><ul><li>Log</li><li>Chart</li></ul></td>"
    document = page(
        "<h1>Pilots</h1><h2>1 Duties</h2><table><tr><td><b>No.</b></td><td><b>Rule</b></td><td><b>Proof</b></td></tr>"
        f"<tr><td>1.1</td>{lists}</tr><tr><td>1.2</td><td>A pilot rests.</td><td>Roster</td></tr>"
        "<tr><td colspan='3'>At night</td></tr><tr><td>1.3</td><td>Two pilots sail.</td><td>Roster</td></tr></table>"
        "<h2>2 Boats</h2><p>2.1 A boat is white.</p>"
    )
    assert {section.number or section.type: section.text for section in document.sections if section.text} == {
        "1.1": "Proof: • Log • Chart; Rule: A pilot logs:",
        "item": "tide.",
        "1.2": "Rule: A pilot rests.; Proof: Roster",
        "1.3": "Rule: Two pilots sail.; Proof: Roster",
        "2.1": "A boat is white.",
    }
    assert document.structure == 1


def test_a_table_that_sets_out_a_page_is_read_in_its_order() -> None:
    rows = (
        "<tr><td>First</td><td>x</td></tr><tr><td><ul><li>second</li></ul></td></tr><tr><td>Third</td><td>y</td></tr>"
    )
    document = page(f"<h1>Rules</h1><p>1. A lamp is red.</p><p>2. A horn is loud.</p><table>{rows}</table>")
    words = " ".join(section.text for section in document.sections)
    assert words.index("First") < words.index("second") < words.index("Third")


def _act() -> str:
    def paragraphs(*printed: str) -> str:
        return "".join(f"<p>{text}</p>" for text in printed)

    parts = {
        "Part\u00a01—Beginning": ["1\u00a0 Name", "This is the Lamp Act.", "2\u00a0 Start", "It starts in May."],
        "Part\u00a02—Keepers": [],
        "Division\u00a01—Badges": [
            "3\u00a0 Badges", "(1)\u00a0 A keeper must wear a badge that:",
            "(a)\u00a0 is red and can be seen from the far side of the harbour by day; and",
            "(b)\u00a0 shows a number.", "Civil penalty:\u00a0 90 penalty units.", "Strangers",
            "(2)\u00a0 A stranger may not wear one.", "Maximum penalty:\u00a0 5 penalty units.",
        ],
        "Division\u00a02—Boats": ["4\u00a0 Boats", "A boat must be white.", "5\u00a0 Oars", "Oars must be long."],
        "Part\u00a03—Lamps": [],
        "Division\u00a01—Oil": ["6\u00a0 Oil", "Oil must be clear.", "7\u00a0 Casks", "Casks must be closed."],
        "Division\u00a02—Wicks": ["8\u00a0 Wicks", "Wicks must be dry."],
        "Part\u00a05—End": ["15\u00a0 Reports", "A keeper must report the following."],
    }  # fmt: skip
    times = (
        "<table><thead><tr><td colspan='3'><p>Times of reports</p></td></tr><tr><td>Item</td><td>Lamps</td>"
        "<td>Report</td></tr></thead><tr><td>1</td><td>up to 9</td><td>each year</td></tr>"
        "<tr><td>2</td><td>more</td><td>each month</td></tr></table>"
    )
    listed = [title for title, texts in parts.items() for title in (title, *texts) if title[:1] in "PD1234567890"]
    contents = [f"{title}\u00a0\u00a0 {number}" for number, title in enumerate(listed, 1)]
    return (
        "<div><p>Contents</p>"
        + paragraphs(*contents, "Note A—History 20", "Note B—Words 21")
        + "</div><div><p>An Act about lamps</p>"
        + "".join(paragraphs(title, *texts) for title, texts in parts.items())
        + f"{times}</div><div><p>Notes</p><table>"
        "<tr><td>Pilot and Tug (Other) Act 2031</td><td>No. 4 of that year</td><td>Sch 2 (items 1–3): 5 May</td></tr>"
        "<tr><td>Boats and Piers (Other) Act 2032</td><td>No. 7 of that year</td><td>Sch 1: the day after</td></tr>"
        "</table></div>"
    )


def test_parts_of_an_act_hold_their_divisions_and_sections_run_on() -> None:
    """Some parts have divisions and some have none; the contents list what stands behind the act, too."""
    document = page(_act())
    found = {section.eid: section for section in document.sections}
    above = {s.eid: s.parent_eid for s in document.sections if s.type == "section"}
    assert above == {
        "sec_1": "part_1", "sec_2": "part_1", "sec_3": "part_2__part_1", "sec_4": "part_2__part_2",
        "sec_5": "part_2__part_2", "sec_6": "part_3__part_1", "sec_7": "part_3__part_1", "sec_8": "part_3__part_2",
        "sec_15": "part_5",
    }  # fmt: skip
    assert document.sections[0].heading == "An Act about lamps"
    assert not [s for s in document.sections if s.type == "schedule" or "History" in s.heading + s.text]
    assert found["sec_3__para_1__subpara_1"].text == "Civil penalty: 90 penalty units."
    assert found["sec_3__para_2"].heading == "Strangers"
    assert found["sec_3__para_2"].text == "A stranger may not wear one."
    assert found["sec_3__para_2__subpara_1"].text == "Maximum penalty: 5 penalty units."
    (table,) = (section for section in document.sections if section.type == "table")
    rows = [(section.number, section.text) for section in document.sections if section.parent_eid == table.eid]
    assert table.heading == "Times of reports"
    assert rows == [("1", "Lamps: up to 9; Report: each year"), ("2", "Lamps: more; Report: each month")]


def test_a_module_of_an_online_rulebook() -> None:
    """A list in a meaning is set by a table; notes of changes, tabs and numbers that only a style sets apart."""

    def rule(number: str, *blocks: str) -> str:
        return f"<article><h4><a href='/{number}'>LMP {number}</a></h4><div>{''.join(blocks)}</div></article>"

    items = "<table><tr><td>(a)</td><td>a candle; or</td></tr><tr><td>(b)</td><td>a torch.</td></tr></table>"
    document = page(
        "<main><h1>Lamps Module (LMP)</h1><ul><li><a>Whole Module</a></li><li><a>Versions <i>(3)</i></a></li></ul>"
        "<h2>LMP 1 Lamps</h2><h3>LMP 1.1 Terms</h3>"
        + rule(
            "1.1.1",
            "<p>In this module:</p><table><tr><th>Term</th><th>Definition</th></tr>",
            "<tr><td>Keeper</td><td>a person who keeps a Lamp.</td></tr>",
            f"<tr><td>Lamp</td><td>a light, other than:{items}</td></tr>",
            "<tr><td>Wick</td><td>a cord in a Lamp.</td></tr></table>",
        )
        + rule("1.1.2", "<p>A day is a day on which the harbour is open.</p><p>[Added] [VER02/05-31]</p>")
        + "<h3>LMP 1.2 Duties</h3>"
        + rule(
            "1.2.1",
            "<div><b>(1)</b>A Keeper must trim each Wick.</div><div><b>(2)</b>A Keeper must log it.</div>",
            "<p>[Amended] [VER03/06-32] [VER04/01-33]</p>",
            "<div><p><b>Guidance</b></p><div><span>1.</span>A short log is enough.</div></div>",
        )
        + rule("1.2.2", "<p>[Deleted] [VER04/01-33]</p>")
        + "<h2>APP1 Forms</h2><h3>A1.1 The log</h3>"
        + rule("A1.1.1", "<p>The log states the hour.</p>").replace("LMP ", "")
    )
    assert [(s.number or s.term or s.heading, s.text) for s in document.sections if s.text] == [
        ("1.1.1", "In this module:"),
        ("Keeper", "Keeper: a person who keeps a Lamp."),
        ("Lamp", "Lamp: a light, other than:"),
        ("a", "a candle; or"),
        ("b", "a torch."),
        ("Wick", "Wick: a cord in a Lamp."),
        ("1.1.2", "A day is a day on which the harbour is open."),
        ("", "[Added] [VER02/05-31]"),
        ("1", "A Keeper must trim each Wick."),
        ("2", "A Keeper must log it."),
        ("", "[Amended] [VER03/06-32] [VER04/01-33]"),
        ("1", "A short log is enough."),
        ("1.2.2", "[Deleted] [VER04/01-33]"),
        ("A1.1.1", "The log states the hour."),
    ]
    assert next(s.heading for s in document.sections if s.type == "appendix") == "Forms"
    assert not any("Versions" in s.text for s in document.sections)


@pytest.mark.parametrize("space", ["", " "])
def test_a_number_and_what_elements_of_their_own_print_beside_it(space: str) -> None:
    """A letter and a date tell how binding a rule is and since when; a link behind the date leads elsewhere."""

    def rule(number: str, kind: str, *blocks: str) -> str:
        beside = ["<a href='#'>LMP " + number + "</a>", f"<span>{kind}</span>", "<span>01/02/2031</span>"]
        return f"<div><div>{space.join([*beside, '<a href=/why>Why</a>'])}</div><div>{''.join(blocks)}</div></div>"

    document = page(
        "<h1>LMP 1 Lamps</h1><h2><span>LMP 1.1</span><span>Duties</span></h2><h4>Care</h4>"
        + rule("1.1.1", "R", "<p>A keeper must trim each wick.</p>")
        + rule("1.1.1A", "G", "<p>[deleted]</p>")
        + rule("1.1.2", "R", "<div><div>(1)</div><div><p>A lamp must burn.</p></div></div>")
        + "<h2><span>LMP 1.2</span><span>Stores</span></h2>"
        + rule("1.2.1", "E", "<p>Oil should be clean.</p>")
    )
    assert [(s.number, s.heading, s.text) for s in document.sections if s.number and s.type != "title"] == [
        ("1", "Lamps", ""),
        ("1.1", "Duties", ""),
        ("1.1.1R", "", "A keeper must trim each wick."),
        ("1.1.1AG", "", "[deleted]"),
        ("1.1.2R", "", ""),
        ("1", "", "A lamp must burn."),
        ("1.2", "Stores", ""),
        ("1.2.1E", "", "Oil should be clean."),
    ]


def test_rules_whose_numbers_and_letters_a_table_or_a_style_sheet_sets_beside_them() -> None:
    def cells(number: str, kind: str, text: str) -> str:
        return f"<table><tr><td>LMP {number}</td><td>{kind}</td><td><p>{text}</p></td></tr></table>"

    document = page(
        "<h1>LMP 1 Lamps</h1><h2>LMP 1.1 Duties</h2>"
        + cells("1.1.1", "R", "A keeper must trim each wick.")
        + cells("1.1.2", "G", "A wick is of cotton.")
        + "<p><span>LMP 1.1.3</span><span>R</span>A keeper must log <a href='/oil'>oil</a>.</p>"
        + "<div><span>LMP 1.1.4</span><span>R</span><div>(1)</div><div>A lamp must burn.</div></div>"
    )
    assert [(s.number, s.text) for s in document.sections if s.type in ("paragraph", "point")] == [
        ("1.1.1R", "A keeper must trim each wick."),
        ("1.1.2G", "A wick is of cotton."),
        ("1.1.3R", "A keeper must log oil."),
        ("1.1.4R", ""),
        ("1", "A lamp must burn."),
    ]


@pytest.mark.parametrize("date", ["1 Feb 2031", "01-02-2031", "In force from 01/02/2031", "1 February 2031"])
def test_the_letter_and_the_date_of_a_rule_may_be_blocks_of_their_own(date: str) -> None:
    document = page(
        "<h1>LMP 1 Lamps</h1><h2>LMP 1.1 Duties</h2>"
        f"<div><div>LMP 1.1.1</div><div>R</div><div>{date}</div><p>A keeper must trim each wick.</p></div>"
        f"<div><span>LMP 1.1.2</span><span>R</span><span>{date}</span></div><p>A keeper must log it.</p>"
        "<div><span>LMP 1.1.3</span><span>G</span><a href='/why'>Why</a></div><p>A log may be short.</p>"
    )
    assert [(s.number, s.text) for s in document.sections if s.type == "paragraph"] == [
        ("1.1.1R", "A keeper must trim each wick."),
        ("1.1.2R", "A keeper must log it."),
        ("1.1.3G", "A log may be short."),
    ]


def test_the_number_of_an_annexs_paragraph_is_printed_with_the_date_of_its_last_change() -> None:
    document = page(
        "<h1>LMP 1 Lamps</h1><h2>LMP 1.1 Duties</h2><p>LMP 1.1.1 R A keeper must do as Annex 1 says.</p>"
        "<p>LMP 1.1.2 G</p><p>LMP 1.1.1R sets no limit to what a keeper may do.</p>"
        "<h2>LMP 1 Annex 1R Lamps</h2>"
        "<div><div><a href='#1'>1</a><time>01/02/2031</time></div><p>The lamps are those of the quay.</p></div>"
        "<div><div><a href='#2'>2</a><time>01/02/2031</time></div><p>They burn.</p></div>"
        "<p>(1) A lamp burns all night.</p><p>(2) (1) does not apply to boats.</p>"
        "<b>Was this page useful?</b>"
    )
    assert [(s.number, s.text) for s in document.sections if s.type == "paragraph"] == [
        ("1.1.1R", "A keeper must do as Annex 1 says."),
        ("1.1.2G", "LMP 1.1.1R sets no limit to what a keeper may do."),
        ("1", "The lamps are those of the quay."),
        ("2", "They burn."),
    ]
    points = [(s.number, s.text) for s in document.sections if s.type == "point"]
    assert points == [("1", "A lamp burns all night."), ("2", "(1) does not apply to boats.")]
    assert not any("useful" in section.heading + section.text for section in document.sections)


def test_a_table_of_terms_numbers_its_columns() -> None:
    heads = "<tr><th>(1) Expression</th><th>(2) Meaning</th></tr>"
    rows = "<tr><td>lamp</td><td>what a keeper lights</td></tr><tr><td>log</td><td>what a keeper writes</td></tr>"
    document = page(f"<h1>LMP 1 Lamps</h1><p>LMP 1.1.1 R In this chapter:</p><table>{heads}{rows}</table>")
    assert [section.term for section in document.sections if section.type == "definition"] == ["lamp", "log"]


def test_a_term_may_be_a_paragraph_of_its_own_before_its_meaning() -> None:
    document = page(
        "<h1>Lamps</h1><h2>1 Terms</h2><p>1.1 In this Part, the following definitions apply:</p>"
        "<p><em>keeper</em></p><p>means a person who keeps a <em>lamp</em>.</p>"
        "<p><em>oil store</em></p><p>has the meaning given in rule 4.</p><h2>2 Duties</h2>"
        "<p>2.1 A keeper must trim each wick.</p>"
    )
    assert {s.term: s.text for s in document.sections if s.type == "definition"} == {
        "keeper": "keeper means a person who keeps a lamp.",
        "oil store": "oil store has the meaning given in rule 4.",
    }


def test_words_between_a_rules_number_and_its_table_are_the_rules() -> None:
    document = page(
        "<h1>LMP 1 Lamps</h1><h2>LMP 1.1 Duties</h2><p>LMP 1.1.1 R</p><p>A keeper must trim each wick.</p>"
        "<p>LMP 1.1.2 R</p><p>Table: stores</p><table><tr><th>Store</th><th>Lamps</th></tr>"
        "<tr><td>Pier</td><td>up to 9</td></tr></table><p>LMP 1.1.3 R</p><p>A keeper must log it.</p>"
    )
    assert [(s.label, s.text, s.heading) for s in document.sections[2:]] == [
        ("LMP 1.1.1 R", "A keeper must trim each wick.", ""),
        ("LMP 1.1.2 R", "Table: stores", ""),
        ("LMP 1.1.2 R, table", "", ""),
        ("LMP 1.1.2 R, table, row 1", "Store: Pier; Lamps: up to 9", ""),
        ("LMP 1.1.3 R", "A keeper must log it.", ""),
    ]
    assert document.sections[-1].parent_eid == "sec_1-1"


def test_sections_run_on_through_parts_with_and_without_divisions() -> None:
    """Each part keeps its divisions, and each division its sections, however many parts there are."""
    parts = [
        ("1", "", 2), ("2", "1", 5), ("2", "2", 1), ("3", "1", 3), ("3", "2", 1), ("3", "3", 4), ("5", "", 4),
        ("6", "", 4),
    ]  # fmt: skip
    printed: list[str] = []
    wanted: dict[str, str] = {}
    for part, division, count in parts:
        if division in ("", "1"):
            printed.append(f"Part {part}—Lamps of kind {part}")
        if division:
            printed.append(f"Division {division}—Oil of grade {division}")
        for number in range(len(wanted) + 1, len(wanted) + count + 1):
            printed += [f"{number} Wicks", "(1) A keeper must:", "(a) trim them; and", "(b) log it.", "(2) It is free."]
            wanted[f"sec_{number}"] = f"part_{part}" + (f"__part_{division}" if division else "")
    document = page("".join(f"<p>{text}</p>" for text in printed))
    assert {s.eid: s.parent_eid for s in document.sections if s.type == "section"} == wanted
