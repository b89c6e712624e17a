"""Finds "section 5", "rule 2.3.4" by its number in the whole of a document with continuous numbers."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from antinomy import section_ids as ids
from antinomy.cite.corpus import Tree
from antinomy.cite.levels import BACK_MATTER, DIVISIONS, MEANINGS, PROVISIONS
from antinomy.cite.model import Step
from antinomy.cite.resolve import Target, choose, closest, describe, one_of
from antinomy.text.numerals import RULE_LETTERS

#: The letter behind a rule's number.
_SUFFIX = re.compile(rf"(?<=[0-9])[{RULE_LETTERS}]$")


def in_document(tree: Tree, step: Step, here: str) -> list[Target]:
    """Find a place by its number in the whole document."""
    meanings = MEANINGS.get(step.level, ((step.level,),))
    coded = ids.clean_number(step.value) in tree.codes
    if step.level == "principle" and is_complete(step.value):
        # "Requirement 8.3.1", whatever the tree calls it.
        meanings = MEANINGS["rule"]
    if step.level in DIVISIONS and tree.of_type(step.level) and not is_complete(step.value):
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
        found = with_number(tree, nodes, step.value)
        if step.level in ("section", "rule") and not coded and not is_complete(step.value):
            # Paragraph (6) of section 2 is no section 6.
            found = [eid for eid in found if tree.types[eid] in PROVISIONS or not tree.enclosing(eid, *PROVISIONS)]
        if step.level == "paragraph" and not coded and not is_complete(step.value):
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
            return choose(tree, beside, as_printed(tree, step, nodes), "", here)
        return one_of(closest(tree, found, here) or tree.in_body(found), step)
    return [_absent(tree, step)]


def _runs_through(tree: Tree, eid: str) -> bool:
    """Tell whether a node is numbered in the whole document, not within its parent."""
    if "__" not in eid and tree.types[eid] == "paragraph":
        return True
    if tree.types[eid] in PROVISIONS:
        # "1. Title" is called a section in one text and a paragraph in another.
        return tree.types[eid] == "section"
    return not tree.enclosing(eid, *PROVISIONS, *BACK_MATTER)


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
    return series == 0 and len(with_number(tree, tree.series, tree.number(eid))) == 1


def _absent(tree: Tree, step: Step) -> Target:
    """Tell whether a number that the document lacks could be one of its own."""
    head = step.value.partition(".")[0] if "." in step.value or step.level == "chapter" else ""
    if head[:1].isdecimal() and len(tree.chapter_numbers) == 1 and head not in tree.chapter_numbers:
        (own,) = tree.chapter_numbers
        reason = f"the numbers of this document begin with {own}: {step.value} is of another one"
        return Target("", "external", reason)
    shown = describe(Step(step.level, step.value)).replace("(", "").replace(")", "")
    return Target("", "missing", f"the document has no {shown}")


def is_complete(number: str) -> bool:
    """Tell whether a number names its place without its holder: "3.1.2"."""
    return "." in number or "-" in number


def with_number(tree: Tree, nodes: Collection[str], value: str) -> list[str]:
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


def as_printed(tree: Tree, step: Step, nodes: Sequence[str]) -> Step:
    """Write a step's numbers in the form that the tree has."""
    first, last = (
        next(iter(with_number(tree, nodes, value)), "") if value else "" for value in (step.value, step.upto)
    )
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
