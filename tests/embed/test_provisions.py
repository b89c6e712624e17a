"""Documents in which nothing was recognised: a warning, or the end where nothing is left to compare."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from antinomy.embed.stage import _count_bound, _provisions_of_document, _require_provisions
from antinomy.errors import DocumentError
from antinomy.run.stage import Context
from antinomy.settings import Settings
from antinomy.store import tables


def no_session() -> Any:
    raise AssertionError("Spark was started for nothing")


def context(folder: Path, *with_units: str, **link: Any) -> Context:
    documents = [{"path": name, "regime": regime} for name, regime in (("a", "eu"), ("b", "us"), ("c", "us"))]
    settings = Settings.model_validate({"warehouse": f"{folder}/w", "documents": documents, "link": link})
    units = [{"unit_id": f"{name}#art_1", "doc_id": name} for name in with_units]
    tables.write_rows(units, settings.warehouse, "units", settings.run_id)
    return Context(settings, no_session)


def test_a_document_without_provisions_is_named_and_counted(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    ctx = context(tmp_path, "a", "c")
    assert _require_provisions(ctx, ["a", "b", "c"]) == ("b",)
    assert "no provision was recognised in b" in caplog.text


@pytest.mark.parametrize(
    ("left", "link"),
    [
        (("b", "c"), {}),
        (("a",), {"groups": "documents"}),
        (("a", "b"), {"groups": "pairs", "pairs": [["a", "c"]]}),
        (("b", "c"), {"groups": "documents", "left": ["a"]}),
    ],
)
def test_where_nothing_is_left_to_compare_the_run_ends(tmp_path: Path, left: tuple[str, ...], link: Any) -> None:
    with pytest.raises(DocumentError, match=r"no provision was recognised in .* there is nothing to compare"):
        _require_provisions(context(tmp_path, *left, **link), ["a", "b", "c"])


def test_provisions_of_one_document_can_be_compared_with_each_other(tmp_path: Path) -> None:
    _require_provisions(context(tmp_path, "a", groups="within"), ["a", "b", "c"])


def test_a_document_that_hardly_binds_a_firm_is_named(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    ctx = context(tmp_path, "a")
    parties = {"b": ["firm"] * 2 + ["authority"] * 28, "c": ["firm"] * 15 + ["nobody"] * 15}
    rows = [
        {"unit_id": f"{name}#p{n}", "doc_id": name, "regime": "us", "binds": party, "piece": 1}
        for name, binds in parties.items()
        for n, party in enumerate(binds)
    ]
    tables.write_rows(rows, ctx.settings.warehouse, "units", ctx.settings.run_id)
    assert _count_bound(ctx) == {"us": {"authority": 28, "firm": 17, "nobody": 15}}
    assert "b: only 2 of 30 provisions are read as binding a firm" in caplog.text
    assert "c: only" not in caplog.text


def test_what_a_numbered_glossary_explains_is_a_definition_though_its_meaning_sounds_like_a_duty() -> None:
    given = {
        "sec_1": ("section", "Terms", ""),
        "sec_1__para_4": ("paragraph", "", "Log: a record that is kept of each visit; it may be kept on paper."),
        "sec_1__para_5": ("paragraph", "", "Staff must read the terms above."),
        "sec_1__para_7": ("paragraph", "", "Oil lamps are lamps which nobody may light indoors."),
        "sec_2": ("section", "Visits", ""),
        "sec_2__para_6": ("paragraph", "", "Log: a visitor must sign it."),
        "sec_2__para_8": ("paragraph", "", "Oil lamps are lamps which nobody may light indoors."),
    }
    rows = [
        {
            "doc_id": "d", "eid": eid, "position": at, "type": kind, "number": "", "heading": heading, "label": eid,
            "text": text, "parent_id": f"d#{eid.rpartition('__')[0]}" if "__" in eid else None, "term": "",
        }
        for at, (eid, (kind, heading, text)) in enumerate(given.items())
    ]  # fmt: skip
    found = _provisions_of_document(pd.DataFrame(rows))
    types = dict(zip(found["section_id"], found["type"], strict=True))
    assert {eid for eid in given if types.get(f"d#{eid}") == "definition"} == {"sec_1__para_4", "sec_1__para_7"}
