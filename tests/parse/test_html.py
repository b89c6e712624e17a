"""HTML other than today's Official Journal: without ids, consolidated, or anybody's page."""

from __future__ import annotations

import pytest

from antinomy.parse import parse_document, read
from antinomy.parse.model import ParsedDocument
from antinomy.settings.source import Source


def parse(body: str) -> ParsedDocument:
    page = f"<!DOCTYPE html><html><head><title>x</title></head><body>{body}</body></html>"
    return parse_document(Source("x", "x.html", "eu"), page.encode())


def tree(document: ParsedDocument) -> dict[str, str]:
    return {section.eid: section.heading or section.text for section in document.sections}


def test_consolidated_act() -> None:
    document = parse("""
        <p class="reference">02040R0077 — EN — 01.01.2042</p>
        <p class="disclaimer">This text is meant purely as a documentation tool.</p>
        <table><tr><td><p class="arrow">►B</p></td>
          <td><p class="title-doc-first">REGULATION (EU) 2040/77</p></td></tr></table>
        <p class="hd-modifiers">Amended by:</p>
        <p class="arrow">▼B</p>
        <p class="title-doc-first">REGULATION (EU) 2040/77</p>
        <p class="title-doc-last">on the keeping of lighthouses</p>
        <div id="cpt_I"><p class="title-division-1">CHAPTER I</p><p class="title-division-2">GENERAL</p>
        <div class="eli-subdivision" id="art_1">
          <p class="title-article-norm">Article 1</p>
          <div class="eli-title"><p class="stitle-article-norm"><b>►M2</b> Lights<b> ◄ </b></p></div>
          <div class="norm"><span class="no-parag">1.  </span><div class="norm inline-element">A light shall be:
            <div class="grid-container grid-list"><div class="list grid-list-column-1"><span>(a)&#160;</span></div>
              <div class="grid-list-column-2">
                <p class="norm">white <a href="#E1">(<span class="superscript">1</span>)</a>; or</p>
                <div class="grid-container grid-list"><div class="grid-list-column-1"><span>(i)</span></div>
                <div class="grid-list-column-2"><p class="norm">grey;</p></div></div></div></div>
            <div class="grid-container grid-list"><div class="grid-list-column-1"><span>(b)</span></div>
              <div class="grid-list-column-2"><p class="norm">red.</p></div></div></div></div>
          <p class="modref">▼M1</p>
          <div class="norm"><span class="no-parag">2.  </span>
            <div class="norm inline-element">►M1 A light shall turn. ◄</div></div>
        </div>
        <div class="eli-subdivision" id="art_1a"><p class="title-article-norm">Article 1a</p>
          <p class="norm">Horns are loud.</p></div>
        </div>
        <div id="anx_II"><p class="title-annex-1">ANNEX II</p><p class="title-annex-2">FORMS</p>
          <p class="norm">One form.</p></div>
        <p class="footnote"><a href="#src.E1">(<span class="superscript">1</span>)</a>  Snow white.</p>
    """)
    assert tree(document) == {
        "title": "REGULATION (EU) 2040/77 on the keeping of lighthouses",
        "chp_I": "GENERAL",
        "art_1": "Lights",
        "art_1__para_1": "A light shall be:",
        "art_1__para_1__point_a": "white; or",
        "art_1__para_1__point_a__point_i": "grey;",
        "art_1__para_1__point_b": "red.",
        "art_1__para_2": "A light shall turn.",
        "art_1a": "Horns are loud.",
        "anx_II": "FORMS",
        "fn_1": "Snow white.",
    }
    assert document.sections[-1].label == "Footnote 1 to Article 1(1), point (a)"


def test_official_journal_before_it_had_ids() -> None:
    document = parse("""
        <p class="doc-ti">REGULATION (EU) 2010/7</p>
        <p class="ti-section-1">CHAPTER I</p><p class="ti-section-2">GENERAL</p>
        <p class="ti-art">Article 1</p><p class="sti-art">Lights</p>
        <p class="normal">1.   A light shall be:</p>
        <table><tr><td><p class="normal">(a)</p></td><td><p class="normal">white;</p></td></tr></table>
        <p class="normal">It shall turn.</p>
        <p class="ti-art">Article 2</p><p class="normal">Horns are loud.</p>
        <p class="doc-ti">ANNEX</p><p class="ti-grseq-1">Forms</p><p class="normal">One form.</p>
    """)
    assert tree(document) == {
        "title": "REGULATION (EU) 2010/7",
        "chp_I": "GENERAL",
        "art_1": "Lights",
        "art_1__para_1": "A light shall be:",
        "art_1__para_1__point_a": "white;",
        "art_1__para_1__subpara_2": "It shall turn.",
        "art_2": "Horns are loud.",
        "anx": "Forms",
    }
    assert document.coverage == 1.0


def test_the_preamble_and_the_end_of_an_act_that_has_no_ids() -> None:
    recital = '<table><tr><td><p class="normal">({})</p></td><td><p class="normal">{}</p></td></tr></table>'
    document = parse(f"""
        <p class="doc-ti">COMMISSION REGULATION (EU) 2010/7</p><p class="doc-ti">on lights</p>
        <p class="normal">(Text with EEA relevance)</p>
        <p class="normal">THE EUROPEAN COMMISSION,</p>
        <p class="normal">Having regard to the Treaty on Lights,</p>
        <p class="normal">Whereas:</p>
        {recital.format(1, "Lights are rare.")}{recital.format(2, "Horns are not.")}
        <p class="normal">HAS ADOPTED THIS REGULATION:</p>
        <p class="ti-art">Article 1</p><p class="normal">Lights shall be white.</p>
        <p class="normal">This Regulation shall be binding in its entirety and directly applicable.</p>
        <p class="normal">Done at Brussels, 3 May 2010.</p>
    """)
    assert tree(document) == {
        "title": "COMMISSION REGULATION (EU) 2010/7 on lights (Text with EEA relevance)",
        "preamble": "THE EUROPEAN COMMISSION,\nWhereas:\nHAS ADOPTED THIS REGULATION:",
        "cit_1": "Having regard to the Treaty on Lights,",
        "rec_1": "Lights are rare.",
        "rec_2": "Horns are not.",
        "art_1": "Lights shall be white.",
        "concl": "This Regulation shall be binding in its entirety and directly applicable.\n"
        "Done at Brussels, 3 May 2010.",
    }
    assert document.coverage == 1.0


def test_an_act_saved_with_the_page_around_it() -> None:
    document = parse("""
        <div><nav><ul><li><a href="#art_1">Article 1</a></li></ul></nav><p class="title">Document 32040R0009</p></div>
        <div id="docHtml"><table><tr><td><p class="oj-hd-ti">Official Journal</p></td></tr></table>
        <div class="eli-container"><div id="tit_1"><p class="oj-doc-ti">REGULATION (EU) 2040/9</p></div>
        <div id="art_1"><p class="oj-ti-art">Article 1</p><p class="oj-normal">Lamps are lit as Table 1 says.</p></div>
        </div>
        <div class="eli-container" id="anx_1"><p class="oj-doc-ti">ANNEX</p>
        <p class="oj-ti-tbl">Table 1</p><p class="oj-ti-tbl">Lamps</p>
        <table class="oj-table"><tr><td><p class="oj-tbl-txt">Oil</p></td><td><p class="oj-tbl-txt">Dusk</p></td></tr>
        </table></div>
        <p class="oj-normal">ELI: http://data.europa.eu/eli/reg/2040/9/oj</p>
        <p class="oj-normal">ISSN 1977-0677 (electronic edition)</p></div>
        <div class="footer"><p>Managed by the Publications Office</p><ul><li>Legal notice</li></ul></div>
    """)
    assert tree(document) == {
        "title": "REGULATION (EU) 2040/9",
        "art_1": "Lamps are lit as Table 1 says.",
        "anx": "",
        "anx__table_1": "Lamps",
    }
    assert document.sections[-1].text == "Oil | Dusk"
    assert document.coverage == 1.0


def test_the_parts_of_an_annex_hold_its_points() -> None:
    point = '<table><tr><td><p class="oj-normal">1.</p></td><td><p class="oj-normal">{}</p></td></tr></table>'
    document = parse(f"""
        <div class="eli-main-title" id="tit_1"><p class="oj-doc-ti">REGULATION (EU) 2040/8</p></div>
        <div class="eli-subdivision" id="art_1"><p class="oj-ti-art">Article 1</p>
        <p class="oj-normal">Oil is listed in Part B of the Annex.</p></div>
        <div class="eli-container" id="anx_1"><p class="oj-doc-ti">ANNEX</p>
        <p class="oj-ti-grseq-1"><span class="oj-bold">PART A</span></p><p class="oj-ti-grseq-1">Lamps</p>
        {point.format("Lanterns.")}
        <p class="oj-ti-grseq-1"><span class="oj-bold">PART B</span></p><p class="oj-ti-grseq-1">Oil</p>
        {point.format("Whale oil.")}</div>
    """)
    assert tree(document) == {
        "title": "REGULATION (EU) 2040/8",
        "art_1": "Oil is listed in Part B of the Annex.",
        "anx": "",
        "anx__part_A": "Lamps",
        "anx__part_A__point_1": "Lanterns.",
        "anx__part_B": "Oil",
        "anx__part_B__point_1": "Whale oil.",
    }


def test_tables_and_lists_belong_to_the_block_that_announces_them() -> None:
    point = '<table><tr><td><p class="oj-normal">{}</p></td><td><p class="oj-normal">{}</p></td></tr></table>'
    rows = "".join(
        f"<tr><td><p>{one}</p></td><td><p>{other}</p></td></tr>" for one, other in (("Oil", "I"), ("Gas", "II"))
    )
    document = parse(f"""
        <div id="tit_1"><p class="oj-doc-ti">REGULATION (EU) 2040/10</p></div>
        <div id="pbl_1"><p class="oj-normal">Whereas:</p>
        <div id="rct_1">{point.format("(1)", "Lamps:")}
        {point.format("(a)", "burn;")}{point.format("—", "smoke.")}</div></div>
        <div id="art_1"><p class="oj-ti-art">Article 1</p><div id="001.001">
        <p class="oj-normal">1.   Lamps have these classes:</p><table class="oj-table">{rows}</table>
        <p class="oj-normal">No other lamp shall be lit.</p></div></div>
    """)
    assert tree(document) == {
        "title": "REGULATION (EU) 2040/10",
        "preamble": "Whereas:",
        "rec_1": "Lamps:\n(a) burn;\nsmoke.",
        "art_1": "",
        "art_1__para_1": "Lamps have these classes:\nOil | I\nGas | II",
        "art_1__para_1__subpara_2": "No other lamp shall be lit.",
    }


@pytest.mark.parametrize("caption", ["Table 1 Hours of lamps", "Hours of lamps"])
def test_the_points_of_an_annex_go_on_behind_a_table(caption: str) -> None:
    """The table's title may stand behind its number with a blank alone, and its rows may have numbers of their own."""
    point = '<table><tr><td><p class="oj-normal">{}</p></td><td><p class="oj-normal">{}</p></td></tr></table>'
    rows = "".join(
        f'<tr><td><p class="oj-tbl-txt">{one}</p></td><td><p class="oj-tbl-txt">{other}</p></td></tr>'
        for one, other in (("No", "Lamp"), ("1.", "Oil"), ("2.", "Gas"), ("3.", "Wax"))
    )
    document = parse(f"""
        <div id="tit_1"><p class="oj-doc-ti">REGULATION (EU) 2040/13</p></div>
        <div id="art_1"><p class="oj-ti-art">Article 1</p><p class="oj-normal">Lamps are lit.</p></div>
        <div id="anx_I"><p class="oj-doc-ti">ANNEX I</p><p class="oj-ti-grseq-1">HOURS</p>
        {point.format("1.", "Lamps burn from dusk.")}{point.format("2.", "Lamps are these:")}
        <p class="oj-ti-tbl">{caption}</p><table class="oj-table">{rows}</table>
        {point.format("3.", "Hours are counted from noon.")}{point.format("4.", "Nights are short.")}</div>
    """)
    found = tree(document)
    assert {eid: text for eid, text in found.items() if eid.startswith("anx_I__point")} == {
        "anx_I__point_1": "Lamps burn from dusk.",
        "anx_I__point_2": "Lamps are these:",
        "anx_I__point_3": "Hours are counted from noon.",
        "anx_I__point_4": "Nights are short.",
    }
    assert found.get("anx_I__table_1") == ("Hours of lamps" if caption.startswith("Table") else None)
    assert "Wax" in " ".join(section.text for section in document.sections)


def test_the_outline_of_an_annex_with_instructions() -> None:
    point = '<table><tr><td><p class="oj-normal">{}</p></td><td><p class="oj-normal">{}</p></td></tr></table>'
    document = parse(f"""
        <div id="tit_1"><p class="oj-doc-ti">REGULATION (EU) 2040/11</p></div>
        <div id="art_1"><p class="oj-ti-art">Article 1</p><p class="oj-normal">Lamps are reported.</p></div>
        <div id="anx_I"><p class="oj-doc-ti">ANNEX I</p><p class="oj-ti-grseq-1">REPORTS</p>
        <p class="oj-ti-grseq-1"><span class="oj-bold">PART 1:</span> INSTRUCTIONS</p>
        <p class="oj-ti-grseq-1">1.   Form</p>{point.format("1.1.", "Write in ink.")}
        <p class="oj-ti-grseq-1">2.   Dates</p><p class="oj-normal">1.   Keepers date:</p>
        {point.format("(a)", "reports;")}{point.format("(b)", "notes.")}<p class="oj-normal">2.   Days count.</p>
        <p class="oj-ti-grseq-1">Section A</p><p class="oj-ti-grseq-1">Signs</p><p class="oj-normal">Red.</p></div>
    """)
    assert tree(document) == {
        "title": "REGULATION (EU) 2040/11",
        "art_1": "Lamps are reported.",
        "anx_I": "REPORTS",
        "anx_I__part_1": "INSTRUCTIONS",
        "anx_I__part_1__hd_1-form": "1. Form",
        "anx_I__part_1__hd_1-form__point_1-1": "Write in ink.",
        "anx_I__part_1__hd_2-dates": "2. Dates",
        "anx_I__part_1__hd_2-dates__point_1": "Keepers date:",
        "anx_I__part_1__hd_2-dates__point_1__point_a": "reports;",
        "anx_I__part_1__hd_2-dates__point_1__point_b": "notes.",
        "anx_I__part_1__hd_2-dates__point_2": "Days count.",
        "anx_I__part_1__sec_A": "Signs",
    }
    assert document.coverage == 1.0


def test_all_headings_of_a_consolidated_annex() -> None:
    document = parse("""
        <p class="title-doc-first">REGULATION (EU) 2040/12</p>
        <div id="art_1"><p class="title-article-norm">Article 1</p><p class="norm">Lamps are lit.</p></div>
        <div id="anx_I"><p class="title-annex-1">ANNEX I</p><p class="title-annex-2">LAMPS</p>
        <p class="title-gr-seq-level-1">PART A – OIL</p><p class="title-gr-seq-level-3">1. Jars</p>
        <p class="norm">Jars are shut.</p><p class="title-gr-seq-level-4">Lids</p><p class="norm">Lids fit.</p></div>
    """)
    assert tree(document) == {
        "title": "REGULATION (EU) 2040/12",
        "art_1": "Lamps are lit.",
        "anx_I": "LAMPS",
        "anx_I__part_A": "OIL",
        "anx_I__part_A__hd_1-jars": "1. Jars",
        "anx_I__part_A__hd_lids": "Lids",
    }
    assert [section.text for section in document.sections[-2:]] == ["Jars are shut.", "Lids fit."]


def test_anybodys_page() -> None:
    document = parse("""
        <nav>Home</nav><h1>REGULATION (EU) 2040/77</h1><script>Article 9</script>
        <div>HAVE ADOPTED THIS REGULATION:</div>
        <h2>Article 1</h2><h3>Lights</h3>
        <div>1. A light shall be:<ul><li>(a) white;</li><li>(b) red.</li></ul></div><p>2. It <b>shall</b> turn.</p>
    """)
    assert tree(document) == {
        "title": "REGULATION (EU) 2040/77",
        "preamble": "HAVE ADOPTED THIS REGULATION:",
        "art_1": "Lights",
        "art_1__para_1": "A light shall be:",
        "art_1__para_1__point_a": "white;",
        "art_1__para_1__point_b": "red.",
        "art_1__para_2": "It shall turn.",
    }


_TEXT = (
    "<h2>1. Lights</h2><p>1.1 A light is white.</p><p>1.2 It follows these:</p>"
    "<ul><li><a href='/a'>Order 1</a></li><li><a href='/b'>Order 2</a></li></ul>"
    "<h2>2. Horns</h2><p>2.1 A horn is loud.</p><p>2.2 It is tested.</p>"
)
_HEADER = "<header><p>Bank of the Coast</p><ul><li><a href='/'>Home</a></li></ul>{}</header>"
_BEHIND = "<aside><p>News: a new beacon.</p></aside><footer><p>1. Terms of use</p><p>Bank of the Coast</p></footer>"
_LINKS = "<h2>Related pages</h2><ul><li><a href='/c'>Guide to lamps</a></li><li><a href='/d'>Fees</a></li></ul>"


@pytest.mark.parametrize(
    "page",
    [
        f"{_HEADER.format('')}<main><h1>Notice 7</h1>{_TEXT}<button>Share</button></main>{_BEHIND}",
        f"{_HEADER.format('<h1>Notice 7</h1>')}<main>{_TEXT}</main>{_BEHIND}",
        f"{_HEADER.format('<h1>Notice 7</h1>')}<div>{_TEXT}</div>{_BEHIND}",
        f"<div role='banner'><p>Bank</p></div><article><header><h1>Notice 7</h1></header>{_TEXT}</article>{_BEHIND}",
        f"<p><a href='#c'>Skip to content</a></p><p><a href='/'>Home</a></p><h1>Notice 7</h1>{_TEXT}"
        f"<p>Last updated: 3 May 2031</p><p>Share this page</p>{_LINKS}<p><a href='#'>Back to top</a></p>",
    ],
)
def test_what_stands_around_the_text_of_a_page_is_none_of_its_provisions(page: str) -> None:
    content = read("text/html", f"<html><body>{page}</body></html>".encode())
    assert [line.text for line in content.lines] == [
        "Notice 7", "1. Lights", "1.1 A light is white.", "1.2 It follows these:", "• Order 1", "• Order 2",
        "2. Horns", "2.1 A horn is loud.", "2.2 It is tested.",
    ]  # fmt: skip


def test_a_page_that_ends_with_a_list_of_links_keeps_it() -> None:
    page = b"<html><body><h1>Notice 7</h1><p>It replaces:</p><ul><li><a href='/a'>Order 1</a></li></ul></body></html>"
    assert [line.text for line in read("text/html", page).lines] == ["Notice 7", "It replaces:", "\u2022 Order 1"]


def test_headings_of_a_page_are_bookmarks() -> None:
    content = read(
        "text/html", b"<html><body><h1>Lights</h1><p>One.</p><h2>Horns</h2>text <p>in between</p></body></html>"
    )
    assert [(e.title, e.level) for e in content.outline] == [("Lights", 0), ("Horns", 1)]
    assert [line.text for line in content.lines] == ["Lights", "One.", "Horns", "text", "in between"]
    assert [e.y for e in content.outline] == [content.lines[0].y, content.lines[2].y]


def test_a_row_has_the_number_that_begins_one_of_its_cells() -> None:
    """As a catalogue of controls has it, whose first columns group the rows."""
    rows = "".join(
        f"<tr><td>{group}</td><td>KE.LA-0{n}: Lamps of kind {n} are kept.</td><td>Log {n}</td></tr>"
        for n, group in enumerate(("Keeping (KE)", "", "", ""), 1)
    )
    document = parse(f"<h1>Lamps</h1><table><tr><th>Group</th><th>Outcome</th><th>Proof</th></tr>{rows}</table>")
    found = {s.number: s.text for s in document.sections if s.number}
    assert found["KE.LA-01"] == "Group: Keeping (KE); Outcome: Lamps of kind 1 are kept.; Proof: Log 1"
    assert list(found) == ["KE.LA-01", "KE.LA-02", "KE.LA-03", "KE.LA-04"]


def test_what_is_struck_through_is_deleted() -> None:
    """By a tag, a style or a style sheet; of a provision that is withdrawn the number stays."""
    page = """<style>.gone, p.old { text-decoration: line-through; }</style>
    <h2>1 Lamps</h2>
    <p>1.1 A lamp burns <del>all day</del><ins>at night</ins>.</p>
    <p>1.2 A keeper <span style="color:red; text-decoration:line-through">may</span> <u>must</u> trim the wick.</p>
    <p><s>1.4</s> <u>1.3</u> Oil is kept <span class="gone">in the loft</span> below.</p>
    <p class="old">1.5 A keeper wears a hat.</p>
    <p><strike>1.4</strike> Withdrawn.</p>"""
    printed = [line.text for line in read("text/html", f"<html><body>{page}</body></html>".encode()).lines]
    assert printed == [
        "1 Lamps",
        "1.1 A lamp burns at night.",
        "1.2 A keeper must trim the wick.",
        "1.3 Oil is kept below.",
        "1.4 Withdrawn.",
    ]


def test_a_box_is_read_as_its_paragraphs() -> None:
    page = (
        "<h1>Lamp Rules</h1><table><tr><td><p>At a glance</p><p>It is dark.</p></td></tr></table>"
        + "".join(f"<p>{n}. A keeper shall light lamp {n}.</p>" for n in range(1, 5))
    ).encode()
    assert [line.text for line in read("text/html", page).lines][1:3] == ["At a glance", "It is dark."]


def test_a_column_of_provisions_does_not_number_the_rows() -> None:
    """As a table of tasks has it: who does what the sections named demand."""
    text = "".join(f"<p>{n}.{k} A keeper does task {n}{k}.</p>" for n in (1, 2) for k in (1, 2, 3))
    head = "<tr><th>Task</th><th>Section</th><th>Keeper</th></tr>"
    for named, wanted in ((("2.1", "1.2", "2.3"), []), (("4.1", "4.2", "5.1"), ["4.1", "4.2", "5.1"])):
        rows = "".join(f"<tr><td>Task {n}</td><td>{number}</td><td>A</td></tr>" for n, number in enumerate(named))
        document = parse(f"<h1>Lamps</h1>{text}<table>{head}{rows}</table>")
        table = [s for s in document.sections if s.parent_eid.endswith("table_1")]
        assert [s.number for s in table if s.number] == wanted
        assert table[0].text == (
            f"Task: Task 0; Section: {named[0]}; Keeper: A" if not wanted else "Task: Task 0; Keeper: A"
        )
