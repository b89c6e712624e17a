"""Compares a tree with the outline that the writer of a document keyed, whatever the publisher's conventions.

A line of an outline has ``path`` (the numbers of all numbered levels; "" for a paragraph without one, "•" a bullet),
``heading`` and ``text``: its own words.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from antinomy.cite import DocumentInfo, NodeInfo, cite_document, corpus_index
from antinomy.parse.model import ParsedDocument, Section
from antinomy.text.numerals import ORDINALS

#: Words that some outlines keep before a number.
_LEVEL = re.compile(
    r"^(?:[a-z]{3,8} (?=(?:sch|app|tp) ?\d))?"
    r"(?:(?:schedule|(?:\d+ )?annex|appendix|table|objective|title|division|part|chapter|subchapter|subpart|section"
    r"|article|attachment|clause|appended (?:table|form)|(?:\d+ )?[a-z]{2,4}(?:-[a-z]{2,4})?(?= ?\d))\s*)+"
)

#: What statutes of the Commonwealth count in words: "First Schedule".
_COUNTED = re.compile(rf"(?:the )?({'|'.join(ORDINALS)}) (?=schedule$)")
#: Parts that may have no number.
_UNNUMBERED = frozenset({"annex", "appendix", "schedule"})
#: A bullet, or the first line of what an amending act quotes.
_BLOCK = re.compile(r"^[•–-] |\n[‘“]", re.MULTILINE)
#: A row of a table that names its columns, and their names.
_ROW = re.compile(r"(?:(?:\w{1,3}\. )?No\.|[^:;.]{1,60}): .*(?:; [^:;.]{1,60}: |$)", re.DOTALL)
_COLUMN = re.compile(r"(?:^|; )(?:(?:\w{1,3}\. )?No\.|[^:;.]{1,60}): ")


def read(path: Path) -> list[dict[str, Any]]:
    """Return the lines of a JSONL file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def missed(document: ParsedDocument, outline: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the lines of an outline whose words do not stand in one node below the right numbers.

    A row may name its columns; a title may stand in the text, bullets and quoted lines in that of their provision.
    """
    by_eid = {section.eid: section for section in document.sections}
    at: dict[str, list[list[str]]] = {}
    rows: list[tuple[str, list[str], bool]] = []
    for section in document.sections:
        numbers = _numbers(section, by_eid)
        lines = section.text.split("\n") if _BLOCK.search(section.text) else []
        titled = {f"{title} {section.text}" for title in (section.heading, section.term)}
        for words in {section.text, section.heading, *titled, *lines}:
            at.setdefault(_plain(words), []).append(numbers)
        names_columns = bool(_ROW.match(section.text))
        rows.append((_plain(section.text), numbers, names_columns))
        if names_columns:
            at.setdefault(_plain(_COLUMN.sub(" ", section.text)), []).append(numbers)
    return [line for line in outline if not _is_found(line, at, rows)]


def unresolved(document: ParsedDocument, citations: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the citations within a document that do not resolve exactly to what their writer says."""
    by_eid = {section.eid: section for section in document.sections}
    nodes = [
        NodeInfo("text", s.eid, s.type, s.number, s.heading, s.parent_eid, at, s.label)
        for at, s in enumerate(document.sections)
    ]
    corpus = corpus_index([DocumentInfo("text", document.title)], nodes)
    found = [
        (_plain(str(row["raw_text"])), numbers)
        for row in cite_document("text", document.sections, corpus)
        if row["resolution"] == "exact" and row["target_eid"] in by_eid
        for numbers in _places(by_eid[str(row["target_eid"])], by_eid)
    ]
    return [
        line
        for line in citations
        if not all(
            any(
                _overlap(raw, _plain(line["quote"])) and any(_below(way, numbers) for way in _ways(target))
                for raw, numbers in found
            )
            for target in line["targets"]
        )
    ]


def _overlap(one: str, other: str) -> bool:
    """Tell whether one of two citations is a part of the other: some keys list the places of a list one by one."""
    return one in other or other in one


def _path(steps: list[str]) -> list[str]:
    if steps and steps[-1].startswith("Footnote "):
        steps = steps[-1:]
    return [number for step in steps if step != "•" and not step.startswith("Table ") and (number := _number(step))]


def _ways(target: list[str]) -> list[list[str]]:
    """Return the numbers of what a citation means, of a table with and without its own."""
    own = [_number(target[-1])] if target[-1].startswith("Table ") else []
    return [_path(target), *([[*_path(target), *own]] if own else [])]


def _is_found(line: dict[str, Any], at: dict[str, list[list[str]]], rows: list[tuple[str, list[str], bool]]) -> bool:
    path = _path(line["path"])
    text, heading = line["text"], line["heading"]
    if not text and not heading:
        return any(_below(path, numbers) for found in at.values() for numbers in found)
    if " | " in text or line.get("cells"):
        # The number of a row may be one of its cells.
        cells = [_plain(cell) for cell in line.get("cells", text.split(" | ")) if cell != line["path"][-1]]
        # The row's own number, the table's or the annex's.
        ways = (path, path[:-1], path[:1])
        return any(
            all(cell in words for cell in cells) and any(_below(way, numbers) for way in ways if way)
            for words, numbers, _ in rows
        )
    forms = {_plain(text or heading), _plain(f"{heading} {text}"), _plain(f"{line.get('term', '')} {text}")}
    if any(_below(path, numbers) for form in forms for numbers in at.get(form, [])):
        return True
    if _ROW.match(text):
        # The number of a row may be one of its cells, and a tree may not name the columns.
        cells = [_plain(cell) for cell in _COLUMN.split(text) if cell]
        return any(
            all(cell in words or numbers[-1:] == [cell] for cell in cells)
            and any(_below(path, way) for way in (numbers, numbers[:-1]))
            for words, numbers, _ in rows
        )
    cell = _plain(text)
    return bool(text) and any(
        cell in words and (bool(line.get("term")) or names_columns) and _below(path, numbers)
        for words, numbers, names_columns in rows
    )


def _below(path: list[str], numbers: list[str]) -> bool:
    """Tell whether a node has the innermost number of a path and those around it, in this order."""
    if not path:
        return True
    if not numbers or not _same(path[-1], numbers[-1]):
        return False
    rest, inner = numbers[:-1], path[-1]
    for step in reversed(path[:-1]):
        outer = next((at for at in reversed(range(len(rest))) if _same(step, rest[at])), None)
        if outer is not None:
            rest = rest[:outer]
        elif not inner.startswith(step):
            return False
        inner = step
    return True


def _same(one: str, other: str) -> bool:
    # "8.1.1R" and "8.1.1" are one rule; of "2.1.3" some trees keep the last part.
    short, long = sorted((one, other), key=len)
    return short == long or (long.startswith(short) and long[len(short) :].isalpha()) or long.endswith(f".{short}")


def _number(step: str) -> str:
    # "II.B.2(a)" is one number in some outlines, and the last mark of it in the tree.
    step = re.sub(r"(?<=\w)\(", ".", step.replace("–", "-").replace("-.", "-"))
    small = re.sub(r"^(?:section )?\d+\.(?=appendix|table)", "", re.sub(r"[^\w. -]", "", step).strip(". ").lower())
    if counted := _COUNTED.match(small):
        return str(ORDINALS.index(counted[1]) + 1)
    return _LEVEL.sub("", small).replace(" ", "") or small


def _places(section: Section, by_eid: dict[str, Section]) -> list[list[str]]:
    """Return the numbers of a node and those around it; some outlines name a table, which is no level in a path."""
    numbers = _numbers(section, by_eid)
    return [numbers, numbers[:-1]] if section.type == "table" and section.number else [numbers]


def _numbers(section: Section, by_eid: dict[str, Section]) -> list[str]:
    line = [section]
    while line[-1].parent_eid:
        line.append(by_eid[line[-1].parent_eid])
    # An annex without a number is a level of some outlines.
    names = [above.number or (above.type if above.type in _UNNUMBERED else "") for above in reversed(line)]
    if section.type == "footnote":
        # In the tree it stands behind the text, whatever it hangs on.
        return [f"footnote{section.number}"]
    return [_number(name) for name in names if name]


def _plain(text: str) -> str:
    # A sourcebook prints "8.2.4 R" and "8.2.4R".
    text = re.sub(r"(?<=\d)\s+(?=[RGED]\b)", "", text.replace("\u00ad", ""))
    return " ".join(re.sub(r"[^\w%€$£]+", " ", text.casefold()).split())
