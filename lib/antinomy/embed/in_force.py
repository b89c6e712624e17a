"""Which documents are in force on the day that ``as_of`` names."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, NamedTuple

from antinomy.errors import DocumentError
from antinomy.run.stage import Context
from antinomy.settings import sides

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

log = logging.getLogger("antinomy")


def is_in_force(first: str | None, last: str | None, day: str) -> bool:
    """Return whether a document is in force on a day.

    Args:
        first, last: days from and up to which it is (ISO); "" or None where it says none, which bounds nothing.
        day: ISO.
    """
    return (first or "") <= day and (not last or day <= last)


class InForce(NamedTuple):
    """The documents in force on a day, their sections and the citations between them.

    Attributes:
        left_out: doc_ids that were not in force then.
        undated: doc_ids that say no date; they are taken as in force.
    """

    documents: DataFrame
    sections: DataFrame
    citations: DataFrame
    left_out: tuple[str, ...] = ()
    undated: tuple[str, ...] = ()


def in_force(ctx: Context) -> InForce:
    """Return the documents in force on ``as_of`` (all without it), their sections and the citations between them.

    Later documents are left out first, so they are in no context either. A document without dates stays and is named in
    a warning.

    Raises:
        DocumentError: if too little was in force then to compare anything.
    """
    documents, sections, citations = ctx.read("documents"), ctx.read("sections"), ctx.read("citations")
    if ctx.settings.as_of is None:
        return InForce(documents, sections, citations)
    day = ctx.settings.as_of.isoformat()
    rows = documents.where("status = 'parsed'").collect()
    kept = [row for row in rows if is_in_force(row.in_force_from, row.in_force_to, day)]
    if not sides.comparable(ctx.settings.link, {row.doc_id: row.regime for row in kept}):
        lost = sorted({row.regime for row in rows} - {row.regime for row in kept})
        spans = "; ".join(
            f"{row.doc_id}: {row.in_force_from} to {row.in_force_to or 'now'}" for row in rows if row not in kept
        )
        what = f"nothing of regime {', '.join(lost)}" if lost else "too little to compare anything"
        raise DocumentError(f"{what} was in force on {day} ({spans}): change as_of")
    undated = tuple(sorted(row.doc_id for row in kept if not row.in_force_from))
    if undated:
        log.warning("as_of: %s say no date and are taken as in force; set in_force_from", ", ".join(undated))
    names = [row.doc_id for row in kept]
    sections = sections.where(sections["doc_id"].isin(names))
    targets = sections.selectExpr("section_id as target_section_id")
    return InForce(
        documents.where(documents["doc_id"].isin(names)),
        sections,
        # Motifs would drop an edge without an end too; here it is said.
        citations.join(targets, "target_section_id", "left_semi"),
        tuple(sorted({row.doc_id for row in rows} - {row.doc_id for row in kept})),
        undated,
    )
