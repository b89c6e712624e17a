"""The types of citation finding: tokens, steps, references, rows.

What a phrase says (``Reference``) is kept apart from what it points at (a row of the ``citations`` table), as in
eyecite: the grammars do not know the documents, and the resolver does not know the grammars.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

#: One row of the ``citations`` table.
Row = dict[str, object]


class SectionLike(Protocol):
    """What a citing section has; ``parse.model.Section`` is one, and ``NodeInfo`` tells what each field is."""

    eid: str
    type: str
    number: str
    heading: str
    text: str
    parent_eid: str
    position: int
    label: str


@dataclass(frozen=True, slots=True)
class DocumentInfo:
    """A document that citations may point into.

    Attributes:
        doc_id: CELEX number for EU acts, else a slug.
        title: its title; for a handbook the booklet's name is taken from it.
        aliases: further names by which others cite it ("DORA", "Information Security booklet").
    """

    doc_id: str
    title: str = ""
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NodeInfo:
    """A node that citations may point at: the columns of ``sections`` that resolving needs.

    Attributes:
        doc_id: its document.
        eid: id within the document.
        type: one of the section types.
        number: as printed.
        heading: "" if none.
        parent_eid: id of its parent, "" for a root.
        position: order in the document.
        label: how a lawyer cites it.
    """

    doc_id: str
    eid: str
    type: str
    number: str = ""
    heading: str = ""
    parent_eid: str = ""
    position: int = 0
    label: str = ""


def nodes_of(doc_id: str, sections: Sequence[SectionLike]) -> list[NodeInfo]:
    """Return what the index needs of a parsed document's sections."""
    return [NodeInfo(doc_id, s.eid, s.type, s.number, s.heading, s.parent_eid, s.position, s.label) for s in sections]


@dataclass(frozen=True, slots=True)
class Token:
    """A word, number, bracketed number, act number or mark.

    Attributes:
        kind: ``word``, ``num``, ``paren`` ("(a)"), ``act`` ("2016/679", "2009/110/EC") or ``mark``.
        text: as normalised; for ``paren`` what stands inside the brackets.
        low: ``text`` in lower case.
        start: offset of its first character in the original text.
        end: offset after its last character in the original text.
    """

    kind: str
    text: str
    low: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a citation: "Article 5", "points (a) to (d)", "second subparagraph", "this Article".

    Attributes:
        level: ``article``, ``paragraph``, ``subparagraph``, ``point``, …
        value: the number as printed; "" for ``this`` and ``that`` and an unnumbered annex, "all" for those.
        upto: last number of a range, else "".
        how: ``number``, ``ordinal`` (first, second, last), ``this``, ``that`` or ``previous``; the value of the last
            is "" for one, how many there are, or ``all``.
    """

    level: str
    value: str = ""
    upto: str = ""
    how: str = "number"


#: Steps, outermost first; () is the act as a whole.
Path = tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Act:
    """The instrument that a phrase names.

    Attributes:
        how: ``named``, ``this``, ``that``, ``those`` or ``the``.
        kind: ``regulation``, ``directive``, ``decision``, ``treaty``, ``booklet``, …
        ref: CELEX number or the instrument's usual citation; "" where how is not ``named``, or where an act
            is described and not numbered.
    """

    how: str
    kind: str
    ref: str = ""


@dataclass(slots=True)
class Reference:
    """One phrase: every path in it, of every act in it.

    Attributes:
        start: offset of the phrase in the text.
        end: offset after it.
        paths: what is cited, in order; ``[()]`` for acts as a whole.
        acts: whose provisions they are; empty means that the context says.
        rule: name of the grammar rule.
        kind: overrides the kind of the last step where not "".
        title: a heading quoted beside a number, "" if none.
        paired: "respectively": the n-th path goes with the n-th act.
        confidence: of the reading of the phrase, in (0, 1].
    """

    start: int
    end: int
    paths: list[Path] = field(default_factory=list)
    acts: list[Act] = field(default_factory=list)
    rule: str = ""
    kind: str = ""
    title: str = ""
    paired: bool = False
    confidence: float = 1.0

    @property
    def names_act(self) -> bool:
        """Whether it names an act by number, treaty or alias."""
        return any(act.ref for act in self.acts)
