"""Section ids: built and parsed here and nowhere else.

An eid follows the Akoma Ntoso naming convention (OASIS, LegalDocML, part 2): ``type_number`` steps joined by
``__``, outermost first: ``art_6__para_3__point_a``. ``section_id`` is ``doc_id#eid``.
"""

from __future__ import annotations

import re
import unicodedata

#: Node type → the abbreviation that stands in an eid.
ABBREVIATIONS: dict[str, str] = {
    "title": "title", "preamble": "preamble", "citation": "cit", "recital": "rec", "part": "part",
    "subpart": "subpart", "chapter": "chp", "section": "sec", "subsection": "subsec",
    "article": "art", "rule": "rule", "schedule": "sched", "paragraph": "para",
    "subparagraph": "subpara", "point": "point", "definition": "point", "annex": "anx",
    "appendix": "app", "heading": "hd", "objective": "obj", "item": "item", "box": "box", "table": "table",
    "footnote": "fn", "conclusions": "concl",
}  # fmt: skip

#: Number of words of a heading that a slug keeps: ids stay readable, and ``Register`` tells repeats apart.
_SLUG_WORDS = 8
_STEP = re.compile(r"^([a-z]+)(?:_(.+))?$", re.DOTALL)


def clean_number(printed: str) -> str:
    """Clean a number as printed: outer punctuation goes, inner becomes ``-``, case is kept.

    >>> clean_number("(a)"), clean_number("II.C.5"), clean_number("3.")
    ('a', 'II-C-5', '3')
    """
    plain = unicodedata.normalize("NFKC", printed)
    return "-".join(re.findall(r"[^\W_]+", plain))


def slug(heading: str) -> str:
    """Make a number for an unnumbered node from its heading: lower-case words joined by ``-``."""
    plain = unicodedata.normalize("NFKD", heading)
    letters = "".join(c for c in plain if not unicodedata.combining(c)).lower().replace("'", "").replace("’", "")
    return "-".join(re.findall(r"[^\W_]+", letters)[:_SLUG_WORDS]) or "untitled"


def step(node_type: str, number: str = "") -> str:
    """Build one step: ``step("point", "(a)")`` is ``point_a``; without a number, the bare type.

    Raises:
        KeyError: for a node type that has no abbreviation.
    """
    cleaned = clean_number(number)
    return f"{ABBREVIATIONS[node_type]}_{cleaned}" if cleaned else ABBREVIATIONS[node_type]


def join(parent: str, last: str) -> str:
    """Append a step (or several, already joined) to a parent's eid; an empty parent adds no prefix."""
    return f"{parent}__{last}" if parent else last


def build(steps: list[tuple[str, str]]) -> str:
    """Build an eid from (abbreviation, number) pairs; the inverse of ``parse``.

    >>> build([("art", "6"), ("para", "3"), ("point", "a")])
    'art_6__para_3__point_a'
    """
    return "__".join(f"{kind}_{number}" if number else kind for kind, number in steps)


def parse(eid: str) -> list[tuple[str, str]]:
    """Split an eid into (abbreviation, number) pairs; the inverse of ``build``.

    Raises:
        ValueError: if it is no eid.
    """
    steps = []
    for part in eid.split("__"):
        match = _STEP.match(part)
        if not match:
            raise ValueError(f"not an eid: {eid!r} (step {part!r})")
        steps.append((match[1], match[2] or ""))
    return steps


def section_id(doc_id: str, eid: str) -> str:
    """Name a section across documents: ``32022R2554#art_6__para_3``."""
    return f"{doc_id}#{eid}"


def split_section_id(section: str) -> tuple[str, str]:
    """Split a section id into doc_id and eid."""
    doc_id, _, eid = section.partition("#")
    return doc_id, eid


class Register:
    """Gives each eid of one document once; a repeat gets ``_2``, ``_3``, … at its last step."""

    def __init__(self) -> None:
        """Start with none given."""
        self._seen: set[str] = set()
        self._times: dict[str, int] = {}

    def claim(self, eid: str) -> str:
        """Return ``eid``, or the first free ``eid_N`` if it is taken."""
        unique, n = eid, self._times.get(eid, 1)
        while unique in self._seen:
            n += 1
            unique = f"{eid}_{n}"
        self._times[eid] = n
        self._seen.add(unique)
        return unique
