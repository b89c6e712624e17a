"""OSCAL (NIST): the crosswalk as a mapping collection, and a catalog of each document that it maps.

Method: the Control Mapping Model of OSCAL 1.2 and its Catalog Model. A provision is a control. A contradiction is
``intersects-with`` with a qualifier, since the model has no relationship for it.
"""

from __future__ import annotations

import json
import re
import uuid
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from antinomy.coverage import relationship
from antinomy.report.crosswalk import Crosswalk, Pair, take_name
from antinomy.store.rows import CoverageRow
from antinomy.vocabulary import Relation

#: Of the model that the files follow.
VERSION = "1.2.1"
RELATIONSHIPS = {
    relationship.EQUAL: "equal-to",
    relationship.SUBSET: "subset-of",
    relationship.SUPERSET: "superset-of",
    relationship.INTERSECTS: "intersects-with",
    relationship.NONE: "no-relationship",
}
#: Of properties that OSCAL does not define.
_NS = "urn:antinomy:oscal"
_NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, _NS)
_NOT_TOKEN = re.compile(r"[^\w.\-]")
_MARKDOWN = re.compile(r"([\\*_`~^\[\]<>])")


def files(crosswalk: Crosswalk, run: Mapping[str, Any]) -> Iterator[tuple[str, bytes]]:
    """Yield the names, below ``oscal/``, and contents of the files.

    A mapping needs a pair: two sides without any have no file.

    Args:
        crosswalk: what to map.
        run: the run's manifest: run_id, finished_at.
    """
    ids = _control_ids(crosswalk)
    for side in crosswalk.sides:
        for doc in crosswalk.sides[side]:
            yield _catalog_name(doc), _json({"catalog": _catalog(crosswalk, doc, run, ids)})
    for side, other in crosswalk.compared_sides:
        made = _collection(crosswalk, side, other, run, ids)
        if made["mappings"]:
            several = f"-{_token(side)}-{_token(other)}" if len(crosswalk.compared_sides) > 1 else ""
            yield f"mapping{several}.json", _json({"mapping-collection": made})


def _collection(
    crosswalk: Crosswalk, side: str, other: str, run: Mapping[str, Any], ids: Mapping[str, str]
) -> dict[str, Any]:
    pairs = list(crosswalk.related(side, other))
    known = {(pair.focal["section_id"], pair.reference["section_id"]) for pair in pairs}
    here, there = crosswalk.gaps(side, other), crosswalk.gaps(other, side) if side != other else []
    misses = [crosswalk.nearest(gap) for gap in here]
    misses += [miss.inverted() if (miss := crosswalk.nearest(gap)) else None for gap in there]
    for miss in misses:
        if miss and (ends := (miss.focal["section_id"], miss.reference["section_id"])) not in known:
            known.add(ends)
            pairs.append(miss)
    by_documents: dict[tuple[str, str], list[Pair]] = {}
    for pair in pairs:
        by_documents.setdefault((pair.focal["doc_id"], pair.reference["doc_id"]), []).append(pair)
    title = f"{crosswalk.side(side)} to {crosswalk.side(other)}"
    reviewed = any(row["decision"] for row in crosswalk.coverage)
    return {
        "uuid": _uuid("collection", run["run_id"], run.get("finished_at"), side, other),
        "metadata": _metadata(f"Crosswalk of {title}", run),
        "provenance": {
            "method": "hybrid" if reviewed else "automation",
            "matching-rationale": "semantic",
            "status": "draft",
            "mapping-description": (
                "Made by Antinomy from the texts of both sides: each provision was compared with its nearest ones on "
                "the other side. The confidence score is the probability that both are on the same duty."
                + (" What a reviewer rejected is left out." if reviewed else "")
            ),
        },
        "mappings": [
            _mapping(crosswalk, source, target, of_documents, here, there, ids)
            for (source, target), of_documents in by_documents.items()
        ],
    }


def _mapping(
    crosswalk: Crosswalk,
    source: str,
    target: str,
    pairs: Sequence[Pair],
    here: Sequence[CoverageRow],
    there: Sequence[CoverageRow],
    ids: Mapping[str, str],
) -> dict[str, Any]:
    side = pairs[0].focal["side"], pairs[0].focal["other"]
    made: dict[str, Any] = {
        "uuid": _uuid("mapping", source, target, *side),
        "source-resource": _resource(crosswalk, source),
        "target-resource": _resource(crosswalk, target),
        "maps": [_map(crosswalk, pair, ids) for pair in pairs],
    }
    for name, doc, gaps in (("source-gap-summary", source, here), ("target-gap-summary", target, there)):
        unmapped = [ids[row["section_id"]] for row in gaps if row["doc_id"] == doc]
        if unmapped:
            made[name] = {
                "uuid": _uuid("gaps", name, source, target, *side),
                "unmapped-controls": [{"with-ids": unmapped}],
            }
    return made


def _map(crosswalk: Crosswalk, pair: Pair, ids: Mapping[str, str]) -> dict[str, Any]:
    made: dict[str, Any] = {
        "uuid": _uuid("map", pair.focal["section_id"], pair.reference["section_id"]),
        "relationship": RELATIONSHIPS[pair.relationship],
        "sources": [_item(crosswalk, pair.focal, ids)],
        "targets": [_item(crosswalk, pair.reference, ids)],
    }
    if pair.relation == Relation.CONFLICT:
        made["qualifiers"] = [
            {
                "subject": "both",
                "predicate": "has-incompatibility",
                "category": "blocked",
                "description": _prose(pair.rationale or "One cannot be met while the other is."),
            }
        ]
    if pair.p_related is not None:
        made["confidence-score"] = {"percentage": pair.p_related}
    governs = {"here": "source", "there": "target"}.get(pair.governs or "")
    props = [
        {"name": name, "ns": _NS, "value": value}
        for name, value in (("relation", pair.relation), ("kind", pair.kind), ("governs", governs))
        if value
    ]
    if props:
        made["props"] = props
    if pair.rationale:
        made["remarks"] = _prose(pair.rationale)
    return made


def _item(crosswalk: Crosswalk, row: CoverageRow, ids: Mapping[str, str]) -> dict[str, Any]:
    label = _line(crosswalk.label(row["doc_id"], row["label"]))
    made: dict[str, Any] = {"type": "control", "id-ref": ids[row["section_id"]]}
    if label:
        made["props"] = [{"name": "label", "ns": _NS, "value": label}]
    return made


def _resource(crosswalk: Crosswalk, doc: str) -> dict[str, Any]:
    return {
        "type": "catalog",
        "href": quote(_catalog_name(doc)),
        "remarks": _prose(crosswalk.title(doc)),
    }


def _catalog(crosswalk: Crosswalk, doc: str, run: Mapping[str, Any], ids: Mapping[str, str]) -> dict[str, Any]:
    return {
        "uuid": _uuid("catalog", run["run_id"], run.get("finished_at"), doc),
        "metadata": _metadata(crosswalk.title(doc), run),
        "groups": [
            {
                "id": f"chapter-{number}",
                "title": _prose_line(chapter) or f"Chapter {number}",
                "controls": [_control(crosswalk, row, ids) for row in rows],
            }
            for number, (chapter, rows) in enumerate(crosswalk.chapters(doc).items(), start=1)
        ],
    }


def _control(crosswalk: Crosswalk, row: CoverageRow, ids: Mapping[str, str]) -> dict[str, Any]:
    control = ids[row["section_id"]]
    label = _line(crosswalk.label(row["doc_id"], row["label"])) or control
    return {
        "id": control,
        "title": _prose_line(label),
        "props": [{"name": "label", "value": label}],
        "parts": [{"id": f"{control}_smt", "name": "statement", "prose": _prose(row["text"])}],
    }


def _metadata(title: str, run: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "title": _prose_line(title),
        "last-modified": run.get("finished_at") or datetime.now(UTC).isoformat(timespec="seconds"),
        "version": run["run_id"],
        "oscal-version": VERSION,
    }


def _control_ids(crosswalk: Crosswalk) -> dict[str, str]:
    """Assign each provision a token that is unique in its document, from its number there."""
    names: dict[str, str] = {}
    taken: dict[str, set[str]] = defaultdict(set)
    for row in crosswalk.coverage:
        section = row["section_id"]
        if section not in names:
            names[section] = take_name(_token(section.removeprefix(f"{row['doc_id']}#")), taken[row["doc_id"]])
    return names


def _catalog_name(doc: str) -> str:
    return f"catalog-{_NOT_TOKEN.sub('_', doc)}.json"


def _token(text: str) -> str:
    token = _NOT_TOKEN.sub("_", text)
    return token if token[:1].isalpha() or token.startswith("_") else f"_{token}"


def _line(text: str) -> str:
    return " ".join(text.split())


def _prose_line(text: str) -> str:
    return _MARKDOWN.sub(r"\\\1", _line(text))


def _prose(text: str) -> str:
    """Write a text as Markdown that shows it as it is, line by line."""
    return "\n\n".join(_MARKDOWN.sub(r"\\\1", line) for line in text.splitlines() if line.strip())


def _uuid(*parts: Any) -> str:
    return str(uuid.uuid5(_NAMESPACE, "\n".join(map(str, parts))))


def _json(document: Mapping[str, Any]) -> bytes:
    return (json.dumps(document, ensure_ascii=False) + "\n").encode()
