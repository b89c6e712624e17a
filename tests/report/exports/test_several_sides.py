"""Three sides: a file for each two of them where the format holds two, and one library for all."""

from __future__ import annotations

import json

import yaml

from antinomy.report.exports import ciso_assistant, olir, oscal
from report import invented
from report.exports import corresponding
from report.exports.test_oscal import _faults

_PAIRS = ["eu-specimen-us-continuity", "eu-specimen-us-records", "us-continuity-us-records"]


def test_each_two_sides_have_a_spreadsheet() -> None:
    files = dict(olir.files(corresponding.of_three(), invented.RUN))
    assert sorted(files) == [f"olir-{pair}.xlsx" for pair in _PAIRS]


def test_each_two_sides_with_a_pair_or_a_near_miss_have_a_mapping_and_each_document_one_catalog() -> None:
    files = {name: json.loads(data) for name, data in oscal.files(corresponding.of_three(), invented.RUN)}
    assert sorted(files) == [
        "catalog-eu-specimen.json", "catalog-us-continuity.json", "catalog-us-records.json",
        "mapping-eu-specimen-us-continuity.json",
    ]  # fmt: skip
    for name, document in files.items():
        assert _faults("mapping" if name.startswith("mapping") else "catalog", document) == [], name
    controls = [
        one["id"] for group in files["catalog-eu-specimen.json"]["catalog"]["groups"] for one in group["controls"]
    ]
    assert len(controls) == len(set(controls)) == 6, (
        "a provision is one control, however many sides it was compared with"
    )


def test_the_library_holds_each_framework_once() -> None:
    data = ciso_assistant.library(corresponding.of_three(), invented.RUN)
    assert data is not None
    objects = yaml.safe_load(data)["objects"]
    assert [one["name"] for one in objects["frameworks"]] == [row["title"] for row in invented.DOCUMENTS]
    urns = [node["urn"] for one in objects["frameworks"] for node in one["requirement_nodes"]]
    assert len(urns) == len(set(urns))
    assert len(objects["requirement_mapping_sets"]) == 2
