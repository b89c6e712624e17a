"""The footnotes of a web page: the blocks, wherever they stand, that raised numbers in its text link to."""

from __future__ import annotations

import re

from lxml import etree

from antinomy.parse.labels import leading_labels
from antinomy.parse.markup import BLOCKS, HEADINGS, fold, inline_text, is_raised, remove
from antinomy.text.typography import LOWER, RAISE, RAISED_DIGITS

_BRACKETED = re.compile(r"\[(?:FN)?(\d{1,3})\]")
_NUMBER = re.compile(r"[\[(]?(?:FN)?(\d{1,3})[\])]?")
_NOTE_ROLES = frozenset({"doc-footnote", "doc-endnote"})
#: The number that a note prints, and what leads back from it.
_PRINTED = re.compile(rf"^[\[(]?(?:\d{{1,3}}|[{RAISED_DIGITS}]{{1,3}})[\])]?[.:]?\s+")
_BACK = re.compile(r"\W{0,3}|(?:back|return|jump)\b.{0,40}", re.IGNORECASE)


def take_notes(body: etree._Element) -> list[str]:
    """Take the footnotes out of a page and mark the places in its text that refer to them.

    Args:
        body: of the page; in it marks become ``(¹)``, and the notes go.

    Returns:
        The notes in the order of their numbers, ``(¹) text`` each.
    """
    order = {element: at for at, element in enumerate(body.iter())}
    named = {name: element for element in order for key in ("id", "name") if (name := element.get(key))}
    notes: dict[etree._Element, str] = {}
    marks: list[tuple[etree._Element, str]] = []
    for link in body.iter("a"):
        found = _NUMBER.fullmatch(inline_text(link).translate(LOWER))
        target = named.get((link.get("href") or "#").removeprefix("#"))
        if found is None or target is None or order[target] < order[link]:
            continue
        block, number = _block(target), found[1]
        if _refers(link, block) and link not in block.iterdescendants() and notes.get(block, number) == number:
            notes[block] = number
            marks.append((link, number))
    for link, number in marks:
        for child in list(link):
            link.remove(child)
        mark = f"({number.translate(RAISE)})"
        link.text = ""
        block = next((above for above in link.iterancestors() if above.tag in BLOCKS), body)
        # Before the number of a provision it would look like that of a note.
        before_number = inline_text(block).startswith((link.tail or "-").strip()) and leading_labels(link.tail or "")
        if before_number:
            link, block[-1].tail = block[-1], f"{block[-1].tail or ''}{mark}"
        else:
            link.text = mark
    texts = [(number, _text(block)) for block, number in notes.items()]
    for block in notes:
        _remove_with_frame(block, body)
    return [f"({number.translate(RAISE)}) {text}" for number, text in sorted(texts, key=lambda n: int(n[0])) if text]


def _block(target: etree._Element) -> etree._Element:
    """Return the block that an anchor names or stands in; of a list the item."""
    found = next((e for e in (target, *target.iterancestors()) if e.tag in BLOCKS), target)
    item = next((above for above in found.iterancestors() if above.tag in ("li", "tr")), None)
    return item if item is not None and inline_text(item) == inline_text(found) else found


def _refers(link: etree._Element, block: etree._Element) -> bool:
    """Tell whether a link is a footnote's mark: raised, in square brackets, or led back to by its note."""
    if block.tag in ("body", "table", "ol", "ul", *HEADINGS):
        return False
    if link.get("role") == "doc-noteref" or block.get("role") in _NOTE_ROLES:
        return True
    near = [*list(link.iterancestors())[:1], *link.iter()]
    if any(map(is_raised, near)) or _BRACKETED.fullmatch(inline_text(link)):
        return True
    names = {name for e in near for key in ("id", "name") if (name := e.get(key))}
    return any((back.get("href") or "").removeprefix("#") in names for back in block.iter("a"))


def _text(block: etree._Element) -> str:
    """Return a note's words without its number and without the links that lead back."""
    for link in list(block.iter("a")):
        if (link.get("href") or "").startswith("#") and _BACK.fullmatch(inline_text(link)):
            remove(link)
    return _PRINTED.sub("", inline_text(block))


def _remove_with_frame(block: etree._Element, body: etree._Element) -> None:
    """Remove a note, and what held nothing but notes and their heading."""
    while True:
        parent = block.getparent()
        remove(block)
        if parent is None or parent is body or parent.tag == "body":
            return
        headings = [inline_text(heading) for heading in parent.iter(*HEADINGS)]
        if inline_text(parent) != fold(" ".join(headings)) or any(map(leading_labels, headings)):
            # A provision that was repealed has nothing but its number and a note.
            return
        block = parent
