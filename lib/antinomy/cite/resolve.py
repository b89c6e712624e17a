"""Resolves a citation's steps to nodes of a tree, or to the ids they would have in an act outside the corpus."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from antinomy import section_ids as ids
from antinomy.cite.corpus import Tree
from antinomy.cite.model import Path, Step
from antinomy.cite.numbers import members

_EVERYWHERE = {"article", "recital", "annex", "chapter", "part", "title", "appendix", "objective", "table"}
#: Level → types of what its places are in where nothing else is said, the likeliest first.
_HOLDERS = {
    # An article whose number is missing has its heading.
    "paragraph": (("article",), ("annex", "appendix"), ("heading", "section")),
    "subparagraph": (("paragraph",), ("article", "annex", "appendix", "recital", "point", "section")),
}
#: Levels whose places have ids of another type.
_WRITTEN = {"heading": "section", "principle": "rule", "division": "part"}


@dataclass(frozen=True, slots=True)
class Target:
    """Where a path leads.

    Attributes:
        eid: the node; for ``parent`` its nearest ancestor; "" if there is none.
        resolution: ``exact``, ``parent``, ``ambiguous``, ``missing`` or ``external``, of another text.
        reason: why it is not exact, or the assumption behind it.
        confidence: in (0, 1].
    """

    eid: str
    resolution: str
    reason: str = ""
    confidence: float = 1.0


def describe(step: Step) -> str:
    """Put a step into words, for a reason."""
    if step.how == "ordinal":
        return f"{step.level} number {step.value}" if step.value != "last" else f"last {step.level}"
    shown = f"({step.value})" if step.level == "point" else step.value
    return f"{step.level} {shown}".strip()


def locate(tree: Tree, path: Path, here: str) -> list[Target]:
    """Follow a path in a document.

    Args:
        tree: of the document cited.
        path: not empty; without ``that`` steps.
        here: eid of the citing section in the same document, "" when it cites from another one.

    Returns:
        One target for a single place, several for a range.
    """
    first, rest = path[0], path[1:]
    starts = _start(tree, first, here)
    if len(starts) == 1 and starts[0].resolution == "exact" and rest:
        return descend(tree, starts[0], rest, first)
    return starts


def descend(tree: Tree, start: Target, path: Path, previous: Step | None = None) -> list[Target]:
    """Follow the further steps of a path down from a node."""
    reached = [start]
    for step in path:
        if len(reached) != 1 or reached[0].resolution != "exact":
            break
        reached, previous = _inside(tree, reached[0].eid, step, previous), step
    return reached


def _start(tree: Tree, step: Step, here: str) -> list[Target]:
    if step.how == "this":
        return [_this(tree, step, here)]
    if step.how == "previous":
        own = _this(tree, step, here)
        before = tree.adjacent(own.eid, step.value, step.level in _EVERYWHERE) if own.eid else []
        return [Target(eid, "exact") for eid in before] or [Target("", "missing", f"no {step.level} stands before it")]
    if step.level in ("annex", "appendix") and not step.value:
        return one_of(tree.all_of(step.level), step)
    if step.level in _EVERYWHERE or step.level == "section":
        return choose(tree, tree.all_of(step.level), step, "", here)
    if step.level not in _HOLDERS:
        return _nearest(tree, step, here)
    holders = (tree.enclosing(here, *types) for types in _HOLDERS[step.level])
    holder = next((eid for eid in holders if eid), "")
    if not holder:
        return [Target("", "missing", f"{describe(step)} is cited where no {_HOLDERS[step.level][0][0]} surrounds it")]
    return _inside(tree, holder, step, None)


def _this(tree: Tree, step: Step, here: str) -> Target:
    types = {"section": ("section", "subsection"), "point": ("point", "definition")}.get(step.level, (step.level,))
    found = tree.enclosing(here, *types)
    if step.level == "clause":
        # It is what an article is divided into, also where that is a list of definitions.
        inside = takewhile(lambda eid: tree.types[eid] not in ("article", "annex", "appendix"), tree.lineage(here))
        numbered = [eid for eid in inside if tree.types[eid] in ("paragraph", "point", "definition")]
        found = numbered[-1] if numbered else ""
    if not found and step.level == "paragraph":
        # In an article without numbered paragraphs, the block that holds the words.
        found = tree.enclosing(here, "subparagraph") or tree.enclosing(here, "article", "recital")
        block = tree.enclosing(here, "point")
        if block and found and block in tree.lineage(found):
            found = tree.enclosing(here, "article")
    if not found:
        return Target("", "missing", f"no {step.level} surrounds the citation")
    return Target(found, "exact")


def _nearest(tree: Tree, step: Step, here: str) -> list[Target]:
    """Look for a point without a holder: in the citing node, then in its ancestors, innermost first."""
    for above in tree.lineage(here):
        nodes = tree.within(above, step.level)
        if tree.numbered(nodes, step.value):
            return choose(tree, nodes, step, above, here)
    return [Target("", "missing", f"no {describe(step)} where it is cited")]


def one_of(nodes: Sequence[str], step: Step) -> list[Target]:
    """Return the only one of some nodes; more are ambiguous, and none is missing."""
    if len(nodes) == 1:
        return [Target(nodes[0], "exact")]
    if nodes:
        return [Target("", "ambiguous", f"{describe(step)} can be {', '.join(nodes[:5])}")]
    return [Target("", "missing", f"the document has no {describe(step)}")]


def choose(tree: Tree, nodes: Sequence[str], step: Step, holder: str, here: str) -> list[Target]:
    """Pick the node, or the nodes of a range, that carry a step's number."""
    if step.upto:
        return _range(tree, nodes, step, holder)
    found = tree.numbered(nodes, step.value)
    if len(found) > 1 and here:
        found = closest(tree, found, here) or found
    if holder and not found:
        return [Target(holder, "parent", f"{tree.labels[holder]} has no {describe(step)}")]
    return one_of(found, step)


def closest(tree: Tree, found: list[str], here: str) -> list[str]:
    """Keep the nodes that share the innermost ancestor with the citing one, [] if none shares any."""
    for above in tree.lineage(here):
        near = [eid for eid in found if above in tree.lineage(eid)]
        if near:
            return near
    return []


def _order(value: str) -> tuple[int, str, int]:
    """Sort numbers as they count: 2 before 10, 27 before 27a, letters by length and alphabet."""
    match = re.match(r"([0-9]{1,9})(.*)", value)
    return (int(match[1]), match[2], 0) if match else (0, value.rjust(6), 1)


def _range(tree: Tree, nodes: Sequence[str], step: Step, holder: str) -> list[Target]:
    ends = [tree.numbered(nodes, value) for value in (step.value, step.upto)]
    if all(len(end) == 1 for end in ends):
        first, last = nodes.index(ends[0][0]), nodes.index(ends[1][0])
        if first <= last:
            return [Target(eid, "exact") for eid in nodes[first : last + 1]]
    low, high = _order(ids.clean_number(step.value)), _order(ids.clean_number(step.upto))
    if low > high:
        return [_missing(holder, f"{describe(step)} to {step.upto} runs backwards")]
    between = [
        eid for eid in nodes if low <= _order(tree.number(eid)) <= high and low[2] == _order(tree.number(eid))[2]
    ]
    targets = [Target(eid, "exact") for eid in between]
    for value, end in zip((step.value, step.upto), ends, strict=True):
        if not end:
            where = tree.labels[holder] if holder else "the document"
            reason = f"one end of the range is {value}, which {where} does not have"
            targets.append(_missing(holder, reason))
    return targets or [_missing(holder, f"{describe(step)} stands more than once")]


def _missing(holder: str, reason: str) -> Target:
    """Point at what should hold a place that is not there."""
    return Target(holder, "parent" if holder else "missing", reason)


def _inside(tree: Tree, holder: str, step: Step, previous: Step | None) -> list[Target]:
    """Find a step inside a node; ``previous`` is the step that led to the node."""
    if step.level in ("paragraph", "subparagraph", "indent", "sentence") and step.how == "ordinal":
        return _counted(tree, holder, step)
    if step.level in _EVERYWHERE:
        nodes = [eid for eid in tree.all_of(step.level) if holder in tree.lineage(eid)]
        return choose(tree, nodes, step, holder, "")
    first_block = previous is not None and previous.how == "ordinal" and previous.value == "1"
    nodes = tree.within(holder, step.level, through=not first_block)
    if step.level == "paragraph" and not tree.numbered(nodes, step.value):
        # "Article 3(27)" is how definitions are cited, though they are points and there is no paragraph.
        points = tree.within(holder, "point")
        if not nodes and tree.numbered(points, step.value):
            nodes = points
    if step.level == "point" and tree.types[holder] in ("annex", "appendix") and not tree.numbered(nodes, step.value):
        # "Annex I, point 2.1" is how the paragraphs of an annex are cited.
        nodes = tree.within(holder, "paragraph")
    return choose(tree, nodes, step, holder, "")


def _counted(tree: Tree, holder: str, step: Step) -> list[Target]:
    """Find the n-th block, indent or sentence of a node; the first block is the node itself."""
    if step.level == "sentence":
        return [Target(holder, "parent", "a sentence is no section of its own")]
    nodes = tree.within(holder, "paragraph") if step.level == "paragraph" else []
    if step.level == "indent":
        nodes = tree.children(holder, "item", "point")
    elif not nodes:
        nodes = [holder, *tree.children(holder, "subparagraph")]
    found = _nth(nodes, step)
    return found or [Target(holder, "parent", f"{tree.labels[holder]} has no {describe(step)}")]


def _nth(nodes: Sequence[str], step: Step) -> list[Target]:
    if "last" in (step.value, step.upto):
        chosen = nodes[-1 if step.value == "last" else int(step.value) - 1 :]
    else:
        last = int(step.upto or step.value)
        chosen = nodes[int(step.value) - 1 : last] if last <= len(nodes) else []
    return [Target(eid, "exact") for eid in chosen]


# -- acts outside the corpus


def named_eids(path: Path) -> list[str]:
    """Return the ids of a path's places by the naming rule, in an act whose tree is not known.

    Returns:
        One id, or one per member of a range that can be counted through; none where a step has no id
        ("this paragraph" of another act).
    """
    eids = [""]
    for step in path:
        if step.how in ("this", "that", "previous"):
            return []
        if step.level in ("sentence", "indent", "table", "row"):
            break
        if step.how == "ordinal":
            if not step.value.isdigit():
                break
            blocks = range(int(step.value), int(step.upto) + 1) if step.upto.isdigit() else [int(step.value)]
            eids = [eid if n == 1 else ids.join(eid, ids.step("subparagraph", str(n))) for eid in eids for n in blocks]
            continue
        level = _WRITTEN.get(step.level, step.level)
        eids = [ids.join(eid, ids.step(level, value)) for eid in eids for value in members(step.value, step.upto)]
    return [eid for eid in eids if eid]
