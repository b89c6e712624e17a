"""Numbers that do not follow each other: each spoilt act names the place that was spoilt."""

from __future__ import annotations

from pathlib import Path

import pytest

from antinomy.parse import parse_document
from antinomy.parse.model import ParsedDocument
from antinomy.settings.source import Source

ACT = """# REGULATION (EU) 2041/12 OF THE SPECIMEN COUNCIL

THE SPECIMEN COUNCIL,

Having regard to the Specimen Treaty,

Whereas:

(1) Bells are rung.

(2) Ropes wear out.

HAS ADOPTED THIS REGULATION:

### Article 1

Subject matter

1. This Regulation is about bells.

2. It is not about gongs.

### Article 2

Ropes

1. A ringer shall inspect each rope:

(a) once a month;

(b) after a storm;

(c) before a feast.

2. A worn rope shall be replaced.

3. The old rope shall be kept for a year.

### Article 3

Records

The ringer shall keep a record of inspections.

### Article 4

Entry into force

This Regulation shall enter into force on 1 May 2041.
"""


def parse(text: str, grammar: str = "eu") -> ParsedDocument:
    return parse_document(Source("act", "act.md", grammar), text.encode())


def test_a_whole_act_has_none() -> None:
    assert parse(ACT).breaks == []


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("Article 3", "Artcle 3", ["“Artcle 3” looks like the heading of an article", "Article 4 follows Article 2"]),
        (
            "### Article 3\n\nRecords",
            "### Artlcle 3 — Records",
            ["“Artlcle 3 — Records” looks like", "Article 4 follows"],
        ),
        ("Article 1", "Aticle 1", ["“Aticle 1” looks like the heading", "Article 2 is the first"]),
        (
            "Article 4",
            "Articel 4",
            ["“Articel 4” looks like the heading of an article and was read as part of Article 3"],
        ),
        (
            "Article 3",
            "Article 1",
            ["“Article 1” looks like the heading of an article and was read as part of Article 2"],
        ),
        ("Article 3", "Article 2", ["Article 2 stands twice"]),
        ("2. A worn", "4. A worn", ["Article 2(4) follows Article 2(1)"]),
        ("(b) after", "(d) after", ["Article 2(1), point (d) follows Article 2(1), point (a)"]),
    ],
)
def test_a_spoilt_number_is_named_with_its_place(before: str, after: str, said: list[str]) -> None:
    spoilt = ACT.replace(before, after, 1)
    assert spoilt != ACT
    found = parse(spoilt).breaks
    for wanted in said:
        assert any(wanted in place for place in found), found


def test_articles_put_between_are_no_break() -> None:
    text = ACT.replace("### Article 3", "### Article 2a\n\nWheels\n\nWheels shall be oiled.\n\n### Article 3")
    document = parse(text)
    assert "art_2a" in [section.eid for section in document.sections]
    assert document.breaks == []


def test_articles_that_an_act_quotes_are_none_of_its_own() -> None:
    text = ACT.replace(
        "The ringer shall keep a record of inspections.",
        "In Regulation (EU) 2031/9417, the following Article is inserted:\n\n"
        "‘Article 1\n\nBells\n\nBells shall be heard.’",
    )
    assert parse(text).breaks == []


def test_references_to_articles_are_no_headings() -> None:
    text = ACT.replace(
        "2. It is not about gongs.", "2. It is not about gongs, see:\n\nArticles 3\n\nArticle 3 applies to gongs."
    )
    assert parse(text).breaks == []


def test_the_samples_have_none() -> None:
    from antinomy import samples

    for name, grammar in (("eu-orr.pdf", "eu"), ("us-trr.pdf", "us")):
        path = Path(samples.FOLDER) / name
        assert parse_document(Source("a", str(path), grammar), path.read_bytes()).breaks == []
