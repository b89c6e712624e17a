"""The closed sets of words that tables, settings and pages share, each written once.

A member equals its word, so Parquet, JSON, CSV and templates hold the plain word.
"""

from __future__ import annotations

from enum import StrEnum


class Relation(StrEnum):
    """What a judge says of two provisions, the gravest first."""

    CONFLICT = "conflict"
    STRICTER = "stricter"
    OVERLAP = "overlap"
    DEFINITION = "definition"
    NONE = "none"


class Kind(StrEnum):
    """What two provisions differ in."""

    DEADLINE = "deadline"
    THRESHOLD = "threshold"
    FREQUENCY = "frequency"
    RETENTION = "retention"
    MODALITY = "modality"
    ACTOR = "actor"
    PROCEDURE = "procedure"
    SCOPE = "scope"
    DEFINITION = "definition"
    OTHER = "other"


class VerdictStatus(StrEnum):
    """How a verdict came to be: with its quotes found, without them, or not at all."""

    OK = "ok"
    UNVERIFIED = "unverified"
    ERROR = "error"


class DocumentStatus(StrEnum):
    """What became of a document."""

    PARSED = "parsed"
    QUARANTINED = "quarantined"


class Resolution(StrEnum):
    """What a citation was bound to."""

    EXACT = "exact"
    PARENT = "parent"
    AMBIGUOUS = "ambiguous"
    MISSING = "missing"
    EXTERNAL = "external"


class Party(StrEnum):
    """Whom a provision binds.

    ``firm`` is every private party: the supervised firm, its board and staff, its providers and customers.
    ``examiner`` is for the steps of an examination: they are an authority's, but what they check are the firm's
    duties, so whoever compares firms' duties may want them too.
    """

    FIRM = "firm"
    AUTHORITY = "authority"
    MEMBER_STATE = "member_state"
    COMMISSION = "commission"
    EXAMINER = "examiner"
    NOBODY = "nobody"


class CoverageState(StrEnum):
    """What is said of a provision and an other side."""

    COVERED = "covered"
    PARTLY = "partly"
    STRICTER_HERE = "stricter_here"
    STRICTER_THERE = "stricter_there"
    CONFLICT = "conflict"
    GAP = "gap"
    NOT_DECIDABLE = "not_decidable"
    LEFT_OUT = "left_out"


class FindingState(StrEnum):
    """A finding against those of the previous run."""

    NEW = "new"
    CARRIED = "carried"
    RESOLVED = "resolved"


class Decision(StrEnum):
    """What a reviewer says of a finding."""

    CONFIRM = "confirm"
    REJECT = "reject"
    UNSURE = "unsure"


class RunState(StrEnum):
    """What became of a run, see ``run.history.Run``."""

    RUNNING = "running"
    DAMAGED = "damaged"
    FAILED = "failed"
    PARTIAL = "partial"
    UNFINISHED = "unfinished"
    COMPLETE = "complete"
