"""CISO Assistant (intuitem): a library with each side as a framework and the mappings between them, in YAML.

Method: the library format of CISO Assistant Community: objects ``frameworks`` and ``requirement_mapping_sets``. Each
mapping is there in both directions, as its own converter writes them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import yaml

from antinomy.coverage import relationship
from antinomy.embed.units import nearest_heading
from antinomy.report.crosswalk import Crosswalk, Pair, take_name
from antinomy.vocabulary import CoverageState, Decision, Relation

RELATIONSHIPS = {
    relationship.EQUAL: "equal",
    relationship.SUBSET: "subset",
    relationship.SUPERSET: "superset",
    relationship.INTERSECTS: "intersect",
}
#: Who meets one side of a contradiction must not be credited for the other, which ``intersect`` would do.
CONTRADICTS = "not_related"
_PACKAGER = "antinomy"
#: Probability of the same duty from which on a pair is mapped unseen, and relations that are findings of their own.
_LIKELY = 0.5
_FIRM = (Relation.STRICTER, Relation.CONFLICT)
_NOT_URN = re.compile(r"[^a-z0-9._-]+")
_LONGEST_NAME = 200


def library(crosswalk: Crosswalk, run: Mapping[str, Any]) -> bytes | None:
    """Write the library, None where no pair is likely or confirmed: the format wants at least one mapping.

    Args:
        crosswalk: what to map.
        run: the run's manifest: run_id, finished_at.
    """
    names = {side: _name(crosswalk, side) for side in crosswalk.sides}
    urns = _node_urns(crosswalk, names)
    sets = [made for meeting in crosswalk.compared_sides for made in _mapping_sets(crosswalk, *meeting, names, urns)]
    if not sets:
        return None
    made_at = datetime.fromisoformat(run["finished_at"]) if run.get("finished_at") else datetime.now(UTC)
    title = " and ".join(crosswalk.side(side) for side in crosswalk.sides)
    whole = {
        "urn": f"urn:{_PACKAGER}:risk:library:{'-and-'.join(names.values())}",
        "locale": "en",
        "ref_id": "-and-".join(names.values()),
        "name": _truncate(f"Crosswalk of {title}"),
        "description": f"Made by Antinomy, run {run['run_id']}, from the texts of {title}. Pairs that are "
        "less likely than not are mapped once a reviewer confirmed them.",
        "copyright": "The texts are those of the documents; see their publishers' terms.",
        # A library is updated by one of a higher version: minutes rise with every run and stay in 32 bits.
        "version": int(made_at.timestamp() // 60),
        "publication_date": made_at.date(),
        "provider": _PACKAGER,
        "packager": _PACKAGER,
        "objects": {
            "frameworks": [_framework(crosswalk, side, names[side], urns) for side in crosswalk.sides],
            "requirement_mapping_sets": sets,
        },
    }
    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    text: str = yaml.dump(whole, Dumper=dumper, allow_unicode=True, sort_keys=False, width=110)
    return text.encode()


def _framework(crosswalk: Crosswalk, side: str, name: str, urns: Mapping[str, str]) -> dict[str, Any]:
    return {
        "urn": f"urn:{_PACKAGER}:risk:framework:{name}",
        "ref_id": name,
        "name": _truncate(crosswalk.side(side)),
        "description": "\n".join(crosswalk.title(doc) for doc in crosswalk.sides[side]),
        "requirement_nodes": list(_nodes(crosswalk, side, name, urns)),
    }


def _nodes(crosswalk: Crosswalk, side: str, name: str, urns: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Yield the nodes of a framework: documents (if several), their chapters, their provisions."""
    several = len(crosswalk.sides[side]) > 1
    for number, doc in enumerate(crosswalk.sides[side], start=1):
        top = f"urn:{_PACKAGER}:risk:req_node:{name}:d{number}"
        if several:
            yield {"urn": top, "assessable": False, "depth": 1, "name": crosswalk.title(doc)}
        for chapter_number, (chapter, rows) in enumerate(crosswalk.chapters(doc).items(), start=1):
            head: dict[str, Any] = {"urn": f"{top}.c{chapter_number}", "assessable": False, "depth": 1 + several}
            yield head | ({"parent_urn": top} if several else {}) | {"name": chapter}
            for row in rows:
                yield {
                    "urn": urns[row["section_id"]],
                    "assessable": row["state"] != CoverageState.LEFT_OUT,
                    "depth": 2 + several,
                    "parent_urn": head["urn"],
                    "ref_id": _truncate(crosswalk.label(doc, row["label"]), 100),
                    "name": _truncate(nearest_heading(row["path"] or "")),
                    "description": row["text"],
                } | ({"annotation": f"Left out: {row['reason']}"} if row["state"] == CoverageState.LEFT_OUT else {})


def _mapping_sets(
    crosswalk: Crosswalk, side: str, other: str, names: Mapping[str, str], urns: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    # Only what is assessed can be credited, and a framework is not mapped to itself.
    pairs = [pair for pair in crosswalk.related(side, other) if side != other and _counts_as_compliant(crosswalk, pair)]
    if not pairs:
        return
    ref_id = f"{names[side]}-to-{names[other]}"
    for suffix, here, there, seen in (
        ("", side, other, pairs),
        ("-revert", other, side, [pair.inverted() for pair in pairs]),
    ):
        yield {
            "urn": f"urn:{_PACKAGER}:risk:req_mapping_set:{ref_id}{suffix}",
            "ref_id": f"{ref_id}{suffix}",
            "name": _truncate(f"{crosswalk.side(here)} to {crosswalk.side(there)}"),
            "description": "Made from the texts by Antinomy; the annotation of each mapping says what was found.",
            "source_framework_urn": f"urn:{_PACKAGER}:risk:framework:{names[here]}",
            "target_framework_urn": f"urn:{_PACKAGER}:risk:framework:{names[there]}",
            "requirement_mappings": [_mapping(pair, urns) for pair in seen],
        }


def _counts_as_compliant(crosswalk: Crosswalk, pair: Pair) -> bool:
    """Return whether the tool may credit one side for the other, which it does whatever the probability."""
    if CoverageState.LEFT_OUT in (pair.focal["state"], pair.reference["state"]):
        return False
    likely = pair.p_related is None or pair.p_related >= _LIKELY
    return likely or pair.relation in _FIRM or crosswalk.decided(pair, Decision.CONFIRM)


def _mapping(pair: Pair, urns: Mapping[str, str]) -> dict[str, Any]:
    conflict = pair.relation == Relation.CONFLICT
    return {
        "source_requirement_urn": urns[pair.focal["section_id"]],
        "target_requirement_urn": urns[pair.reference["section_id"]],
        "relationship": CONTRADICTS if conflict else RELATIONSHIPS[pair.relationship],
        "rationale": "semantic",
        "annotation": f"Contradiction: {pair.comment}" if conflict else pair.comment,
    }


def _node_urns(crosswalk: Crosswalk, names: Mapping[str, str]) -> dict[str, str]:
    """Assign a URN to every provision; a number separates names that differ in case only."""
    urns: dict[str, str] = {}
    taken: set[str] = set()
    for row in crosswalk.coverage:
        section = row["section_id"]
        if section in urns:
            continue
        docs = crosswalk.sides[row["side"]]
        eid = _slug(section.removeprefix(f"{row['doc_id']}#"))
        inside = eid if len(docs) == 1 else f"{_slug(row['doc_id'])}.{eid}"
        urns[section] = take_name(f"urn:{_PACKAGER}:risk:req_node:{names[row['side']]}:{inside}", taken)
    return urns


def _name(crosswalk: Crosswalk, side: str) -> str:
    """Return the name of a framework: stable for the same documents, distinct from others named alike ("eu")."""
    docs = crosswalk.sides[side]
    titles = hashlib.sha256("\n".join(map(crosswalk.title, docs)).encode()).hexdigest()
    return f"{_slug(docs[0] if len(docs) == 1 else side)}-{titles[:6]}"


def _slug(text: str) -> str:
    return _NOT_URN.sub("-", text.lower()).strip("-") or "x"


def _truncate(text: str, most: int = _LONGEST_NAME) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
