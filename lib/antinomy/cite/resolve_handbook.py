"""Places in a handbook: sections by dotted number, appendices, objectives, headings."""

from __future__ import annotations

from collections.abc import Sequence

from antinomy.cite.corpus import Tree
from antinomy.cite.model import Path, Reference, Step
from antinomy.cite.names import name_key
from antinomy.cite.resolve import Target, describe, locate
from antinomy.cite.resolve_outline import locate_outline

#: Kinds of citation that are resolved here.
KINDS = {"section", "appendix", "objective", "heading", "table", "footnote"}
#: What "this section" may mean: the parts that have a heading, however deep.
_PARTS = ("section", "subsection", "paragraph", "heading")
#: Words that cite a place only where it is there: many a process has steps, and not of the objectives.
_LOOSE = {"this", "bare number", "procedure"}


def locate_place(tree: Tree, path: Path, title: str, here: str) -> list[Target]:
    """Find a handbook's section ("II.C.5"), appendix, objective or heading.

    Args:
        tree: of the booklet.
        path: what is cited.
        title: the heading quoted beside the number, "" if none; it must agree with the number.
        here: eid of the citing section in the same booklet, or "".
    """
    if path[0].level == "heading":
        return _headed(tree, path[0].value)
    if path[0].level == "section" and path[0].how != "number":
        # An item of a list may describe another section.
        listed = tree.types.get(here) == "item" and not tree.enclosing(here, "box")
        own = "" if listed else tree.enclosing(here, *_PARTS)
        if own and path[0].how == "previous":
            own = next(iter(tree.adjacent(own, path[0].value)), "")
        return [Target(own, "exact")] if own else [Target("", "missing", "no section surrounds the citation")]
    if path[0].level in ("paragraph", "point"):
        return _beside(tree, path[0], here)
    numbered = path[0].level in ("section", "table", "footnote")
    around = here if path[0].level == "footnote" else ""
    targets = locate_outline(tree, path, around) if numbered else locate(tree, path, here)
    return _checked(tree, targets, title) if title else targets


def _beside(tree: Tree, step: Step, here: str) -> list[Target]:
    """Find "this paragraph", of which an item may be a part, or what precedes it or the procedure that cites."""
    kind = "point" if step.level == "point" else "subparagraph"
    around = [eid for eid in tree.lineage(here) if tree.types[eid] == kind]
    own = around[-1] if around else "" if kind == "point" or step.how == "previous" else tree.enclosing(here, *_PARTS)
    own = next(iter(tree.adjacent(own, step.value)), "") if own and step.how == "previous" else own
    return [Target(own, "exact")] if own else [Target("", "missing", f"no {step.level} surrounds the citation")]


def _headed(tree: Tree, heading: str) -> list[Target]:
    found = tree.headed(heading)
    if len(found) == 1:
        return [Target(found[0], "exact")]
    if found:
        return [Target("", "ambiguous", f"{len(found)} sections have that heading: {', '.join(found[:5])}")]
    return [Target("", "missing", f"no section is headed {heading!r}")]


def _checked(tree: Tree, targets: Sequence[Target], title: str) -> list[Target]:
    """Compare a quoted heading with the one found; if they differ, the result is neither."""
    target = targets[0]
    if target.eid and tree.heading_keys.get(target.eid) == name_key(title):
        return list(targets)
    others = tree.headed(title)
    if target.resolution == "exact":
        own = " ".join(tree.heading_keys.get(target.eid, ())) or "something else"
        where = f"; {', '.join(others[:3])} carries it" if others else ""
        return [Target("", "ambiguous", f"{target.eid} is headed {own!r}, not {title!r}{where}")]
    if len(others) == 1:
        return [Target("", "ambiguous", f"{target.reason}; {others[0]} carries the heading {title!r}")]
    return list(targets)


def weigh(targets: Sequence[Target], step: Step, reference: Reference, codes: Sequence[str]) -> list[Target]:
    """Weigh whether a place cited without its document is in the citing booklet.

    Args:
        targets: where it would be in the citing booklet.
        step: what is cited.
        reference: the phrase; a heading quoted beside the number settles it.
        codes: parts of the CFR that the text has named so far; the Information Security Standards have sections
            numbered like the booklet's, and other parts have appendices.
    """
    if step.level == "heading":
        # A quoted name before the word "section" is a citation only if a section has that name.
        return [target for target in targets if target.resolution != "missing"]
    if reference.rule in _LOOSE and any(target.resolution != "exact" for target in targets):
        return []
    if step.level not in ("section", "appendix") or step.how == "this" or reference.title:
        return list(targets)
    if codes:
        reason = f"{describe(step)} of this booklet or of {codes[-1]}, which the text names before it"
        return [Target("", "ambiguous", reason, 0.5)]
    return [Target(t.eid, t.resolution, t.reason, 0.8 * t.confidence) for t in targets]
