"""The corpora for measuring whole runs: their texts become the sections that their keys name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from antinomy.parse import parse_document
from antinomy.settings.source import Source

_CORPORA = Path(__file__).parents[2] / "bench" / "corpora"


def _words(text: str) -> str:
    return " ".join("".join(c if c.isalnum() else " " for c in text.lower()).split())


@pytest.mark.parametrize("folder", sorted(p.parent for p in _CORPORA.glob("*/key.jsonl")), ids=lambda f: str(f.name))
def test_each_pair_of_a_key_stands_in_the_sections_that_it_names(folder: Path) -> None:
    text: dict[str, str] = {}
    listed = yaml.safe_load((folder / "antinomy.yaml").read_text("utf-8"))["documents"]
    for path in (folder / entry["path"] for entry in listed):
        document = parse_document(Source(path.stem, path.name, "any"), path.read_bytes())
        # Some paragraphs of these texts do define two terms; what the published ones lack is in test_published.py.
        faults = [fault for fault in document.faults if "definitions run into one another" not in fault]
        assert faults == [] or path.parent.name == "published"
        for section in document.sections:
            # A provision is compared with all that is below it.
            for above in (s for s in document.sections if f"{section.eid}__".startswith(f"{s.eid}__")):
                name = f"{path.stem}#{above.eid}"
                text[name] = f"{text.get(name, '')} {section.text}"
    rows = [json.loads(line) for line in (folder / "key.jsonl").read_text("utf-8").splitlines()]
    assert len(rows) >= 34
    lost = [
        (row["id"], side)
        for row in rows
        for side in ("left", "right")
        if _words(row[f"{side}_quote"]) not in _words(text.get(row[side], ""))
    ]
    assert lost == []
