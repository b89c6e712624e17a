"""Units: what gets compared. A unit is a provision with its list items, in its context.

Which nodes are provisions of their own, and which belong to the one above, is decided here, for every regime.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from antinomy.parse.numbered.beside import HISTORY
from antinomy.parse.structure import fault as structure_fault

#: Not provisions: they bind nobody, or hold no text of their own.
_NEVER = frozenset({"title", "preamble", "citation", "recital", "footnote", "conclusions"})
#: What made or changed a provision demands nothing: "History: Eff. 3-1-2031." and "[Amended on 4 May 2031]".
_CHANGES = re.compile(
    r"(?!.*\b(?:shall|must|should|may|will)\b)"
    rf"(?:{HISTORY.pattern}|\[[^\[\]]{{0,80}}\b(?i:amend|delet|insert|substitut|added|repeal|revoked)[^\[\]]{{0,80}}\]$)"
)
#: List items: they read only together with the words that introduce them.
_ITEMS = frozenset({"point", "item", "table"})
#: Stands between the headings of a path.
PATH_SEPARATOR = " › "
#: Of an item: a second sentence, or a verb that demands behind its subject.
_RULE = re.compile(r"[a-z)][.] [A-Z]|\w (?:shall|must|should)\b")
#: A title has no more words, and none of these, nor a second sentence.
_LONGEST_TITLE = 14
_STATES = re.compile(
    r"[:;—]$|[a-z)] ?[.] ?\n?[A-Z]|\b(?:is|are|was|were|be|has|have|shall|must|should|may|can|will|that|which)\b"
)
_SENTENCE_END = re.compile(r"(?<=[.;:?!])\s+")


class Node(structure_fault.Node, Protocol):
    """The columns of ``sections`` that units are made of."""

    term: str


@dataclass(frozen=True, slots=True)
class Part:
    """A member of a unit: the lead (the provision's own words) or an item below it."""

    eid: str
    text: str


@dataclass(slots=True)
class Provision:
    """A provision before it is cut to the model's window.

    Attributes:
        eid: of the section that the unit is.
        label: how a lawyer cites it.
        heading_path: headings from the outermost down, joined by `` › ``.
        parts: the lead first, then what belongs to it in reading order.
        definitions: texts of the defined terms that it uses, most specific first.
    """

    eid: str
    label: str
    heading_path: str
    parts: list[Part]
    definitions: list[str] = field(default_factory=list)


def provisions(nodes: Sequence[Node]) -> list[Provision]:
    """Gather the provisions of one document.

    A node with words of its own is a provision unless it is a list item, or a further subparagraph, of a node
    that has words: then it belongs to that one. Items under a bare heading stand alone, and so do points that are
    rules by their own words; these have the words that introduce them in front.

    Args:
        nodes: of one document, parents before children, in reading order.
    """
    by_eid = {node.eid: node for node in nodes}
    leads = _find_leads(nodes)
    owner: dict[str, str] = {}
    gathered: dict[str, Provision] = {}
    for node in nodes:
        if node.type in _NEVER or node.eid in leads or _CHANGES.match(node.text):
            continue
        parent = by_eid.get(node.parent_eid)
        if parent is not None and parent.eid in leads and node.type in _ITEMS:
            owner[node.eid] = node.eid
            parts = [Part(parent.eid, parent.text), *([Part(node.eid, _text_with_number(node))] if node.text else [])]
            gathered[node.eid] = Provision(node.eid, node.label, heading_path(node, by_eid), parts)
            continue
        joins = parent is not None and parent.eid in owner and (
            node.type in _ITEMS or (node.type == "subparagraph" and bool(parent.text)) or _continues(parent, node)
        )  # fmt: skip
        if joins and parent is not None:
            root = owner[parent.eid]
            owner[node.eid] = root
            if node.text:
                gathered[root].parts.append(Part(node.eid, _text_with_number(node, joins=True)))
        elif node.text:
            owner[node.eid] = node.eid
            text = _definition_text(node) if node.type == "definition" else _text_with_number(node)
            gathered[node.eid] = Provision(node.eid, node.label, heading_path(node, by_eid), [Part(node.eid, text)])
    found = list(gathered.values())
    _attach_definitions(found, nodes)
    return found


def _find_leads(nodes: Sequence[Node]) -> set[str]:
    """Find what only introduces rules, each a sentence or more: "The keeper must do the following: …", or a title."""
    below: dict[str, list[Node]] = {}
    for node in nodes:
        below.setdefault(node.parent_eid, []).append(node)
    return {
        node.eid
        for node in nodes
        if (_is_title(node) or (node.text.endswith((":", "—")) and node.type not in _ITEMS))
        and _are_rules(below.get(node.eid, []), below)
    }


def _is_title(node: Node) -> bool:
    """Tell whether a text is no more than its title: "(2) Lamps of schools. (A) …"."""
    words = node.text.split()
    titled = node.type in ("point", "paragraph", "subsection")
    return titled and 0 < len(words) <= _LONGEST_TITLE and not _STATES.search(node.text)


def _are_rules(nodes: Sequence[Node], below: Mapping[str, Sequence[Node]]) -> bool:
    """Tell whether all items are points of whole sentences that demand something, or that have items themselves."""
    items = [node for node in nodes if node.type in _ITEMS]
    return len(items) > 1 and all(node.type == "point" and _is_rule(node, below.get(node.eid, ())) for node in items)


def _is_rule(item: Node, below: Sequence[Node]) -> bool:
    if item.text and not (below and _is_title(item)):
        return item.text.endswith(".") and bool(_RULE.search(item.text))
    return bool(below) and all(child.type in _ITEMS for child in below)


def _continues(parent: Node, node: Node) -> bool:
    """Tell whether a paragraph goes on with the sentence above it: "No keeper shall light a lamp that (a) leaks"."""
    unfinished = parent.text[-1:] not in ("", ".", ";", "?", "!")
    return node.type == "paragraph" and unfinished and node.text[:1].islower()


def _text_with_number(node: Node, joins: bool = False) -> str:
    if node.type == "item":
        return f"• {node.text}"
    numbered = node.type == "point" or (joins and node.type == "paragraph")
    return f"({node.number}) {node.text}" if numbered and node.number else node.text


def _definition_text(node: Node) -> str:
    """Return the text of a definition with its term, also where the term is a heading or in a column of its own."""
    meaning = node.text
    # "Lamp. A light on a pier" and "Lamp—a light on a pier"
    for mark in (". ", "—", " — ", "―", "–", " – "):
        meaning = meaning.removeprefix(f"{node.term}{mark}")
    # A later sentence may say what the term does not cover.
    if meaning == node.text and node.term.lower() in node.text.lower().partition(". ")[0]:
        return node.text
    return f"‘{node.term}’ means {meaning}"


def nearest_heading(path: str) -> str:
    """Return the innermost heading of a path, "" of an empty one."""
    return path.rpartition(PATH_SEPARATOR)[2]


def heading_path(node: Node, by_eid: dict[str, Node]) -> str:
    """Return the headings above and of a node, outermost first, joined by `` › ``."""
    headings: list[str] = []
    current: Node | None = node
    while current is not None:
        if current.heading and current.type != "title":
            headings.append(current.heading)
        current = by_eid.get(current.parent_eid)
    return PATH_SEPARATOR.join(reversed(headings))


def _attach_definitions(found: list[Provision], nodes: Sequence[Node]) -> None:
    """Attach to each provision the definitions of the terms that it uses, longest term first."""
    defined = {node.term.lower(): node for node in nodes if node.type == "definition" and node.term}
    if not defined:
        return
    longest_first = sorted(defined, key=len, reverse=True)
    # Plural and possessive endings are still the term; inner white space may be any.
    alternatives = "|".join(re.escape(term).replace(r"\ ", r"\s+") for term in longest_first)
    pattern = re.compile(rf"(?<!\w)({alternatives})(?:s|es)?(?!\w)", re.IGNORECASE)
    for provision in found:
        text = " ".join(part.text for part in provision.parts)
        used: list[str] = []
        for match in pattern.finditer(text):
            term = " ".join(match[1].lower().split())
            if term not in used and defined[term].eid != provision.eid:
                used.append(term)
        used.sort(key=lambda term: (-len(term), term))
        provision.definitions = [_definition_text(defined[term]) for term in used]


def context(provision: Provision, cited: Sequence[str], kinds: Sequence[str], budget: int, count: TokenCount) -> str:
    """Compose what is prepended to a unit, within a budget of tokens.

    Args:
        provision: with its heading path and definitions.
        cited: openings of the texts that it cites, "label: text" each.
        kinds: which of ``headings``, ``definitions``, ``cited`` to use; the order is the order of worth.
        budget: tokens at most; a definition or an opening that no longer fits is left out whole.
        count: counts the tokens of a text.
    """
    candidates: dict[str, list[str]] = {
        "headings": [provision.heading_path] if provision.heading_path else [],
        "definitions": provision.definitions,
        "cited": list(cited),
    }
    lines: list[str] = []
    left = budget
    for kind in kinds:
        for line in candidates[kind]:
            cost = count(line)
            if cost <= left:
                lines.append(line)
                left -= cost
    return "\n".join(lines)


TokenCount = Callable[[str], int]


def split(provision: Provision, budget: int, count: TokenCount) -> list[str]:
    """Cut a provision into texts of at most ``budget`` tokens, never silently losing a word.

    Cuts fall between items; every later piece repeats the lead so that it reads alone, if the lead takes less
    than half of the budget. An item that is too long itself is cut between sentences, a sentence between words.

    Returns:
        One text per piece; a single one for a provision that fits.
    """
    whole = "\n".join(part.text for part in provision.parts)
    if count(whole) <= budget:
        return [whole]
    lead = provision.parts[0].text
    repeated = len(provision.parts) > 1 and count(lead) < budget // 2
    room = budget - count(lead) if repeated else budget
    fragments: list[str] = []
    for part in provision.parts[1:] if repeated else provision.parts:
        fragments += _fragments(part.text, room, count)
    pieces: list[str] = []
    current: list[str] = []
    used = 0
    for fragment in fragments:
        cost = count(fragment)
        if current and used + cost > room:
            pieces.append("\n".join(current))
            current, used = [], 0
        current.append(fragment)
        used += cost
    pieces.append("\n".join(current))
    return [f"{lead}\n{piece}" for piece in pieces] if repeated else pieces


def joined(pieces: Sequence[str]) -> str:
    """Join the pieces of a provision that ``split`` has made; later ones repeat the lead, which is dropped."""
    first = pieces[0].split("\n")
    whole = list(first)
    for piece in pieces[1:]:
        lines = piece.split("\n")
        whole += lines[1:] if lines[0] == first[0] else lines
    return "\n".join(whole)


def _fragments(text: str, room: int, count: TokenCount) -> list[str]:
    """Cut a text into fragments of at most ``room`` tokens, between sentences, else between words."""
    if count(text) <= room:
        return [text]
    chunks: list[str] = []
    for sentence in _SENTENCE_END.split(text):
        chunks += [sentence] if count(sentence) <= room else _packed(sentence.split(), room, count)
    return [fragment for fragment in _packed(chunks, room, count) if fragment]


def _packed(chunks: Sequence[str], room: int, count: TokenCount) -> list[str]:
    """Join chunks in their order to as few as the room allows; a chunk that is too long itself stays alone."""
    packed = [""]
    for chunk in chunks:
        joined = f"{packed[-1]} {chunk}".strip()
        if packed[-1] and count(joined) > room:
            packed.append(chunk)
        else:
            packed[-1] = joined
    return packed
