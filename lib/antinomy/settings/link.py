"""Settings of the link stage."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field, model_validator

Channel = Literal["own", "clauses", "context", "lexical", "mpnet"]
Party = Literal["firm", "definition", "authority", "nobody"]


class LinkSettings(BaseModel, frozen=True, extra="forbid"):
    """Which pairs become candidates.

    ``groups`` says which sections are compared: those of different regimes, of different documents, of the documents
    listed in ``pairs``, or within each document. ``left`` names the regimes (or doc_ids, for ``documents``) of the left
    side; only pairs between them and the rest are made. Empty: all pairs, and the group listed first is left.

    Every left section gets its ``k`` best partners, every right one its ``k_right`` best; with 0 that side gets none.
    Partners whose own texts have a cosine below ``min_score`` are dropped. ``budget_pairs`` bounds the number of pairs,
    0 for no bound. If it is not set, the judge ``default``, whose verdicts cost only time, has no bound, and others 20
    pairs for each section of the smaller side. Within the budget both sides take turns: the side with fewer pairs so
    far comes first.

    ``parties``: only provisions that bind the same party are compared: duties of firms (including the steps of an
    examination that check them), definitions of terms, tasks of authorities and legislators, or provisions that bind
    nobody. Provisions of a party that is not listed are left out and counted.

    ``channels``: ``own`` compares the provisions' own texts, ``clauses`` their nearest two clauses, ``context`` the
    definitions that they use and the openings of what they cite, ``lexical`` their words (BM25), ``mpnet`` their own
    texts by a larger model, the one on which the judge ``default`` is based. Each proposes its ``depth`` best;
    ``fusion`` makes one ranking of them, by the sum of standardised scores or by reciprocal ranks.

    ``focus``: a theme or question in words. Neighbours are searched only for the ``focus_sections`` sections of the
    left side that it concerns most; the others, and provisions near to them alone, are not judged.

    ``plan``: with ``broadcast`` each task maps all vectors, with ``shards`` it maps ``shard_rows`` of them and the
    results are merged; ``auto`` takes shards above ``shard_rows``. Neighbours are searched for ``block_rows`` sections
    at a time. Above ``approximate_above`` vectors the search is approximate, with at least 95 % of the exact neighbours
    as measured on a sample.
    """

    groups: Literal["regimes", "documents", "pairs", "within"] = "regimes"
    left: tuple[str, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    k: int = Field(default=20, ge=0)
    k_right: int = Field(default=5, ge=0)
    budget_pairs: int | None = Field(default=None, ge=0)
    min_score: float = Field(default=0.0, ge=-1, le=1)
    parties: tuple[Party, ...] = Field(default=("firm", "definition"), min_length=1)
    channels: tuple[Channel, ...] = Field(default=("own", "clauses", "lexical", "mpnet"), min_length=1)
    fusion: Literal["standardised", "reciprocal_rank"] = "standardised"
    depth: int = Field(default=200, ge=1)
    focus: str = ""
    focus_sections: int = Field(default=30, ge=1)
    plan: Literal["auto", "broadcast", "shards"] = "auto"
    shard_rows: int = Field(default=500_000, ge=1)
    block_rows: int = Field(default=4096, ge=1)
    approximate_above: int = Field(default=500_000, ge=1)

    @model_validator(mode="after")
    def _fits_together(self) -> LinkSettings:
        if (self.groups == "pairs") != bool(self.pairs):
            raise ValueError("link.pairs: list pairs of doc_ids if and only if link.groups is `pairs`")
        if any(a == b for a, b in self.pairs):
            raise ValueError("link.pairs: a document cannot be paired with itself; use link.groups `within`")
        if self.left and self.groups not in ("regimes", "documents"):
            raise ValueError("link.left: goes with link.groups `regimes` or `documents` only")
        if self.focus and self.groups == "within":
            raise ValueError("link.focus: goes with two sides, not with link.groups `within`")
        if not self.k and (not self.k_right or self.groups == "within"):
            raise ValueError("link.k and link.k_right: at least one side has to ask for partners, so one is 1 or more")
        if len(set(self.channels)) < len(self.channels):
            raise ValueError("link.channels: a channel occurs twice")
        if len(set(self.parties)) < len(self.parties):
            raise ValueError("link.parties: a party occurs twice")
        return self
