"""Texts of a tree that hold more than one provision, numbers and markup left in them, headings that hold nothing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from antinomy.parse.labels import EMPTY_BY_DESIGN, leading_labels
from antinomy.parse.named_labels import ANNEX_TYPES
from antinomy.parse.ordinals import breaks, places
from antinomy.parse.structure.fault import BREAK_COST, NO_CHANCE, Fault, Node

#: A unit of more words holds more than one provision, as a rule.
MOST_WORDS = 400
#: A provision has at least so many words where it is one of a text that runs on.
_TYPICAL_WORDS = 100
#: A paragraph of the text itself that it cites: margin no. 12, paragraph 12; not paragraph 12 of another act.
_CITED_NUMBER = re.compile(
    r"\b(?:margin(?:al)? (?:no|number)s?|paragraphs?|paras?)\.? (\d{1,3})\b"
    r"(?![.(]?\w|\s?\(|,? (?:of|to|in) (?!this\b))",
    re.IGNORECASE,
)
#: So many numbers that are cited, and such a share of them, are not lost by chance.
_OFTEN, _MIN_LOST = 5, 0.75
_LABEL = re.compile(r"(?:^|\n)\(?(\d{1,3}(?:\.\d{1,3}){0,3}|[a-z]{1,4}|[A-Z])[.)]\)?\s+(?=\S)")
#: Larger parts, which may follow an empty heading.
_LARGE_PARTS = ANNEX_TYPES | {"part", "subpart", "title", "chapter", "footnote"}
#: A number and what looks like a heading: a short line without a final stop.
_TITLED = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,2})[.)]?\s+[A-Z][^.;:]{2,100}")
#: A heading that is counted: a word and a number, or a number of several parts. So many are no chance.
_NUMBERED = re.compile(
    r"([A-Za-z][A-Za-z-]{2,})\W{1,5}(\d{1,3}(?:\.\d{1,3})*[a-z]?|[IVXLC]{1,7}|[A-Z])(?![\w’'])"
    r"|(?:[A-Z]{1,5}|\d{1,4})(?:[.–-]{1,2}\d{1,4})+[.)]?\s"
)
#: A handbook may count a few of its headings ("Composite - 1") that are no parts of it.
_MIN_SHARE = 0.1
#: Letters, digits and signs before a capital: LS/07, a number in a style that no grammar knows.
_CODE = re.compile(r"^\(?[A-Z]+[A-Za-z]?[./:_-]?\d[\w./:-]*(?=\s+[A-Z])")
#: The meaning of a term; two of them without a stop between are two definitions.
_MEANING = re.compile(r"\bmeans (?:an?|any|the|all|each|every|one|such)\b")
_STOP = re.compile(r"[.;:]")
#: What stands before a number that is cited; 1.1.1 or 1.1.1.a after other words begins the next column of a table.
_CITES = re.compile(
    r"\b(?:in|of|to|by|or|and|see|with|from|under|rules?|para|items?|clauses?|sections?|paragraphs?|principles?"
    r"|objectives?|guidelines?|requirements?|standards?)\W*$",
    re.IGNORECASE,
)
#: No more of a document's words than this share stands in rows and paragraphs that nothing numbers or heads.
_MOST_BARE = 0.5
#: Without provisions, or beside them.
_NO_PROVISIONS = frozenset({"title", "preamble", "conclusions", "footnote"})
#: Signs of Markdown, rules and empty cells of its tables, tags and entities of HTML, that a reader did not know.
_MARKUP = re.compile(
    r"^(?::{3}|\+[-=+]{5,}\+)|\{[#.][\w-][^{}]*\}|\|\s*\||&(?:[a-z]{2,6}|#\d+);"
    r"|</?(?:[abipu]|br|div|em|font|h[1-6]|hr|img|li|ol|span|strong|su[bp]|table|t[drh]|ul)(?:\s[^<>]*)?/?>",
    re.MULTILINE,
)
_QUOTES = '‘“„‚»«"'


def overfull_texts(nodes: Sequence[Node]) -> Iterator[Fault]:
    """Find text that holds several provisions, numbers that were left in it, and text that hangs on the root."""
    usual = _usual_length(nodes)
    for node in nodes:
        count = len(node.text.split())
        cost = count / max(usual, _TYPICAL_WORDS)
        on_root = f"{node.label}: {count:,} words hang on the root"
        if node.type in _NO_PROVISIONS and not node.parent_eid:
            if node.type in ("title", "preamble") and count > MOST_WORDS:
                yield Fault("root", node.eid, on_root, cost)
            continue
        if not node.parent_eid and not node.number and not node.heading and count > usual:
            yield Fault("root", node.eid, on_root, cost)
        elif count > MOST_WORDS and node.type not in ("table", "box"):
            yield Fault("long", node.eid, f"{node.label}: {count:,} words in one unit", cost)
        if terms := sum(count for part in _STOP.split(node.text) if (count := len(_MEANING.findall(part))) > 1):
            yield Fault("labels", node.eid, f"{node.label}: {terms} definitions run into one another", float(terms))
        if left := _left(node.text):
            message = f"{node.label}: {len(left)} numbers stand in its text, from {left[0]} on"
            yield Fault("labels", node.eid, message, float(len(left)))


def merged_columns(nodes: Sequence[Node]) -> Iterator[Fault]:
    """Find texts that repeat their own number before a capital: the columns of a table run into one another."""
    found = [node for node in nodes if "." in node.number and _repeats(node)]
    if len(found) >= NO_CHANCE:
        for node in found:
            yield Fault("labels", node.eid, f"{node.label}: its number stands in its text, as in the next column", 1.0)


def unread_numbers(nodes: Sequence[Node]) -> Iterator[Fault]:
    """Find provisions without a number whose words begin with one: the grammar does not know how it is printed."""
    found: list[tuple[Node, str]] = []
    for node in nodes:
        if not node.number and node.type in ("subparagraph", "paragraph", "heading"):
            text = (node.heading or node.text)[:120]
            marks = [mark.printed for mark in leading_labels(text) if mark.firm >= 1 and mark.style != "bullet"]
            if codes := marks or _CODE.findall(text):
                found.append((node, codes[0]))
    if len(found) >= NO_CHANCE and len(found) > _MIN_SHARE * len(nodes):
        node, printed = found[0]
        message = (
            f"{node.label}: {len(found)} provisions begin with numbers that the tree does not tell, as {printed} here"
        )
        yield Fault("unread", node.eid, message, float(len(found)))


def lost_numbers(nodes: Sequence[Node]) -> Iterator[Fault]:
    """Find numbers by which the text cites its paragraphs again and again while the tree has none of them."""
    cited = {int(match[1]) for node in nodes for match in _CITED_NUMBER.finditer(node.text)}
    known = {node.number for node in nodes}
    lost = {number for number in cited if str(number) not in known}
    bare = [node for node in nodes if node.text and not node.number and node.type in ("subparagraph", "item")]
    if len(lost) >= _OFTEN and len(lost) > _MIN_LOST * len(cited) and len(bare) >= len(lost):
        message = f"{bare[0].label}: the text cites {len(lost)} numbers of paragraphs that the tree does not tell"
        yield Fault("unread", bare[0].eid, message, float(min(len(bare), max(lost))))


def bare_texts(nodes: Sequence[Node], by_eid: dict[str, Node]) -> Iterator[Fault]:
    """Find a tree that is a mere pile: most of its words stand in rows or paragraphs without a number or a heading."""
    bare: list[Node] = []
    words = loose = 0
    for node in nodes:
        if not node.text or node.type in _NO_PROVISIONS:
            continue
        count = len(node.text.split())
        words += count
        above, named = by_eid.get(node.parent_eid), bool(node.number or node.heading)
        row = above is not None and above.type == "table"
        while above is not None and not named and not row:
            named = above.type != "title" and bool(above.number or above.heading)
            above = by_eid.get(above.parent_eid)
        if not named:
            bare.append(node)
            loose += count
    if loose > _MOST_BARE * words:
        share = f"{loose / words:.0%} of the words"
        message = f"{bare[0].label}: {share} stand in {len(bare)} rows and paragraphs without a number or a heading"
        yield Fault("bare", bare[0].eid, message, float(len(bare)))


def markup(nodes: Sequence[Node]) -> Iterator[Fault]:
    """Find marks of a format in the words: its reader took them for text, and what they set apart for one."""
    found = [(node, match) for node in nodes if (match := _MARKUP.search(f"{node.heading}\n{node.text}"))]
    if len(found) >= NO_CHANCE:
        (node, match), *_ = found
        message = f"{node.label}: {len(found)} provisions hold marks of the file's format, as {match[0][:20]} here"
        yield Fault("markup", node.eid, message, float(len(found)))


def _repeats(node: Node) -> bool:
    again = re.finditer(rf"(?<![\w.]){re.escape(node.number)}(?:\.?[a-z])?\s+[A-Z]", node.text)
    return any(not _CITES.search(node.text[max(0, match.start() - 20) : match.start()]) for match in again)


def headings_in_texts(nodes: Sequence[Node]) -> Iterator[Fault]:
    """Find numbered headings that were left in texts one by one: what they should hold hangs elsewhere."""
    found: list[tuple[int, str]] = []
    for at, node in enumerate(nodes):
        matches = (_TITLED.fullmatch(block) for block in node.text.split("\n")[1:])
        found += [(at, match[1]) for match in matches if match]
    if len(found) < 2 or len(breaks([number for _, number in found])) > len(found) // 3:
        return
    (first, number), (last, _) = found[0], found[-1]
    message = f"{nodes[first].label}: {len(found)} numbered headings stand in texts, from {number} on"
    yield Fault("labels", nodes[first].eid, message, float(max(last - first, len(found))))


def empty_headings(nodes: Sequence[Node]) -> Iterator[Fault]:
    """Find numbered headings without anything below them: many, or beside a list that holds what should be there."""
    holders = {node.parent_eid for node in nodes}
    headed = [at for at, node in enumerate(nodes) if node.number and node.heading and not node.text]
    empty = [at for at in headed if nodes[at].eid not in holders and _should_hold(nodes, at)]
    # What stands between headings may have been read behind them.
    often = len(empty) >= NO_CHANCE and 4 * len(empty) > len(headed)
    for at in empty:
        node, after = nodes[at : at + 2]
        first = after.type == "heading" or any(value == 1 for _, value in places(after.number))
        if (first and after.eid in holders) or (often and node.type == "section"):
            ends = (k for k in range(at + 2, len(nodes)) if nodes[k].type == node.type)
            message = f"{node.label} holds nothing; {after.label} stands beside it"
            yield Fault("headings", node.eid, message, float(next(ends, len(nodes)) - at - 1))


def _should_hold(nodes: Sequence[Node], at: int) -> bool:
    ends = at + 1 == len(nodes) or nodes[at + 1].type in _LARGE_PARTS
    return not ends and not EMPTY_BY_DESIGN.search(nodes[at].heading)


def counted_headings(nodes: Sequence[Node]) -> Iterator[Fault]:
    """Find numbers that were left in headings.

    "Article (1): Scope", "Article (2): Terms" are parts that the tree knows by their words alone.
    """
    holds = Counter(node.parent_eid for node in nodes)
    words: dict[str, list[tuple[Node, str]]] = {}
    for node in nodes:
        if node.type == "heading" and not node.number and (match := _NUMBERED.match(node.heading)):
            words.setdefault((match[1] or "").lower(), []).append((node, match[2] or ""))
    for word, found in words.items():
        if len(found) < NO_CHANCE or len(breaks([number for _, number in found])) > len(found) // 5:
            continue
        node = found[0][0]
        number = node.heading.split(" ", 1)[0]
        message = f"{node.label}: {len(found)} headings are counted ({word or number}), which the tree does not tell"
        # What a heading of nothing should hold hangs elsewhere.
        cost = sum(1 + holds[each.eid] if each.text or holds[each.eid] else BREAK_COST for each, _ in found)
        if cost > _MIN_SHARE * len(nodes):
            yield Fault("headings", node.eid, message, cost)


def orphan_notes(nodes: Sequence[Node]) -> Iterator[Fault]:
    """Find notes to nothing."""
    notes = [node for node in nodes if node.type == "footnote" and node.number and " to " not in node.label]
    if len(notes) - len({node.number for node in notes}) >= NO_CHANCE:
        message = f"{notes[0].label}: {len(notes)} notes, counted anew, to which nothing in the text leads"
        yield Fault("notes", notes[0].eid, message, float(len(notes)))


def _usual_length(nodes: Sequence[Node]) -> int:
    lengths = sorted(len(node.text.split()) for node in nodes if node.text)
    return max(20, lengths[len(lengths) // 2]) if lengths else 20


def _left(text: str) -> list[str]:
    """Return the numbers at the beginnings of a text's blocks that make a sequence: they should be nodes."""
    if "\n" not in text or any(block[:1] in _QUOTES for block in text.split("\n")):
        return []
    numbers = [match[1] for match in _LABEL.finditer(text)]
    if len(numbers) < 2 or len(breaks(numbers)) > len(numbers) // 3:
        return []
    return numbers
