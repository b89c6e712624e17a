"""Resolves places in a document with continuous numbers, where "rule", "paragraph", "part" vary in meaning."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from antinomy import section_ids as ids
from antinomy.cite.corpus import Tree
from antinomy.cite.levels import BACK_MATTER, DIVISIONS, MEANINGS, NESTED, PARAGRAPHS, PROVISIONS
from antinomy.cite.model import Path, Step
from antinomy.cite.resolve import Target, choose, describe, one_of
from antinomy.cite.resolve_around import OF_CODE, WHOLE, is_rule, ordinal_place, previous_places, provisions, this_place
from antinomy.cite.resolve_number import as_printed, in_document, is_complete, with_number

_NUMBERED = (*PROVISIONS, *DIVISIONS, *PARAGRAPHS)
_UNNUMBERED = ("subparagraph", "heading")
_JOINED = re.compile(r"([0-9]+)([A-Z])|([0-9.]+)\.([A-Za-z])")
_SUBPART = re.compile(r"(?:.*, )?Subp(?:art|\.) \d+$")


def locate_outline(tree: Tree, path: Path, here: str) -> list[Target]:
    """Follow a path in a document with continuous numbers; arguments and result as in ``resolve.locate``."""
    first, rest = path[0], path[1:]
    if first.how in ("previous", "ordinal"):
        starts = previous_places(tree, first, here) if first.how == "previous" else ordinal_place(tree, first, here)
        return descend_outline(tree, starts, rest)
    if first.level == "table" and not first.value:
        tables = (tree.tables(above) for above in tree.lineage(here))
        return descend_outline(tree, one_of(next(filter(None, tables), []), first), rest)
    if first.how == "this":
        starts = [OF_CODE] if rest and first.level == "title" else this_place(tree, first, here)
        if first.level in ("paragraph", "point") and rest:
            # "point (b) of this paragraph", said in its point (a): the paragraph is the nearest that has a (b).
            around = (eid for eid in tree.lineage(here) if tree.types[eid] in PARAGRAPHS)
            ways = (descend_outline(tree, [Target(eid, "exact")], rest) for eid in around)
            return next((targets for targets in ways if targets[0].resolution == "exact"), starts)
        if rest and starts[0].resolution == "external":
            # "Section 21.2(b) of this title", of which the document is a part.
            found = locate_outline(tree, rest, here)
            return found if all(target.resolution == "exact" for target in found) else starts
        if rest and tree.root and starts[0].eid == tree.root:
            return locate_outline(tree, rest, here)
        if rest and first.level == "section" and starts == [WHOLE]:
            outermost = with_number(tree, tree.children(tree.root, *_NUMBERED), rest[0].value)
            starts, rest = ([Target(outermost[0], "exact")], rest[1:]) if outermost else (starts, rest)
        found = descend_outline(tree, starts, rest)
        if rest and rest[0].level in PROVISIONS and found[0].resolution != "exact":
            # "Rule .0102(b) of this Section", which is one of the parts of a code.
            return next((more for more in [locate_outline(tree, rest, here)] if more[0].resolution == "exact"), found)
        return found
    if first.level in NESTED:
        return _nested(tree, path, here)
    if first.level == "point" or (first.level == "paragraph" and not is_complete(first.value)):
        return _relative(tree, path, here)
    return descend_outline(tree, _joined(tree, first, here) or in_document(tree, first, here), rest)


def _joined(tree: Tree, step: Step, here: str) -> list[Target]:
    """Find "Section 4H" where it is paragraph H of section 4, "4.2.h" where it is one of 4.2; else nothing.

    The marks behind a section's number may all be joined to it by stops: "Paragraph 021.02.c".
    """
    if found := _stopped(tree, step):
        return found
    match = _JOINED.fullmatch(step.value) if step.level in PROVISIONS and not step.upto else None
    if match is None or tree.numbered(provisions(tree), step.value):
        return []
    holder, mark = match[1] or match[3], match[2] or match[4]
    found = descend_outline(tree, in_document(tree, Step(step.level, holder), here), (Step("point", mark),))
    return found if found[0].resolution == "exact" else []


def _stopped(tree: Tree, step: Step) -> list[Target]:
    *above, last = step.value.split(".")
    *around, upto = step.upto.split(".")
    known = step.level not in (*PROVISIONS, "paragraph") or tree.numbered(tree.types, step.value)
    if not above or (step.upto and around != above) or known:
        return []
    for at in range(len(above), 0, -1):
        holders = tree.numbered(provisions(tree), ".".join(above[:at]))
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
            reached = ordinal_place(tree, step, reached[0].eid)
            continue
        # Without a number it is the document as a whole.
        reached = _below(tree, reached[0].eid, step) if reached[0].eid else in_document(tree, step, "")
    return reached


def _nested(tree: Tree, path: Path, here: str) -> list[Target]:
    """Find "sub. (1)", which the section holds, and "subd. 1.", which a paragraph in one of its subsections does."""
    point = (replace(path[0], level="point"), *path[1:])
    inside = [*takewhile(lambda eid: tree.types[eid] not in (*PROVISIONS, *BACK_MATTER), tree.lineage(here))]
    section = tree.enclosing(here, *PROVISIONS)
    if not section:
        return _relative(tree, point, here)
    around = [section, *(eid for eid in reversed(inside) if tree.number(eid) and eid != here)]
    nearest_first = around[:1] if path[0].level == "subsection" else around[:0:-1] or around
    ways = [descend_outline(tree, [Target(eid, "exact")], point) for eid in nearest_first]
    return next((found for found in ways if found[0].resolution == "exact"), ways[-1])


def _relative(tree: Tree, path: Path, here: str) -> list[Target]:
    """Find "paragraph (a)(1)", "paragraph 3": below the citation's ancestors, or in the whole document."""
    found: list[Target] = []
    surrounding = ""
    for above in tree.lineage(here):
        if path[0].level == "point" and above != here and tree.types[above] in (*BACK_MATTER, *DIVISIONS):
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
        if tree.types[above] in (*PROVISIONS, *BACK_MATTER) or is_rule(tree, above):
            break
    if found:
        return found
    if len(path) > 1 and (holder := _relative(tree, path[:1], here))[0].resolution == "exact":
        # "paragraph 2(b)": the paragraph is here, though it has no (b).
        return descend_outline(tree, holder, path[1:])
    if path[0].level == "paragraph":
        return descend_outline(tree, in_document(tree, path[0], here), path[1:])
    if surrounding:
        return descend_outline(tree, [Target(surrounding, "exact")], path)
    return [Target("", "missing", f"{describe(path[0])} is cited where no provision surrounds it")]


def _below(tree: Tree, holder: str, step: Step) -> list[Target]:
    """Find a step inside a node, through nodes without a number and through the parts of a schedule."""
    if step.level in (*PROVISIONS, *DIVISIONS, *BACK_MATTER):
        for types in MEANINGS[step.level]:
            known = [eid for kind in types for eid in tree.of_type(kind)]
            nodes = [eid for eid in known if eid != holder and holder in tree.lineage(eid)]
            if known and not nodes and step.level in DIVISIONS:
                # "Chapter 2 of this Part", which has none: not its section 2.
                break
            if with_number(tree, nodes, step.value):
                return choose(tree, nodes, as_printed(tree, step, nodes), holder, "")
        alone = tree.is_outermost(holder) or len(tree.of_type(tree.types[holder])) == 1
        if step.level in BACK_MATTER and (alone or holder in tree.chapters):
            # The appendices of a text of one part stand beside the part, those of a chapter beside the chapter.
            beside = in_document(tree, step, "")
            if beside[0].resolution == "exact":
                return beside
        return [Target(holder, "parent", f"{tree.labels[holder]} has no {step.level} {step.value}")]
    if step.level == "table":
        tables = tree.tables(holder)
        return choose(tree, tables, step, holder, "") if step.value else one_of(tables, step)
    nodes = _children(tree, holder)
    found = with_number(tree, nodes, step.value)
    if len(found) > 1:
        # What stands directly below a rule comes before what a heading in it, "Guidance", counts anew.
        around = tree.enclosing(holder, "heading")
        direct = [eid for eid in nodes if tree.enclosing(eid, "heading") == around]
        nodes, found = (direct, own) if (own := with_number(tree, direct, step.value)) else (nodes, found)
    if not found and tree.types[holder] in BACK_MATTER and step.level == "paragraph":
        # The paragraphs of an annex may be numbered through its sections.
        sections = (eid for eid in tree.of_type("section") if holder in tree.lineage(eid))
        nodes = [paragraph for eid in sections for paragraph in tree.children(eid, "paragraph")]
        found = with_number(tree, nodes, step.value)
    if not found and tree.types[holder] in BACK_MATTER:
        # The items of an annex may be the rows of its table.
        nodes = [row for table in tree.children(holder, "table") for row in tree.children(table, "paragraph")]
        found = with_number(tree, nodes, step.value)
    if len(found) == 1 and not step.upto:
        return [Target(found[0], "exact")]
    return choose(tree, nodes, step, holder, "")


def _children(tree: Tree, holder: str) -> list[str]:
    passed = _UNNUMBERED if tree.types[holder] not in BACK_MATTER else (*_UNNUMBERED, *DIVISIONS)
    nodes: list[str] = []
    stack = list(reversed(tree.children(holder, *_NUMBERED, *_UNNUMBERED)))
    while stack:
        node = stack.pop()
        if tree.types[node] in passed:
            stack.extend(reversed(tree.children(node, *_NUMBERED, *_UNNUMBERED)))
        else:
            nodes.append(node)
    return nodes
