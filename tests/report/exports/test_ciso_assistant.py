"""The CISO Assistant library, by the rules that its loader and its converter check.

The loader is part of a Django application and cannot be had as a package. What stands here are the fields that it
requires, the form of names that its converter accepts, and the words of its documentation.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import yaml

from antinomy.report.exports import ciso_assistant
from report import invented
from report.exports import corresponding

_URN = re.compile(r"urn:([a-z0-9._-]+:)*[a-z0-9._-]+")
_REF_ID = re.compile(r"[a-zA-Z0-9._-]+")
_LIBRARY = {"urn", "name", "version", "objects", "ref_id", "locale"}
_SET = {"urn", "ref_id", "name", "description", "source_framework_urn", "target_framework_urn"}
_MAPPING = {"source_requirement_urn", "target_requirement_urn", "relationship"}
_RELATIONSHIPS = {"subset", "intersect", "equal", "superset", "not_related"}
_RATIONALES = {"syntactic", "semantic", "functional"}


def _library(crosswalk: Any = None) -> dict[str, Any]:
    data = ciso_assistant.library(crosswalk or corresponding.crosswalk(), invented.RUN)
    assert data is not None
    made: dict[str, Any] = yaml.safe_load(data)
    return made


def test_the_library_has_the_fields_and_names_that_the_loader_wants() -> None:
    made = _library()
    assert made.keys() >= _LIBRARY
    assert isinstance(made["version"], int)
    assert 0 < made["version"] < 2**31
    assert made.keys() & {"framework", "requirement_mapping_set"} == set()
    frameworks, sets = made["objects"]["frameworks"], made["objects"]["requirement_mapping_sets"]
    urns = [made["urn"]]
    nodes: dict[str, set[str]] = {}
    for framework in frameworks:
        assert framework.keys() >= {"urn", "ref_id"}
        assert framework["requirement_nodes"]
        own = [node["urn"] for node in framework["requirement_nodes"]]
        nodes[framework["urn"]] = set(own)
        urns += [framework["urn"], *own]
        for node in framework["requirement_nodes"]:
            assert "parent_urn" not in node or node["parent_urn"] in own
    assert len(urns) == len(set(urns))
    for one in sets:
        assert one.keys() >= _SET
        assert one["requirement_mappings"]
        urns.append(one["urn"])
        for mapping in one["requirement_mappings"]:
            assert mapping.keys() >= _MAPPING
            assert mapping["source_requirement_urn"] in nodes[one["source_framework_urn"]]
            assert mapping["target_requirement_urn"] in nodes[one["target_framework_urn"]]
            assert mapping["relationship"] in _RELATIONSHIPS
            assert mapping["rationale"] in _RATIONALES
    assert [urn for urn in urns if not _URN.fullmatch(urn)] == []
    assert all(_REF_ID.fullmatch(one["ref_id"]) for one in (made, *frameworks, *sets))


def test_both_directions_are_there_and_say_the_same() -> None:
    there, back = _library()["objects"]["requirement_mapping_sets"]
    assert back["urn"] == f"{there['urn']}-revert"
    inverse = {"subset": "superset", "superset": "subset"}
    turned = [
        (one["target_requirement_urn"], one["source_requirement_urn"], inverse.get(word := one["relationship"], word))
        for one in there["requirement_mappings"]
    ]
    assert turned == [
        (one["source_requirement_urn"], one["target_requirement_urn"], one["relationship"])
        for one in back["requirement_mappings"]
    ]
    assert "subset" in {one["relationship"] for one in there["requirement_mappings"]}


def test_who_meets_one_side_of_a_contradiction_is_not_credited_for_the_other() -> None:
    mappings = _library()["objects"]["requirement_mapping_sets"][0]["requirement_mappings"]
    (contradiction,) = [one for one in mappings if one["relationship"] == "not_related"]
    assert contradiction["source_requirement_urn"].endswith(":art_17__para_1")
    assert contradiction["annotation"].startswith("Contradiction: conflict, deadline")


def test_an_unlikely_pair_is_mapped_once_a_reviewer_confirmed_it() -> None:
    def mapped(decision: str | None) -> list[str]:
        coverage, counterparts = corresponding.rows()
        for row in counterparts:
            row["p_related"] = 0.3
        for row in coverage:
            row["decision"] = decision if row["section_id"] == invented.BACKUP_US.id else None
        made = _library(replace(corresponding.crosswalk(), coverage=coverage, counterparts=counterparts))
        sets = made["objects"]["requirement_mapping_sets"]
        return [one["source_requirement_urn"].split(":")[-1] for one in sets[0]["requirement_mappings"]]

    # A contradiction and a stricter rule are findings of their own.
    assert mapped(None) == ["art_17__para_1", "art_24__para_2"]
    assert sorted(mapped("confirm")) == ["art_11__para_4", "art_17__para_1", "art_24__para_2"]


def test_a_reader_finds_titles_labels_and_texts() -> None:
    frameworks = _library()["objects"]["frameworks"]
    eu, us = frameworks
    assert eu["name"] == "Specimen Regulation on Technology Risk"
    heads = [node["name"] for node in us["requirement_nodes"] if node["depth"] == 1]
    assert heads == ["Examination Manual: Business Continuity", "Examination Manual: Records and Access"]
    training = next(node for node in eu["requirement_nodes"] if node.get("ref_id") == "Article 13(6)")
    assert training["name"] == "Training"
    assert training["description"] == corresponding.TRAINING.text
    assert training["assessable"]
    scope = next(node for node in eu["requirement_nodes"] if node.get("ref_id") == "Article 1")
    assert (scope["assessable"], scope["annotation"]) == (False, "Left out: a scope rule")


def test_there_is_no_library_where_nothing_corresponds() -> None:
    whole = corresponding.crosswalk()
    gaps = [row for row in whole.coverage if row["state"] == "gap"]
    assert ciso_assistant.library(replace(whole, coverage=gaps), invented.RUN) is None
