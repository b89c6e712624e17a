"""Resolves places in a document with continuous numbers, where "rule", "paragraph", "part" vary in meaning."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from antinomy import section_ids as ids
from antinomy.cite.corpus import Tree
from antinomy.cite.levels import BACK_MATTER, NESTED
from antinomy.cite.model import Path, Step
from antinomy.cite.resolve import Target, choose, closest, describe, one_of
from antinomy.text.numerals import RULE_LETTERS

_PARAGRAPHS = ("paragraph", "point", "definition", "subsection")
#: Word → section types that it may mean, the likeliest first.
_TYPES = {
    "section": (("section",), ("rule", "article"), ("subsection", "paragraph", "point")),
    "rule": (("rule",), ("section", "article"), ("subsection", "paragraph", "point")),
    "regulation": (("rule",), ("section", "article"), ("subsection", "paragraph", "point")),
    "principle": (("rule",),),
    "article": (("article",), ("rule", "section")),
    "paragraph": (_PARAGRAPHS, ("section", "rule"), ()),
    "subsection": (_PARAGRAPHS, ("section", "rule"), ()),
    "point": (_PARAGRAPHS, ("section", "rule")),
    # "Part 700.4" is a section; in documents without chapters, sections may be called so.
    "part": (("part",), ("chapter", "subpart"), ("section",)),
    "subpart": (("subpart",), ("part", "subsection"), ()),
    "division": (("division",),),
    "chapter": (("chapter",), ("part",), ("section",)),
    "subchapter": (("chapter",),),
    "schedule": (("schedule",), ("annex", "appendix"), ()),
    "annex": (("annex",), ("appendix", "schedule"), ()),
    "appendix": (("appendix",), ("annex", "schedule"), ()),
}
#: Provisions numbered through the document; places cited in one lie in the same one.
_PROVISIONS = ("section", "rule", "article")
_DIVISIONS = ("part", "subpart", "chapter", "subchapter", "division")
_NUMBERED = (*_PROVISIONS, *_DIVISIONS, *_PARAGRAPHS)
_UNNUMBERED = ("subparagraph", "heading")
_JOINED = re.compile(r"([0-9]+)([A-Z])|([0-9.]+)\.([A-Za-z])")
#: The label of a section with its number in a code: "Section 930.2"; "Section 2" may be a regulation.
_CODED_SECTION = re.compile(r"(?:.*, )?(?:§ ?|Section |Sec\. )\d+[.-]\d")
_PART = re.compile(r"[0-9]{4}-[0-9]{4}")
#: The document itself.
_WHOLE = Target("", "exact")
_OF_CODE = Target("", "external", "a title of a code that holds this document")
_SUBCHAPTER = re.compile(r"(?:.*, )?Subchapter ")
_SUBPART = re.compile(r"(?:.*, )?Subp(?:art|\.) \d+$")
_SUFFIX = re.compile(rf"(?<=[0-9])[{RULE_LETTERS}]$")


def locate_outline(tree: Tree, path: Path, here: str) -> list[Target]:
    """Follow a path in a document with continuous numbers; arguments and result as in ``resolve.locate``."""
    first, rest = path[0], path[1:]
    if first.how in ("previous", "ordinal"):
        starts = _previous(tree, first, here) if first.how == "previous" else _block(tree, first, here)
        return descend_outline(tree, starts, rest)
    if first.level == "table" and not first.value:
        tables = (tree.tables(above) for above in tree.lineage(here))
        return descend_outline(tree, one_of(next(filter(None, tables), []), first), rest)
    if first.how == "this":
        starts = [_OF_CODE] if rest and first.level == "title" else _this(tree, first, here)
        if first.level in ("paragraph", "point") and rest:
            # "point (b) of this paragraph", said in its point (a): the paragraph is the nearest that has a (b).
            around = (eid for eid in tree.lineage(here) if tree.types[eid] in _PARAGRAPHS)
            ways = (descend_outline(tree, [Target(eid, "exact")], rest) for eid in around)
            return next((targets for targets in ways if targets[0].resolution == "exact"), starts)
        if rest and starts[0].resolution == "external":
            # "Section 21.2(b) of this title", of which the document is a part.
            found = locate_outline(tree, rest, here)
            return found if all(target.resolution == "exact" for target in found) else starts
        if rest and tree.root and starts[0].eid == tree.root:
            return locate_outline(tree, rest, here)
        if rest and first.level == "section" and starts == [_WHOLE]:
            outermost = _numbered(tree, tree.children(tree.root, *_NUMBERED), rest[0].value)
            starts, rest = ([Target(outermost[0], "exact")], rest[1:]) if outermost else (starts, rest)
        found = descend_outline(tree, starts, rest)
        if rest and rest[0].level in _PROVISIONS and found[0].resolution != "exact":
            # "Rule .0102(b) of this Section", which is one of the parts of a code.
            return next((more for more in [locate_outline(tree, rest, here)] if more[0].resolution == "exact"), found)
        return found
    if first.level in NESTED:
        return _nested(tree, path, here)
    if first.level == "point" or (first.level == "paragraph" and not _is_complete(first.value)):
        return _relative(tree, path, here)
    return descend_outline(tree, _joined(tree, first, here) or _absolute(tree, first, here), rest)


def _joined(tree: Tree, step: Step, here: str) -> list[Target]:
    """Find "Section 4H" where it is paragraph H of section 4, "4.2.h" where it is one of 4.2; else nothing.

    The marks behind a section's number may all be joined to it by stops: "Paragraph 021.02.c".
    """
    if found := _stopped(tree, step):
        return found
    match = _JOINED.fullmatch(step.value) if step.level in _PROVISIONS and not step.upto else None
    if match is None or tree.numbered(_provisions(tree), step.value):
        return []
    holder, mark = match[1] or match[3], match[2] or match[4]
    found = descend_outline(tree, _absolute(tree, Step(step.level, holder), here), (Step("point", mark),))
    return found if found[0].resolution == "exact" else []


def _stopped(tree: Tree, step: Step) -> list[Target]:
    *above, last = step.value.split(".")
    *around, upto = step.upto.split(".")
    known = step.level not in (*_PROVISIONS, "paragraph") or tree.numbered(tree.types, step.value)
    if not above or (step.upto and around != above) or known:
        return []
    for at in range(len(above), 0, -1):
        holders = tree.numbered(_provisions(tree), ".".join(above[:at]))
        if len(holders) == 1:
            path = (*(Step("point", mark) for mark in above[at:]), Step("point", last, upto))
            found = descend_outline(tree, [Target(holders[0], "exact")], path)
            return found if all(target.resolution == "exact" for target in found) else []
    return []


def descend_outline(tree: Tree, starts: Sequence[Target], path: Path) -> list[Target]:
    """Follow the further steps of a path down from where its first one led."""
    reached = list(starts)
    for step in path:
        if len(reached) != 1 or reached[0].resolution != "exact":
            break
        if step.how == "ordinal":
            reached = _block(tree, step, reached[0].eid)
            continue
        # Without a number it is the document as a whole.
        reached = _below(tree, reached[0].eid, step) if reached[0].eid else _absolute(tree, step, "")
    return reached


def _nested(tree: Tree, path: Path, here: str) -> list[Target]:
    """Find "sub. (1)", which the section holds, and "subd. 1.", which a paragraph in one of its subsections does."""
    point = (replace(path[0], level="point"), *path[1:])
    inside = [*takewhile(lambda eid: tree.types[eid] not in (*_PROVISIONS, *BACK_MATTER), tree.lineage(here))]
    section = tree.enclosing(here, *_PROVISIONS)
    if not section:
        return _relative(tree, point, here)
    around = [section, *(eid for eid in reversed(inside) if tree.number(eid) and eid != here)]
    nearest_first = around[:1] if path[0].level == "subsection" else around[:0:-1] or around
    ways = [descend_outline(tree, [Target(eid, "exact")], point) for eid in nearest_first]
    return next((found for found in ways if found[0].resolution == "exact"), ways[-1])


def _is_complete(number: str) -> bool:
    """Tell whether a number names its place without its holder: "3.1.2"."""
    return "." in number or "-" in number


def _this(tree: Tree, step: Step, here: str) -> list[Target]:
    if step.level == "title":
        return [Target(found, "exact") if (found := tree.title_around(here)) else _OF_CODE]
    if step.level == "section" and (found := _section_around(tree, here)):
        return [Target(found, "exact")]
    if step.level == "section" and not next(_provisions(tree), "") and (found := _outermost(tree, tree.lineage(here))):
        # The outermost numbers are sections, or paragraphs (a) of the one section that the text is.
        alone = tree.is_outermost(found) and tree.labels[found].endswith(")")
        return [_WHOLE if alone else Target(found, "exact")]
    if step.level == "paragraph" and (found := tree.paragraph_of_schedule(here)):
        return [Target(found, "exact")]
    if step.level == "subsection":
        # It is what the section is divided into, whatever it is divided into itself.
        inside = takewhile(lambda eid: tree.types[eid] not in (*_PROVISIONS, *BACK_MATTER), tree.lineage(here))
        if (found := _outermost(tree, inside)) and (section := tree.enclosing(here, *_PROVISIONS)):
            # Or 6.2 in section 6, whose paragraphs are 6.2.1 and 6.2.2.
            return [Target(section if _is_rule(tree, found) and _is_rule(tree, section) else found, "exact")]
    if step.level == "regulation":
        section = _section_around(tree, here)
        if section and _CODED_SECTION.match(tree.labels[section]):
            # In a code, whose provisions are called sections, it is the document.
            return [Target("", "exact")]
    if step.level in ("rule", "regulation"):
        # In a rulebook everything with a number like 2.3.4 is a rule.
        found = next((eid for eid in tree.lineage(here) if tree.types[eid] == "rule" or _is_rule(tree, eid)), "")
        if found:
            return [Target(found, "exact")]
    if step.level in ("chapter", "subchapter") and (found := _chapter_around(tree, here, step.level)):
        return [Target(found, "exact")]
    chapters = [bool(_SUBCHAPTER.match(tree.labels[eid])) for eid in tree.of_type("chapter")]
    if step.level == "chapter" and len(chapters) > 1 and all(chapters):
        # It is the document that has the subchapters.
        return [_WHOLE]
    if step.level == "subpart" and not tree.of_type("subpart") and (found := tree.enclosing(here, "subsection")):
        return [Target(found, "exact")]
    if step.level == "part" and (section := tree.enclosing(here, "section")) and _PART.fullmatch(tree.number(section)):
        # Minnesota's sections are called parts.
        return [Target(section, "exact")]
    if step.level == "paragraph" and (found := tree.paragraph_around(here)):
        # A point of it may hold the citation.
        return [Target(found, "exact")]
    meanings = _TYPES.get(step.level, ((step.level,),)) if step.level != "subchapter" else ()
    for types in meanings[:1] if step.level in _DIVISIONS else meanings:
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
    numbered = [eid for eid in lineage if tree.types[eid] in _PARAGRAPHS and tree.number(eid)]
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
            or (_is_rule(tree, eid) and eid in tree.heading_keys and tree.number(eid)[-1].isdigit())
        ),
        "",
    )


def _previous(tree: Tree, step: Step, here: str) -> list[Target]:
    """Find "the previous paragraph": what stands before the citing one, under the same holder; [] if nothing does."""
    if step.level == "rule":
        around = next((eid for eid in tree.lineage(here) if tree.types[eid] in _PROVISIONS or _is_rule(tree, eid)), "")
    elif step.level == "section":
        around = _section_around(tree, here)
    elif step.level == "clause":
        around = tree.enclosing(here, "paragraph", *_PROVISIONS)
    else:
        named = step.level == "paragraph"
        around = here if tree.number(here) and (not named or tree.types[here] in ("paragraph", *_PROVISIONS)) else ""
        holder = tree.enclosing(here, "paragraph", *_PROVISIONS) if named and not around else ""
        if holder and _is_rule(tree, holder) and tree.types[here] == "point":
            # The points of 14.5 are no paragraphs: the one before is 14.4.
            around = holder
        elif holder and not _is_rule(tree, holder) and tree.types[here] == "subparagraph":
            blocks = [holder, *tree.children(holder, "subparagraph")]
            at = blocks.index(here) if here in blocks else 0
            return [Target(blocks[at - 1], "exact")] if at and not step.value else []
    return [Target(eid, "exact") for eid in tree.adjacent(around, step.value)] if around else []


def _block(tree: Tree, step: Step, here: str) -> list[Target]:
    """Find "paragraph one": a block of the provision around, which begins with the first, or a numbered paragraph."""
    holder = tree.enclosing(here, "paragraph", "subsection", *_PROVISIONS)
    if not holder:
        return []
    numbered = tree.numbered(tree.children(holder, "paragraph", "subsection"), step.value)
    blocks = [holder, *tree.children(holder, "subparagraph")]
    found = numbered or blocks[int(step.value) - 1 : int(step.value)]
    return (
        one_of(found, step) if found else [Target(holder, "parent", f"{tree.labels[holder]} has no {describe(step)}")]
    )


def _is_rule(tree: Tree, eid: str) -> bool:
    """Tell whether a node's number gives its place in the document: 2.3.4, but not 14/1, inserted behind 14."""
    number = tree.number(eid)
    return "-" in number and number[:1].isdigit() and f" {number.replace('-', '/')}" not in tree.labels[eid]


def _absolute(tree: Tree, step: Step, here: str) -> list[Target]:
    """Find a place by its number in the whole document."""
    meanings = _TYPES.get(step.level, ((step.level,),))
    coded = ids.clean_number(step.value) in tree.codes
    if step.level == "principle" and _is_complete(step.value):
        # "Requirement 8.3.1", whatever the tree calls it.
        meanings = _TYPES["rule"]
    if step.level in _DIVISIONS and tree.of_type(step.level) and not _is_complete(step.value):
        # A text with Parts calls no section so.
        meanings = meanings[:2]
    if " " in step.value:
        # "APP 1", beside "HARB 1"
        meanings = (*meanings, BACK_MATTER)
    known: Iterable[list[str]] = ([eid for kind in types for eid in tree.of_type(kind)] for types in meanings)
    if step.level == "principle":
        known = [*known, [eid for eid in tree.of_type("section") if tree.labels[eid].startswith("Requirement ")]]
    for nodes in [tree.coded] if coded else known:
        if not step.value and nodes:
            return one_of(nodes, step)
        found = _numbered(tree, nodes, step.value)
        if step.level in ("section", "rule") and not coded and not _is_complete(step.value):
            # Paragraph (6) of section 2 is no section 6.
            found = [eid for eid in found if tree.types[eid] in _PROVISIONS or not tree.enclosing(eid, *_PROVISIONS)]
        if step.level == "paragraph" and not coded and not _is_complete(step.value):
            # Not one of another section.
            through = [eid for eid in found if _runs_through(tree, eid) or _in_series(tree, eid, here)]
            if not through and any(tree.series.get(eid, 1) <= 0 for eid in found):
                # It is one of two such numberings, and not section 2.
                break
            # Nor a point of another paragraph.
            found = [eid for eid in through if tree.types[eid] not in ("point", "definition")] or through
        if step.level == "rule" and "rule" not in map(tree.types.get, found):
            # The paragraphs of a schedule to Regulations, "1. Title", are none.
            found = tree.in_body(found)
        if not found:
            continue
        if step.upto:
            beside = nodes if coded else _siblings(tree, nodes, found[0])
            return choose(tree, beside, _fitted(tree, step, nodes), "", here)
        return one_of(closest(tree, found, here) or tree.in_body(found), step)
    return [_absent(tree, step)]


def _runs_through(tree: Tree, eid: str) -> bool:
    """Tell whether a node is numbered in the whole document, not within its parent."""
    if "__" not in eid and tree.types[eid] == "paragraph":
        return True
    if tree.types[eid] in _PROVISIONS:
        # "1. Title" is called a section in one text and a paragraph in another.
        return tree.types[eid] == "section"
    return not tree.enclosing(eid, *_PROVISIONS, *BACK_MATTER)


def _in_series(tree: Tree, eid: str, here: str) -> bool:
    """Tell whether a paragraph is cited by its number from the other sections that its numbers run through.

    Where the background and the guidelines are each numbered through, a paragraph cites its own series; what stands
    outside it cites the main one, and only by a number that no other has.
    """
    series = tree.series.get(eid, 1)
    if series > 0:
        return False
    if tree.series_around(here) == series:
        return True
    return series == 0 and len(_numbered(tree, tree.series, tree.number(eid))) == 1


def _absent(tree: Tree, step: Step) -> Target:
    """Tell whether a number that the document lacks could be one of its own."""
    head = step.value.partition(".")[0] if "." in step.value or step.level == "chapter" else ""
    if head[:1].isdecimal() and len(tree.chapter_numbers) == 1 and head not in tree.chapter_numbers:
        (own,) = tree.chapter_numbers
        reason = f"the numbers of this document begin with {own}: {step.value} is of another one"
        return Target("", "external", reason)
    return Target(
        "", "missing", f"the document has no {describe(Step(step.level, step.value))}".replace("(", "").replace(")", "")
    )


def _relative(tree: Tree, path: Path, here: str) -> list[Target]:
    """Find "paragraph (a)(1)", "paragraph 3": below the citation's ancestors, or in the whole document."""
    found: list[Target] = []
    surrounding = ""
    for above in tree.lineage(here):
        if path[0].level == "point" and above != here and tree.types[above] in (*BACK_MATTER, *_DIVISIONS):
            inner = tree.children(above, "point")
            if not any(tree.labels[eid].endswith(f"({path[0].value})") for eid in inner):
                # Its paragraphs are numbered without brackets.
                break
        surrounding = above
        targets = descend_outline(tree, [Target(above, "exact")], path)
        rows = tree.types[above] in (*BACK_MATTER, "table") and any(tree.enclosing(one.eid, "table") for one in targets)
        if rows or any(_SUBPART.match(tree.labels.get(target.eid, "")) for target in targets):
            # The rows of an annex's table are cited as its items, not as "paragraph 2"; nor is "subitem (1)" a subpart.
            targets = []
        if all(target.resolution == "exact" for target in targets) and targets not in (found, []):
            kinds = [tree.types[one.eid] for one in (*found[:1], targets[0])]
            if path[0].level == "paragraph" and kinds == ["point", "paragraph"]:
                # "paragraph 2" is not "sub-paragraph (2)".
                return targets
            # A code of the United States has subsections (a) and subparagraphs (A).
            cited = ids.clean_number(path[-1].value)
            alike = [one for one in (found, targets) if one and tree.number(one[-1].eid) == cited]
            if found and len(alike) != 1:
                eids = f"{found[0].eid}, {targets[0].eid}"
                return [Target("", "ambiguous", f"{describe(path[0])} can be {eids}")]
            found = alike[0] if found else targets
        if tree.types[above] in (*_PROVISIONS, *BACK_MATTER) or _is_rule(tree, above):
            break
    if found:
        return found
    if len(path) > 1 and (holder := _relative(tree, path[:1], here))[0].resolution == "exact":
        # "paragraph 2(b)": the paragraph is here, though it has no (b).
        return descend_outline(tree, holder, path[1:])
    if path[0].level == "paragraph":
        return descend_outline(tree, _absolute(tree, path[0], here), path[1:])
    if surrounding:
        return descend_outline(tree, [Target(surrounding, "exact")], path)
    return [Target("", "missing", f"{describe(path[0])} is cited where no provision surrounds it")]


def _below(tree: Tree, holder: str, step: Step) -> list[Target]:
    """Find a step inside a node, through nodes without a number and through the parts of a schedule."""
    if step.level in (*_PROVISIONS, *_DIVISIONS, *BACK_MATTER):
        for types in _TYPES[step.level]:
            known = [eid for kind in types for eid in tree.of_type(kind)]
            nodes = [eid for eid in known if eid != holder and holder in tree.lineage(eid)]
            if known and not nodes and step.level in _DIVISIONS:
                # "Chapter 2 of this Part", which has none: not its section 2.
                break
            if _numbered(tree, nodes, step.value):
                return choose(tree, nodes, _fitted(tree, step, nodes), holder, "")
        alone = tree.is_outermost(holder) or len(tree.of_type(tree.types[holder])) == 1
        if step.level in BACK_MATTER and (alone or holder in tree.chapters):
            # The appendices of a text of one part stand beside the part, those of a chapter beside the chapter.
            beside = _absolute(tree, step, "")
            if beside[0].resolution == "exact":
                return beside
        return [Target(holder, "parent", f"{tree.labels[holder]} has no {step.level} {step.value}")]
    if step.level == "table":
        tables = tree.tables(holder)
        return choose(tree, tables, step, holder, "") if step.value else one_of(tables, step)
    nodes = _children(tree, holder)
    found = _numbered(tree, nodes, step.value)
    if len(found) > 1:
        # What stands directly below a rule comes before what a heading in it, "Guidance", counts anew.
        around = tree.enclosing(holder, "heading")
        direct = [eid for eid in nodes if tree.enclosing(eid, "heading") == around]
        nodes, found = (direct, own) if (own := _numbered(tree, direct, step.value)) else (nodes, found)
    if not found and tree.types[holder] in BACK_MATTER and step.level == "paragraph":
        # The paragraphs of an annex may be numbered through its sections.
        sections = (eid for eid in tree.of_type("section") if holder in tree.lineage(eid))
        nodes = [paragraph for eid in sections for paragraph in tree.children(eid, "paragraph")]
        found = _numbered(tree, nodes, step.value)
    if not found and tree.types[holder] in BACK_MATTER:
        # The items of an annex may be the rows of its table.
        nodes = [row for table in tree.children(holder, "table") for row in tree.children(table, "paragraph")]
        found = _numbered(tree, nodes, step.value)
    if len(found) == 1 and not step.upto:
        return [Target(found[0], "exact")]
    return choose(tree, nodes, step, holder, "")


def _children(tree: Tree, holder: str) -> list[str]:
    passed = _UNNUMBERED if tree.types[holder] not in BACK_MATTER else (*_UNNUMBERED, *_DIVISIONS)
    nodes: list[str] = []
    stack = list(reversed(tree.children(holder, *_NUMBERED, *_UNNUMBERED)))
    while stack:
        node = stack.pop()
        if tree.types[node] in passed:
            stack.extend(reversed(tree.children(node, *_NUMBERED, *_UNNUMBERED)))
        else:
            nodes.append(node)
    return nodes


def _numbered(tree: Tree, nodes: Collection[str], value: str) -> list[str]:
    """Return the nodes with a number; the letter behind a rule's number need not be cited, nor be printed.

    "AT 4.3.2" is the 4.3.2 of that part of a circular.
    """
    book, _, value = value.rpartition(" ")
    if book:
        nodes = [eid for eid in nodes if tree.books.get(eid) == book]
    exact = tree.numbered(nodes, value)
    if exact or not value[:1].isdigit():
        return exact
    # 2.3.4R is not 2.3.4G: one of the two must be without a letter.
    number = ids.clean_number(value)
    bare = _SUFFIX.sub("", number)
    wanted = {bare} if bare != number else {f"{number}{letter}" for letter in RULE_LETTERS if number[-1].isdecimal()}
    return tree.exactly_numbered(nodes, wanted)


def _fitted(tree: Tree, step: Step, nodes: Sequence[str]) -> Step:
    """Write a step's numbers in the form that the tree has."""
    first, last = (next(iter(_numbered(tree, nodes, value)), "") if value else "" for value in (step.value, step.upto))
    upto = tree.number(last) if last else step.upto
    return Step(step.level, tree.number(first), upto, step.how)


def _siblings(tree: Tree, nodes: Sequence[str], first: str) -> list[str]:
    """Keep the nodes that can be members of a range: those of its first's kind, book, depth and series."""

    def kind(eid: str) -> tuple[object, ...]:
        own = tree.types[eid]
        # 10.1 was inserted behind paragraph 10; section 1.1 is a part of section 1.
        depth = sum(tree.types[above] == own for above in tree.lineage(eid)) if own != "paragraph" else 0
        return own, tree.books.get(eid), depth, tree.series_around(eid)

    wanted = kind(first)
    return [eid for eid in nodes if kind(eid) == wanted]


def _provisions(tree: Tree) -> Iterator[str]:
    return (eid for kind in _PROVISIONS for eid in tree.of_type(kind))
