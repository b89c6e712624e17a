"""Texts of which no blank line sets the provisions apart, in ways of numbering that the manuscripts do not have."""

from __future__ import annotations

from antinomy.parse import parse_document
from antinomy.settings.source import Source


def _parents(text: str) -> dict[str, str]:
    document = parse_document(Source("text", "text.txt", "any"), text.encode())
    return {section.eid: section.parent_eid for section in document.sections}


def test_items_of_a_list_that_goes_on_in_full_lines() -> None:
    parents = _parents(
        "Order on Lamps\n\n\u00a7 1 Organisation\n"
        "(1) A harbour shall have a proper organisation. It comprises in particular\n1. rules on access,\n"
        "2. the keeping of a register of all the lamps of the harbour that shows\na) the owner of each lamp, and\n"
        "b) its height over the water,\naa) at high water, or\nbb) at low water,\n"
        "3. checks of the lamps.\n(2) A harbour shall have the lamps checked once a year, as is said in paragraph\n"
        "(1) above.\n\n\u00a7 2 Fees\n(1) A harbour may ask for a fee.\n(2) The fee is paid once a year.\n"
    )
    ends = {eid.rpartition("__")[2]: parent.rpartition("__")[2] for eid, parent in parents.items()}
    assert [ends[item] for item in ("point_a", "point_b")] == ["point_2", "point_2"]
    assert [ends[item] for item in ("point_aa", "point_bb")] == ["point_b", "point_b"]
    assert "sec_1__para_2" in parents
    assert "sec_1__para_3" not in parents


def test_the_sign_of_a_section_may_follow_its_number() -> None:
    parents = _parents(
        "Rules on Boats\n\nChapter 1 Scope\n\n1 \u00a7 These rules apply to harbours.\n\n"
        "Chapter 2 Duties\n\n1 \u00a7 A harbour shall keep\n1. a register, and\n2. a log.\n\n"
        "2 \u00a7 Moorings shall be checked.\n\n2 a \u00a7 Larger harbours shall check them daily.\n"
    )
    sections = {eid: parent for eid, parent in parents.items() if "sec_" in eid.rpartition("__")[2]}
    assert sections == {
        "chp_1__sec_1": "chp_1", "chp_2__sec_1": "chp_2", "chp_2__sec_2": "chp_2", "chp_2__sec_2a": "chp_2",
    }  # fmt: skip


def test_lists_of_a_page_count_as_its_style_sheet_says() -> None:
    page = (
        "<html><head><style>ol, ul { list-style: none } ol.big { list-style-type: upper-roman }"
        " .big > li > ol { list-style: lower-alpha inside }</style></head><body><h1>Order on lamps</h1>"
        "<h2>Article 1</h2><ol class='big'><li>A keeper shall keep:<ol><li>oil;</li><li>wicks.</li></ol></li>"
        "<li>Lamps shall be clean.</li></ol><h2>Article 2</h2><ol><li>Fees are paid.</li><li>They are low.</li></ol>"
        "</body></html>"
    )
    document = parse_document(Source("text", "text.html", "any"), page.encode())
    assert [section.number for section in document.sections if section.number] == [
        "1",
        "I",
        "a",
        "b",
        "II",
        "2",
        "1",
        "2",
    ]


def test_a_line_that_ends_within_a_phrase_heads_nothing() -> None:
    text = (
        "Rules on Lamps\n\nSection 1 Keepers\n"
        "(a) A keeper that buys a lamp from a harbour outside the bay of Arden has\n"
        "(1) a month to meet sections 2(b) and (c) of this\nPart; and\n(2) a year to meet section 3.\n"
        "(b) Each other keeper of a lamp in the bay shall meet every section on the day it buys.\n"
    )
    document = parse_document(Source("text", "text.txt", "any"), text.encode())
    texts = {section.eid.rpartition("para_")[2]: section.text for section in document.sections}
    assert texts["a__point_1"] == "a month to meet sections 2(b) and (c) of this Part; and"
