"""Places in a handbook: sections by dotted number, appendices, objectives, headings."""

from __future__ import annotations

from collections.abc import Sequence

from antinomy.cite.corpus import Tree
from antinomy.cite.model import Path, Reference, Step
from antinomy.cite.names import name_key
from antinomy.cite.resolve import Target, describe, locate, one_of
from antinomy.cite.resolve_outline import locate_outline

#: Kinds of citation that are resolved here.
KINDS = {"section", "appendix", "objective", "heading"}


def locate_place(tree: Tree, path: Path, title: str, here: str) -> list[Target]:
    """Find a handbook's section ("II.C.5"), appendix, objective or heading.

    ``title`` is the heading quoted beside the number, which must agree with it, "" if none; ``here`` the eid of the
    citing section in the same booklet, or "".
    """
    if path[0].level == "heading":
        return one_of(tree.headed(path[0].value), path[0])
    targets = locate_outline(tree, path, "") if path[0].level == "section" else locate(tree, path, here)
    return _checked(tree, targets, title) if title else targets


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
    """Weigh whether a place cited without its document is in the citing booklet, where it would be at ``targets``.

    A heading quoted beside the number settles it. It may else be one of ``codes``, the parts of the CFR that the text
    has named so far: they have sections numbered like the booklet's, and appendices.
    """
    if step.level == "heading":
        # A quoted name before the word "section" is a citation only if a section has that name.
        return [target for target in targets if target.resolution != "missing"]
    if step.level not in ("section", "appendix") or reference.title:
        return list(targets)
    if codes:
        reason = f"{describe(step)} of this booklet or of {codes[-1]}, which the text names before it"
        return [Target("", "ambiguous", reason, 0.5)]
    return [Target(t.eid, t.resolution, t.reason, 0.8 * t.confidence) for t in targets]
