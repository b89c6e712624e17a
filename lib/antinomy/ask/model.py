"""The query forms, and the types of an answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Role = Literal[
    "deadline", "retention", "frequency", "notice", "duration", "amount", "percentage", "money", "distance", "count"
]
Relation = Literal["conflict", "stricter", "definition", "overlap", "none"]

#: Number of sections up to which a provision is shown whole; a longer one is shown by its table of contents.
MOST_SHOWN = 12


class _Form(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    #: A regime's name, "" for all.
    regime: str = ""


class Provision(_Form):
    """What a provision says. ``place`` is its label, as in "Article 11(4)"."""

    form: Literal["provision"] = "provision"
    place: str


class Citations(_Form):
    """What a provision cites (``from``), or what cites it (``to``); ``place`` may name a document outside the run.

    ``count``: how many instead of which; counted are sections of the type ``level`` if it is given.
    """

    form: Literal["citations"] = "citations"
    direction: Literal["from", "to"]
    place: str
    count: bool = False
    level: str = ""


class Definition(_Form):
    """How a term is defined, by each regime that defines it."""

    form: Literal["definition"] = "definition"
    term: str


class Quantities(_Form):
    """Times, amounts and shares that provisions set, on a topic ("" for any); ``pick`` orders them and takes the first.

    ``list`` gives those of the provisions that the topic fits best.
    """

    form: Literal["quantities"] = "quantities"
    role: Role
    topic: str = ""
    pick: Literal["list", "least", "greatest"] = "list"
    count: bool = False


class Count(_Form):
    """How many rows there are, by groups if ``by`` is given, or which group has the most or fewest.

    ``type`` is a section's type (article, chapter, recital, …); ``relation`` and ``kind`` are of a finding or a
    verdict; ``stricter`` is the regime whose rule is the stricter one; ``resolution`` is of a citation: ``external``
    leads out of the documents, ``internal`` does not; ``party`` is whom a provision binds. Of ``coverage`` (what the
    other side has on the same duty, a row per provision) ``state`` is covered, partly, gap, stricter_here,
    stricter_there, conflict, not_decidable or left_out.
    """

    form: Literal["count"] = "count"
    of: Literal["findings", "verdicts", "sections", "definitions", "citations", "documents", "provisions", "coverage"]
    type: str = ""
    relation: Relation | Literal[""] = ""
    kind: str = ""
    stricter: str = ""
    resolution: Literal["", "external", "internal", "unresolved"] = ""
    party: str = ""
    state: str = ""
    decision: str = ""
    by: Literal[
        "", "relation", "kind", "regime", "type", "resolution", "decision", "topic", "cited", "citing", "party", "state"
    ] = ""
    level: str = ""
    pick: Literal["all", "most", "fewest"] = "all"
    listed: bool = False


Query = Annotated[Provision | Citations | Definition | Quantities | Count, Field(discriminator="form")]


class Quote(BaseModel, frozen=True):
    """A passage of the documents, verified to be in them.

    Attributes:
        section_id, doc_id, regime, label: where.
        text: as it stands in the section.
        start, end: offsets in the section's text.
        score: how well it fits the question; 0 if it was looked up.
        because: how it was found: ``looked up``, or by channels and edges of the graph.
    """

    section_id: str
    doc_id: str
    regime: str
    label: str
    text: str
    start: int
    end: int
    score: float = 0.0
    because: str = "looked up"


@dataclass
class Found:
    """The result of a form.

    Attributes:
        text: the answer; "" if nothing is found.
        value: what was computed, None where the sections are the answer.
        sections: that answer, the best first.
        passages: section → the span of its text that shows it; None for the whole.
        rows: a table.
        absent: why there is nothing, "" if there is something.
    """

    text: str = ""
    value: Any = None
    sections: list[str] = field(default_factory=list)
    passages: dict[str, tuple[int, int] | None] = field(default_factory=dict)
    rows: list[dict[str, Any]] = field(default_factory=list)
    absent: str = ""


class Answer(BaseModel):
    """The answer to a question.

    Attributes:
        question: as asked.
        route: ``explicit`` (from tables), ``implicit`` (from passages) or ``none``.
        status: ``answered``; ``absent``: not in these documents; ``not_understood``: it names something that can be
            looked up, in words that are not understood.
        kind: ``computed``, ``extract`` (passages themselves) or ``sentences`` (written by a served model).
        query: the form and its arguments, None on the implicit route.
        text: the answer for people.
        value: what was computed: a number, a text, or a number per group; None where the passages are the answer.
        sections: ids of the sections that answer, the best first.
        quotes: passages that show it, each verified.
        rows: a table that belongs to it.
        tokens: of the passages that a model reads, counted by the embedding model.
        unverified: number of a model's quotes that are not in the text and were dropped.
        error: why a served model did not answer, "" if it did or none was asked.
    """

    question: str
    route: Literal["explicit", "implicit", "none"]
    status: Literal["answered", "absent", "not_understood"]
    kind: Literal["computed", "extract", "sentences"] = "computed"
    query: dict[str, Any] | None = None
    text: str = ""
    value: Any = None
    sections: list[str] = []
    quotes: list[Quote] = []
    rows: list[dict[str, Any]] = []
    tokens: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    unverified: int = 0
    error: str = ""


ABSENT = "Not in these documents."
