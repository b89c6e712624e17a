"""Resolves "this Part", "the previous rule", "paragraph one" in a document with continuous numbers.

What they mean depends on where they are said: on what stands around the citation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import takewhile

from antinomy.cite.corpus import Tree
from antinomy.cite.levels import BACK_MATTER, DIVISIONS, MEANINGS, PARAGRAPHS, PROVISIONS
from antinomy.cite.model import Step
from antinomy.cite.resolve import Target, describe, one_of

#: The label of a section with its number in a code: "Section 930.2"; "Section 2" may be a regulation.
_CODED_SECTION = re.compile(r"(?:.*, )?(?:§ ?|Section |Sec\. )\d+[.-]\d")
#: The number of a section that Minnesota calls a part.
_PART = re.compile(r"[0-9]{4}-[0-9]{4}")
#: The document itself.
WHOLE = Target("", "exact")
OF_CODE = Target("", "external", "a title of a code that holds this document")
_SUBCHAPTER = re.compile(r"(?:.*, )?Subchapter ")


def this_place(tree: Tree, step: Step, here: str) -> list[Target]:
    """Find "this section": what around the citation a text calls so, or the whole document."""
    if step.level == "title":
        return [Target(found, "exact") if (found := tree.title_around(here)) else OF_CODE]
    if step.level == "section" and (found := _section_around(tree, here)):
        return [Target(found, "exact")]
    if step.level == "section" and not next(provisions(tree), "") and (found := _outermost(tree, tree.lineage(here))):
        # The outermost numbers are sections, or paragraphs (a) of the one section that the text is.
        alone = tree.is_outermost(found) and tree.labels[found].endswith(")")
        return [WHOLE if alone else Target(found, "exact")]
    if step.level == "paragraph" and (found := tree.paragraph_of_schedule(here)):
        return [Target(found, "exact")]
    if step.level == "subsection":
        # It is what the section is divided into, whatever it is divided into itself.
        inside = takewhile(lambda eid: tree.types[eid] not in (*PROVISIONS, *BACK_MATTER), tree.lineage(here))
        if (found := _outermost(tree, inside)) and (section := tree.enclosing(here, *PROVISIONS)):
            # Or 6.2 in section 6, whose paragraphs are 6.2.1 and 6.2.2.
            return [Target(section if is_rule(tree, found) and is_rule(tree, section) else found, "exact")]
    if step.level == "regulation":
        section = _section_around(tree, here)
        if section and _CODED_SECTION.match(tree.labels[section]):
            # In a code, whose provisions are called sections, it is the document.
            return [WHOLE]
    if step.level in ("rule", "regulation"):
        # In a rulebook everything with a number like 2.3.4 is a rule.
        found = next((eid for eid in tree.lineage(here) if tree.types[eid] == "rule" or is_rule(tree, eid)), "")
        if found:
            return [Target(found, "exact")]
    if step.level in ("chapter", "subchapter") and (found := _chapter_around(tree, here, step.level)):
        return [Target(found, "exact")]
    chapters = [bool(_SUBCHAPTER.match(tree.labels[eid])) for eid in tree.of_type("chapter")]
    if step.level == "chapter" and len(chapters) > 1 and all(chapters):
        # It is the document that has the subchapters.
        return [WHOLE]
    if step.level == "subpart" and not tree.of_type("subpart") and (found := tree.enclosing(here, "subsection")):
        return [Target(found, "exact")]
    if step.level == "part" and (section := tree.enclosing(here, "section")) and _PART.fullmatch(tree.number(section)):
        return [Target(section, "exact")]
    if step.level == "paragraph" and (found := tree.paragraph_around(here)):
        # A point of it may hold the citation.
        return [Target(found, "exact")]
    meanings = MEANINGS.get(step.level, ((step.level,),)) if step.level != "subchapter" else ()
    for types in meanings[:1] if step.level in DIVISIONS else meanings:
        if found := tree.enclosing(here, *types):
            return [Target(found, "exact")]
    if step.level == "chapter" and (found := next((eid for eid in tree.lineage(here) if eid in tree.chapters), "")):
        return [Target(found, "exact")]
    if step.level == "part" and tree.root and not tree.of_type("part"):
        # A rulebook's Part that is a document of its own.
        return [Target(tree.root, "exact")]
    parts = [eid for eid in tree.of_type("part") if tree.is_outermost(eid)]
    if step.level == "part" and len(parts) == 1 and tree.enclosing(here, *BACK_MATTER):
        # The appendices of a text of one part stand beside the part.
        return [Target(parts[0], "exact")]
    if step.level in ("part", "subpart", "chapter", "subchapter") and here:
        return [Target("", "external", f"no {step.level} surrounds the citation: it is one that holds this document")]
    return [Target("", "missing", f"no {step.level} surrounds the citation")]


def _outermost(tree: Tree, lineage: Iterable[str]) -> str:
    """Return the outermost numbered paragraph of a place's lineage, innermost first, "" if there is none."""
    numbered = [eid for eid in lineage if tree.types[eid] in PARAGRAPHS and tree.number(eid)]
    return numbered[-1] if numbered else ""


def _chapter_around(tree: Tree, here: str, level: str) -> str:
    """Return the chapter or subchapter around a place, "" if none: both are chapters in the tree of a state's code."""
    chapters = (eid for eid in tree.lineage(here) if tree.types[eid] == "chapter")
    inner = level == "subchapter"
    return next((eid for eid in chapters if inner == bool(_SUBCHAPTER.match(tree.labels[eid]))), "")


def _section_around(tree: Tree, here: str) -> str:
    """Return the innermost node around a place that a text calls a section, "" if there is none.

    "2.2.3 Lamps" is one, whatever its type: what has a number of its own and a heading is no paragraph.
    """
    return next(
        (
            eid
            for eid in tree.lineage(here)
            if tree.types[eid] == "section"
            or (is_rule(tree, eid) and eid in tree.heading_keys and tree.number(eid)[-1].isdigit())
        ),
        "",
    )


def previous_places(tree: Tree, step: Step, here: str) -> list[Target]:
    """Find "the previous paragraph": what stands before the citing one, under the same holder; [] if nothing does."""
    if step.level == "rule":
        around = next((eid for eid in tree.lineage(here) if tree.types[eid] in PROVISIONS or is_rule(tree, eid)), "")
    elif step.level == "section":
        around = _section_around(tree, here)
    elif step.level == "clause":
        around = tree.enclosing(here, "paragraph", *PROVISIONS)
    else:
        named = step.level == "paragraph"
        around = here if tree.number(here) and (not named or tree.types[here] in ("paragraph", *PROVISIONS)) else ""
        holder = tree.enclosing(here, "paragraph", *PROVISIONS) if named and not around else ""
        if holder and is_rule(tree, holder) and tree.types[here] == "point":
            # The points of 14.5 are no paragraphs: the one before is 14.4.
            around = holder
        elif holder and not is_rule(tree, holder) and tree.types[here] == "subparagraph":
            blocks = [holder, *tree.children(holder, "subparagraph")]
            at = blocks.index(here) if here in blocks else 0
            return [Target(blocks[at - 1], "exact")] if at and not step.value else []
    return [Target(eid, "exact") for eid in tree.adjacent(around, step.value)] if around else []


def ordinal_place(tree: Tree, step: Step, here: str) -> list[Target]:
    """Find "paragraph one": a block of the provision around, which begins with the first, or a numbered paragraph."""
    holder = tree.enclosing(here, "paragraph", "subsection", *PROVISIONS)
    if not holder:
        return []
    numbered = tree.numbered(tree.children(holder, "paragraph", "subsection"), step.value)
    blocks = [holder, *tree.children(holder, "subparagraph")]
    found = numbered or blocks[int(step.value) - 1 : int(step.value)]
    return (
        one_of(found, step) if found else [Target(holder, "parent", f"{tree.labels[holder]} has no {describe(step)}")]
    )


def is_rule(tree: Tree, eid: str) -> bool:
    """Tell whether a node's number gives its place in the document: 2.3.4, but not 14/1, inserted behind 14."""
    number = tree.number(eid)
    return "-" in number and number[:1].isdigit() and f" {number.replace('-', '/')}" not in tree.labels[eid]


def provisions(tree: Tree) -> Iterator[str]:
    """Yield the provisions that are numbered through the document."""
    return (eid for kind in PROVISIONS for eid in tree.of_type(kind))
