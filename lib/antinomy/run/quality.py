"""Data quality between stages: a finished stage's tables are measured against the settings' bounds.

A stage that did not fail may still have read half a document, and the storage may have lost a file. So the measures are
taken from the stored tables, without Spark, and compared with what the stage recorded in its marker.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from antinomy.errors import QualityError
from antinomy.run.stage import read_marker
from antinomy.settings.parties import party_numbers
from antinomy.store import storage, tables
from antinomy.vocabulary import DocumentStatus, VerdictStatus

if TYPE_CHECKING:
    import pandas as pd
    from pyarrow.dataset import Dataset

    from antinomy.settings import Settings


#: Number of places that a message names.
_LISTED = 5


@dataclass(frozen=True)
class Check:
    """One measure of a stage's result.

    Attributes:
        stage: whose result.
        name: what is measured.
        value: the measured value.
        bound: the required value.
        ok: whether the value is within the bound.
        advice: what to do if it is not.
    """

    stage: str
    name: str
    value: str
    bound: str
    ok: bool
    advice: str


def check(settings: Settings, stage: str) -> list[Check]:
    """Measure the result of a stage.

    Args:
        settings: of the run; ``settings.quality`` has the bounds.
        stage: one of ``CHECKED``.

    Returns:
        The measures, also those that hold.

    Raises:
        QualityError: if the stage has not completed, or a table of it cannot be read.
    """
    marker = read_marker(settings, stage)
    if marker is None:
        raise QualityError(
            f"{stage}: run {settings.run_id} has not completed it in {settings.warehouse}: run `antinomy {stage}` first"
        )
    try:
        recorded = marker.result.rows()
        found = [
            _check_rows(stage, table, recorded[table], _read_table(settings, table).count_rows())
            for table in marker.tables
        ]
        found.extend(_MEASURES[stage](settings))
    except (pa.ArrowException, OSError) as error:
        raise QualityError(f"{stage}: a table of run {settings.run_id} cannot be read: {error}") from error
    return found


def require(settings: Settings, stages: tuple[str, ...]) -> list[Check]:
    """Measure the results of stages and refuse what is out of bounds.

    Raises:
        QualityError: naming every measure that does not hold, and what to do.
    """
    checks = [found for stage in stages for found in check(settings, stage)]
    failed = [found for found in checks if not found.ok]
    if failed:
        listed = "; ".join(f"{c.stage}: {c.name} is {c.value}, wanted {c.bound}: {c.advice}" for c in failed)
        raise QualityError(f"run {settings.run_id} does not pass: {listed}")
    return checks


def _check_rows(stage: str, table: str, recorded: int, found: int) -> Check:
    advice = "files were lost or added since the stage ended; give another --run-id"
    return Check(stage, f"rows of {table}", f"{found:,}", f"{recorded:,}", recorded == found, advice)


def _read_table(settings: Settings, table: str) -> Dataset:
    return tables.dataset(settings.warehouse, table, settings.run_id)


def _read(settings: Settings, table: str, *columns: str) -> pa.Table:
    return _read_table(settings, table).to_table(columns=list(columns))


def _check_parse(settings: Settings) -> Iterator[Check]:
    bounds = settings.quality
    columns = ("doc_id", "status", "error", "coverage", "n_sections", "breaks", "structure", "faults")
    rows = _read(settings, "documents", *columns).to_pylist()
    listed = len(settings.documents)
    yield Check("parse", "documents", str(len(rows)), str(listed), len(rows) == listed, "the run has other documents")
    lost = [f"{row['doc_id']}: {row['error']}" for row in rows if row["status"] != DocumentStatus.PARSED]
    yield Check(
        "parse",
        "quarantined documents",
        str(len(lost)),
        f"at most {bounds.max_quarantined}",
        len(lost) <= bounds.max_quarantined,
        f"{', '.join(lost)}; mend them, leave them out, or raise quality.max_quarantined",
    )
    broken = [f"{row['doc_id']}: {place}" for row in rows for place in row["breaks"] or ()]
    yield Check(
        "parse",
        "breaks in the numbers",
        f"{len(broken):,}",
        f"at most {bounds.max_breaks:,}",
        len(broken) <= bounds.max_breaks,
        f"{'; '.join(broken[:_LISTED])}: mend the document, or raise quality.max_breaks if it is so printed",
    )
    for row in rows:
        if row["status"] == DocumentStatus.PARSED:
            structure = row["structure"] or 0.0
            yield Check(
                "parse",
                f"coverage of {row['doc_id']}",
                f"{row['coverage']:.2%}",
                f"at least {bounds.min_coverage:.2%}",
                row["coverage"] >= bounds.min_coverage,
                "words of the document stand in no section; see `antinomy parse --report`",
            )
            yield Check(
                "parse",
                f"structure of {row['doc_id']}",
                f"{structure:.2%}",
                f"at least {bounds.min_structure:.2%}",
                structure >= bounds.min_structure,
                f"{'; '.join((row['faults'] or [])[:_LISTED])}: set the document's grammar, mend it, or lower "
                "quality.min_structure",
            )
            found = row["n_sections"]
            yield Check("parse", f"sections of {row['doc_id']}", f"{found:,}", "some", found > 0,
                        "nothing was recognised in it; check its grammar")  # fmt: skip


def _check_embed(settings: Settings) -> Iterator[Check]:
    units = _read(settings, "units", "section_id", "text_sha256", "regime", "type", "binds").to_pandas()
    found = set(units["regime"])
    marker = read_marker(settings, "embed")
    left_out = marker.result.excluded() if marker else ()
    missing = sorted({doc.regime for doc in settings.documents if doc.doc_id not in left_out} - found)
    yield Check("embed", "regimes without a unit", ", ".join(missing) or "none", "none", not missing,
                   "nothing of them can be compared; see `antinomy parse --report`")  # fmt: skip
    yield _check_vectors(settings, "embeddings", units)
    if "mpnet" in settings.link.channels:
        yield _check_vectors(settings, "mpnet_embeddings", units[party_numbers(units, settings.link.parties) >= 0])


def _check_vectors(settings: Settings, table: str, units: pd.DataFrame) -> Check:
    vectors = set(_read(settings, table, "text_sha256")["text_sha256"].to_pylist())
    bare = len(set(units["text_sha256"]) - vectors)
    return Check("embed", f"texts without a vector in {table}", f"{bare:,}", "0", bare == 0, "give another --run-id")


def _check_link(settings: Settings) -> Iterator[Check]:
    pairs = _read_table(settings, "similar").count_rows()
    yield Check("link", "candidate pairs", f"{pairs:,}", "some", pairs > 0, "lower link.min_score or raise link.k")


def _check_judge(settings: Settings) -> Iterator[Check]:
    bound = settings.quality.max_error_share
    rows = _read(settings, "verdicts", "left_id", "right_id", "status", "error")
    pairs = _read(settings, "similar", "left_id", "right_id")
    bare = pairs.join(rows, ["left_id", "right_id"], join_type="left anti").num_rows
    yield Check("judge", "pairs without a verdict row", f"{bare:,}", "0", bare == 0, "run `antinomy judge` again")
    failed = rows.filter(pc.equal(rows["status"], VerdictStatus.ERROR.value))
    counted = pc.value_counts(pc.replace_substring_regex(failed["error"], ":(?s:.*)", "")).to_pylist()
    reasons = Counter({row["values"]: row["counts"] for row in counted})
    share = failed.num_rows / max(rows.num_rows, 1)
    listed = ", ".join(f"{reason} {count:,}" for reason, count in reasons.most_common())
    yield Check(
        "judge",
        "share of pairs that ended in an error",
        f"{share:.2%}",
        f"at most {bound:.2%}",
        share <= bound,
        f"{listed}; the same command judges them again",
    )


def _check_report(settings: Settings) -> Iterator[Check]:
    page = storage.join(settings.out, "report.html")
    there = storage.exists(page)
    yield Check("report", "the page", "there" if there else "missing", "there", there, f"{page}: give another --run-id")


#: What is measured of each stage beside the rows of its tables.
_MEASURES: dict[str, Callable[[Settings], Iterator[Check]]] = {
    "parse": _check_parse,
    "embed": _check_embed,
    "link": _check_link,
    "judge": _check_judge,
    "report": _check_report,
}

#: Stages that leave something to measure, in the order of the data flow.
CHECKED: tuple[str, ...] = tuple(_MEASURES)
