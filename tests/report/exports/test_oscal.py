"""OSCAL files against the schemas that NIST publishes, and as a tool follows their references."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import regex

from antinomy.report.exports import oscal
from report import invented
from report.exports import corresponding

SCHEMAS = Path(__file__).parent / "schemas"


def _pattern(validator: Any, pattern: str, instance: Any, schema: Any) -> Any:
    # The schemas name classes of characters as ECMA-262 does (\p{L}), which Python's own module cannot.
    if validator.is_type(instance, "string") and not regex.search(pattern, instance):
        yield jsonschema.ValidationError(f"{instance!r} does not match {pattern!r}")


_Validator = jsonschema.validators.extend(jsonschema.Draft7Validator, {"pattern": _pattern})


def _faults(model: str, document: Any) -> list[str]:
    schema = json.loads((SCHEMAS / f"oscal_{model}_schema.json").read_text("utf-8"))
    return [fault.message for fault in _Validator(schema).iter_errors(document)]


def _made(crosswalk: Any = None) -> dict[str, Any]:
    files = oscal.files(crosswalk or corresponding.crosswalk(), invented.RUN)
    return {name: json.loads(data) for name, data in files}


def _maps(files: dict[str, Any]) -> list[dict[str, Any]]:
    return [one for mapping in files["mapping.json"]["mapping-collection"]["mappings"] for one in mapping["maps"]]


def test_every_file_is_valid_by_the_published_schema() -> None:
    files = _made()
    assert sorted(files) == [
        "catalog-eu-specimen.json", "catalog-us-continuity.json", "catalog-us-records.json", "mapping.json",
    ]  # fmt: skip
    for name, document in files.items():
        assert _faults("mapping" if name == "mapping.json" else "catalog", document) == [], name


def test_the_schema_would_refuse_what_is_wrong() -> None:
    for wrong in ({"relationship": "2 intersects"}, {"sources": []}, {"note": "of our own"}):
        files = _made()
        _maps(files)[0].update(wrong)
        assert _faults("mapping", files["mapping.json"]), wrong


def test_every_reference_leads_to_a_control_with_the_label_and_the_text_of_the_provision() -> None:
    files = _made()
    for mapping in files["mapping.json"]["mapping-collection"]["mappings"]:
        for end, resource in (("sources", "source-resource"), ("targets", "target-resource")):
            catalog = files[mapping[resource]["href"]]["catalog"]
            controls = {one["id"]: one for group in catalog["groups"] for one in group["controls"]}
            for one in mapping["maps"]:
                (item,) = one[end]
                control = controls[item["id-ref"]]
                assert control["props"][0]["value"] == item["props"][0]["value"]
    specimen = files["catalog-eu-specimen.json"]["catalog"]
    assert specimen["metadata"]["title"] == "Specimen Regulation on Technology Risk"
    controls = {one["id"]: one for group in specimen["groups"] for one in group["controls"]}
    assert controls["art_17__para_1"]["title"] == "Article 17(1)"
    assert "within 24 hours" in controls["art_17__para_1"]["parts"][0]["prose"]
    records = files["catalog-us-records.json"]["catalog"]["groups"][0]["controls"][0]
    assert records["title"] == "IX", "the catalog names the document"
    assert r"\*Leases\* are kept." in records["parts"][0]["prose"], "shown as it is, not as markup"


def test_each_verdict_is_the_relationship_that_the_model_has_for_it() -> None:
    found = {(one["sources"][0]["id-ref"], one["targets"][0]["id-ref"]): one["relationship"] for one in _maps(_made())}
    assert found == {
        ("art_17__para_1", "sec_III__subsec_A__para_2"): "intersects-with",
        ("art_17__para_1", "sec_III__subsec_A__para_4"): "intersects-with",
        ("art_24__para_2", "sec_V__subsec_B__para_1"): "subset-of",
        ("art_11__para_4", "sec_IV__subsec_A__para_3"): "intersects-with",
        # What came nearest to a gap.
        ("art_13__para_6", "sec_V__subsec_B__para_1"): "no-relationship",
    }
    assert set(oscal.RELATIONSHIPS.values()) == {
        "equal-to", "subset-of", "superset-of", "intersects-with", "no-relationship",
    }  # fmt: skip


def test_a_contradiction_is_a_qualifier_and_gaps_are_listed() -> None:
    files = _made()
    (conflict,) = [one for one in _maps(files) if "qualifiers" in one]
    assert conflict["sources"][0]["id-ref"] == "art_17__para_1"
    (qualifier,) = conflict["qualifiers"]
    assert (qualifier["subject"], qualifier["predicate"]) == ("both", "has-incompatibility")
    assert conflict["confidence-score"] == {"percentage": 0.93}
    mappings = files["mapping.json"]["mapping-collection"]["mappings"]
    assert mappings[0]["source-gap-summary"]["unmapped-controls"] == [{"with-ids": ["art_13__para_6"]}]


def test_what_a_reviewer_rejected_is_not_asserted() -> None:
    coverage, counterparts = corresponding.rows()
    for row in coverage:
        if row["section_id"] in (invented.TEST_EU.id, corresponding.TRAINING.id):
            row["decision"] = "reject"
    files = _made(replace(corresponding.crosswalk(), coverage=coverage, counterparts=counterparts))
    assert _faults("mapping", files["mapping.json"]) == []
    made = files["mapping.json"]["mapping-collection"]
    assert "art_24__para_2" not in {one["sources"][0]["id-ref"] for one in _maps(files)}
    assert all("source-gap-summary" not in mapping for mapping in made["mappings"])
    assert made["provenance"]["method"] == "hybrid"


def test_two_runs_name_the_same_pair_alike() -> None:
    first, second = (
        json.loads(dict(oscal.files(corresponding.crosswalk(), invented.RUN | {"run_id": name}))["mapping.json"])
        for name in ("quarter-1", "quarter-2")
    )
    uuids = [[one["uuid"] for one in _maps({"mapping.json": made})] for made in (first, second)]
    assert uuids[0] == uuids[1]
    assert first["mapping-collection"]["uuid"] != second["mapping-collection"]["uuid"]


@pytest.mark.parametrize("eid", ["3.1", "art 5/b", "Ü__para_2", ""])
def test_a_place_of_any_form_becomes_a_token(eid: str) -> None:
    coverage, counterparts = corresponding.rows()
    for row in coverage:
        if row["section_id"] == corresponding.TRAINING.id:
            row["section_id"] = f"{invented.EU}#{eid}"
    for row in counterparts:
        if row["section_id"] == corresponding.TRAINING.id:
            row["section_id"] = f"{invented.EU}#{eid}"
    files = _made(replace(corresponding.crosswalk(), coverage=coverage, counterparts=counterparts))
    assert _faults("mapping", files["mapping.json"]) == []
    assert _faults("catalog", files["catalog-eu-specimen.json"]) == []
