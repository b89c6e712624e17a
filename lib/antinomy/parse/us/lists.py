"""What stands in a handbook's lists: list markers, glossaries, abbreviations, references."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from antinomy.parse.model import Line
from antinomy.parse.us.blocks import Block
from antinomy.parse.us.tables import Row

#: Kinds of list numbers, outermost first; every other marker is a bullet, and each shape a kind of its own.
NUMBERS = ("1.", "a.", "(1)", "(a)")

_TERM = (
    re.compile(r"([^:.]{2,90}?)\s*:\s+(.+)", re.DOTALL),
    re.compile(r"(.{2,90}?)(?:\s+[-–—―]\s+|[—―](?=\w))(.+)", re.DOTALL),
    # A heading that runs into its text; a sentence has a verb.
    re.compile(
        r"(?![^.]*\b(?:is|are|was|has|have|means?|may|must|shall|should|can|see|refer)\b)"
        r"([A-Z][^\s.:]*(?: [^\s.:]+){0,5})\.\s+(?=[A-Z])(.+)",
        re.DOTALL,
    ),
)
#: An abbreviation at the head of a line: capitals in it.
_SHORT = re.compile(r"(?=\S*[A-Z]\S*[A-Z])\S+(?: Letter| Handbook)?\s")
#: What a reference begins with.
_SOURCE = re.compile(
    r"\d+ (?:USC|U\.S\.C|CFR)|Regulation [A-Z],|"
    r"(?:FIL|SR|OCC|NCUA|CFPB|FRB|NIST|Public Law|Pub\. L\.|Thrift|CEO)\b"
)


def kind(marker: str) -> str:
    """Name the kind of a list marker.

    >>> kind("12."), kind("(iv)"), kind("•")
    ('1.', '(a)', '•')
    """
    bare = marker.strip("().")
    if not bare.isalnum() or marker in ("o", "O"):
        return marker
    style = "(1)" if marker.startswith("(") else "1."
    return style if bare.isdecimal() else style.replace("1", "a")


def rank(of: str) -> int:
    """Order the kinds of list markers from the outermost in."""
    return NUMBERS.index(of) if of in NUMBERS else 9 if of == "•" else 10


def definition(text: str) -> tuple[str, str] | None:
    """Split a paragraph of a glossary into term and text: "Term: text", "Term - text" or "Term. Text"."""
    found = [match for pattern in _TERM if (match := pattern.fullmatch(text))]
    if not found:
        return None
    first = min(found, key=lambda match: match.end(1))
    return None if first[1].lower() == "note" else (first[1], first[2])


#: Shortest text of a cell that stands alone in its row and goes on with the entry above.
_SHORTEST = 4


def row_definitions(rows: Sequence[Row], join: Callable[[list[str]], str]) -> Iterator[tuple[str, str, Row]]:
    """Read a glossary that is a table of terms, definitions and, in a third column, their sources.

    A row without a term is a further definition of the term above it.

    Args:
        rows: of the table.
        join: folds printed lines into text.

    Yields:
        Term, definition with its source on a line of its own, and the row.
    """
    printed = [[join(cell) for cell in row.cells] for row in rows]
    # A row of one cell goes on with the entry above it, or is a letter between the entries.
    cells = [row if len(row) > 1 else ["", *row] for row in printed]
    named = Counter(" ".join(rest).strip() for _, _, *rest in cells)
    usual = [source for source, times in named.items() if source and times >= 3]
    term = ""
    for number, ((name, text, *rest), row) in enumerate(zip(cells, rows, strict=True)):
        if name.lower() in ("term", "terms") and text.lower().startswith("definition"):
            continue
        if len(printed[number]) == 1 and (len(text) < _SHORTEST or not term):
            continue
        term = name or term
        source = " ".join(rest).strip()
        if not source and (run_in := next((known for known in usual if text.endswith(f". {known}")), "")):
            text, source = text.removesuffix(run_in).rstrip(), run_in
        yield term, f"{text}\nSource: {source}" if source else text, row


def abbreviations(block: Block) -> list[tuple[str, list[str], Line]]:
    """Read a list of abbreviations, a line each.

    Returns:
        Short form, lines of the long one, the line where it begins; empty if it is no such list.
    """
    found: list[tuple[str, list[str], Line]] = []
    for line in block.lines:
        short = _SHORT.match(line.text)
        if found and line.x > block.x + 30:
            found[-1][1].append(line.text)
        elif line.stops or short:
            offset = line.stops[0][0] if line.stops else short.end() if short else 0
            found.append((line.text[:offset].strip(), [line.text[offset:].strip()], line))
        else:
            return []
    return found


def entries(block: Block) -> list[list[Line]]:
    """Cut a list of references, set with hanging indents or a line each, into its entries."""
    found: list[list[Line]] = []
    hanging = any(line.x > block.x + 3 for line in block.lines)
    for line in block.lines:
        ended = hanging or bool(found and re.search(r"[”\").’]\W*$", found[-1][-1].text))
        if not found or (line.x <= block.x + 3 and ended) or _SOURCE.match(line.text):
            found.append([line])
        else:
            found[-1].append(line)
    return found


def markdown_rows(block: Block) -> list[Row]:
    """Read a Markdown table; empty if the block is none."""
    if not all(line.text.startswith("|") for line in block.lines):
        return []
    rows = [line.text.strip("| ").split("|") for line in block.lines]
    return [Row([[cell.strip()] for cell in row]) for row in rows if re.search(r"\w", "".join(row))]
