"""National XML of laws → the same law under the names of Akoma Ntoso.

The Crown Legislation Markup Language of the United Kingdom and the XML of Canada's Justice Laws nest what Akoma Ntoso
nests. Besides the names, some things differ: a heading may stand in front of the provision that it heads, or of all
that follows it; labels may lack the signs around them; a defined term is set apart by its type alone.
"""

from __future__ import annotations

import re
from itertools import takewhile

from lxml import etree

from antinomy.parse.labels import leading_labels
from antinomy.parse.markup import first_child, fold, local_name
from antinomy.text.numerals import numeral

#: Metadata, notes of editors on what was amended and when, what is no text.
_LEFT_OUT = (
    "Metadata", "Contents", "Commentaries", "CommentaryRef", "Versions", "Resources", "MarginNotes", "FootnoteRef",
    "Footnote", "RunningHead", "BillHistory", "HistoricalNote", "RecentAmendments", "ReaderNote", "Image",
    "ConsolidatedNumber", "AnnualStatuteId",
)  # fmt: skip
_NAMES = {
    # Crown Legislation Markup Language. A "Title" is a heading, except for the law's own.
    "PrimaryPrelims": "preface", "SecondaryPrelims": "preface", "EUPrelims": "preface", "Number": "num",
    "Pnumber": "num", "Title": "heading", "Part": "part", "Chapter": "chapter", "Pblock": "container",
    "PsubBlock": "container", "P1group": "container", "P2group": "container", "P3group": "container", "P1": "section",
    "P2": "subsection", "P3": "paragraph", "P4": "subparagraph", "P5": "clause", "P6": "subclause", "P7": "item",
    "Para": "block", "Text": "p", "ListItem": "item", "BlockAmendment": "quotedStructure", "Reference": "p",
    "EUTitle": "title", "EUPart": "part", "EUChapter": "chapter", "EUSection": "section", "EUSubsection": "section",
    "EUPreamble": "preamble", "Division": "level", "SignedSection": "signatures",
    "ExplanatoryNotes": "conclusions", "EarlierOrders": "conclusions",
    # Justice Laws.
    "Identification": "preface", "ShortTitle": "shortTitle", "LongTitle": "longTitle", "Label": "num",
    "TitleText": "heading", "MarginalNote": "heading", "Section": "section", "Subsection": "subsection",
    "Paragraph": "paragraph", "Subparagraph": "subparagraph", "Clause": "clause", "Subclause": "subclause",
    "Definition": "block", "Provision": "level", "Item": "item", "OriginatingRef": "p", "Note": "p",
    "SignatureBlock": "signatures", "AmendedText": "quotedStructure", "RelatedOrNotInForce": "conclusions",
    "entry": "td",
    # Both.
    "Schedule": "schedule",
}  # fmt: skip
#: Elements that have another name within one of these.
_WITHIN = {
    "P1": ("schedule", "paragraph"), "P2": ("article", "paragraph"), "P3": ("article", "point"),
    "Division": ("preamble", "recital"),
}  # fmt: skip
#: Headings of what stands behind them as far as the next one of their level, which these attributes have.
_LEVELS = {"Heading": "level", "GroupHeading": "format-ref"}
_QUOTES = {"double": ("“", "”"), "single": ("‘", "’")}


def rename(root: etree._Element) -> None:
    """Give the elements of a law the names and the order that they have in Akoma Ntoso."""
    etree.strip_elements(root, *(f"{{*}}{name}" for name in _LEFT_OUT), with_tail=False)
    elements = list(root.iter(etree.Element))
    for element in elements:
        name = local_name(element)
        if name in _LEVELS:
            _hold_what_follows(element)
        elif name in ("TitleBlock", "ScheduleFormHeading"):
            _move_out(element)
        elif name == "Identification":
            # The long title, which says what the law is for, stands in front of the one that it is known by.
            element[:] = sorted(element, key=lambda child: local_name(child) != "ShortTitle")
        elif re.fullmatch(r"P\dgroup", name):
            _head_provision(element)
        elif name == "Pnumber":
            _punctuate(element)
        elif name == "OrderedList":
            _count(element)
        elif name == "Provision":
            _number(element)
        elif name == "DefinedTermEn":
            _quote(element)
    for element in elements:
        _rename(element)


def _rename(element: etree._Element) -> None:
    name, above = local_name(element), element.getparent()
    if name == "BlockAmendment" and (quotes := _QUOTES.get(element.get("Format", ""))):
        element.set("startQuote", quotes[0])
        element.set("endQuote", quotes[1])
    if name == "Title" and above is not None and above.tag == "preface":
        element.tag = "docTitle"
    elif name in _WITHIN and next(element.iterancestors(_WITHIN[name][0]), None) is not None:
        element.tag = _WITHIN[name][1]
    elif name in _NAMES:
        element.tag = _NAMES[name]


def _hold_what_follows(heading: etree._Element) -> None:
    """Put into a heading what it heads; it is a part if it has a label, else a group of provisions."""
    name, level = local_name(heading), _level(heading)
    after = list(takewhile(lambda one: local_name(one) != name or _level(one) > level, heading.itersiblings()))
    title = first_child(heading, "TitleText")
    printed = _text(title) if title is not None else ""
    mark = next(iter(leading_labels(printed)), None)
    if first_child(heading, "Label") is not None:
        heading.tag = "part"
    elif title is not None and mark is not None and mark.number:
        # A heading that prints its number: 4.2 Identifying Purposes.
        heading.tag = "level"
        title[:], title.text = [], printed[mark.end :]
        etree.SubElement(heading, "num").text = mark.printed
    else:
        heading.tag = "container"
    heading.extend(after)


def _level(heading: etree._Element) -> int:
    digit = re.search(r"\d", heading.get(_LEVELS[local_name(heading)]) or "")
    return int(digit[0]) if digit else 1


def _move_out(element: etree._Element) -> None:
    """Put what an element holds in front of it: the number and headings of a schedule."""
    for child in list(element):
        element.addprevious(child)


def _head_provision(group: etree._Element) -> None:
    """Put the title in front of a provision into it; the title of several sections is their group's."""
    title = first_child(group, "Title")
    inner = [child for child in group if re.fullmatch(r"P\d", local_name(child))]
    if title is not None and inner and (len(inner) == 1 or local_name(group) != "P1group"):
        inner[0].insert(0, title)


def _punctuate(number: etree._Element) -> None:
    """Put the signs around a number that print puts there: 4, but (1) and (a) below it. An article names itself."""
    printed, above = _text(number), number.getparent()
    signs = [number.get(name) for name in ("PuncBefore", "PuncAfter")]
    if above is not None and local_name(above) == "P1":
        above.tag = "article" if printed.startswith("Article ") else above.tag
    elif signs == [None, None] and printed.isalnum():
        signs = ["(", ")"]
    number[:], number.text = [], f"{signs[0] or ''}{printed}{signs[1] or ''}"


def _count(counted: etree._Element) -> None:
    """Give the items of a counted list their numbers."""
    kind = counted.get("Type", "")
    items = (child for child in counted if local_name(child) == "ListItem")
    for place, item in enumerate(items, start=1):
        label = etree.Element("num")
        label.text = f"({item.get('NumberOverride') or numeral(place, kind)})"
        item.insert(0, label)


def _number(provision: etree._Element) -> None:
    """Tell the number of a provision that prints it as a text of its own."""
    first = next(iter(provision), None)
    text = _text(first) if first is not None and local_name(first) == "Text" else ""
    marks = leading_labels(text)
    if first is not None and marks and marks[-1].end >= len(text):
        first[:], first.text, first.tag = [], text, "num"


def _quote(term: etree._Element) -> None:
    """Put a term that is defined between quotation marks, as where it is set apart by them."""
    above = term.getparent()
    if above is not None and term.getprevious() is None and not (above.text or "").strip():
        term[:], term.text = [], f"“{_text(term)}”"


def _text(element: etree._Element) -> str:
    return fold("".join(map(str, element.itertext())))
