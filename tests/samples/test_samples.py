"""The samples are believable, original and parsed alike from both formats, and the key fits them."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pypdf
import pytest

from antinomy.parse import parse_document
from antinomy.parse.model import ParsedDocument, Section
from antinomy.samples import DOCUMENTS, FOLDER, KEY
from antinomy.settings.source import Source
from antinomy.vocabulary import Kind, Relation

Key = list[dict[str, str | None]]
_STRUCTURE = {"title", "preamble", "citation", "recital", "conclusions", "box", "footnote"}


def _parse(name: str, suffix: str) -> ParsedDocument:
    path = FOLDER / f"{name}.{suffix}"
    return parse_document(Source(doc_id=name, uri=str(path), regime=DOCUMENTS[name]), path.read_bytes())


@pytest.fixture(scope="module")
def parsed() -> dict[tuple[str, str], ParsedDocument]:
    return {(name, suffix): _parse(name, suffix) for name in DOCUMENTS for suffix in ("pdf", "txt")}


@pytest.fixture(scope="module")
def key() -> Key:
    return [json.loads(line) for line in KEY.read_text(encoding="utf-8").splitlines()]


def _provisions(document: ParsedDocument) -> list[Section]:
    """Nodes that state something of their own: list items belong to them, recitals and boxes are none."""
    by_eid = {section.eid: section for section in document.sections}
    openings = {section.parent_eid for section in document.sections if section.type == "definition"}

    def listed(section: Section) -> bool:
        parent = by_eid.get(section.parent_eid)
        item = section.type in {"point", "item"} and parent is not None
        return item and bool(parent.text)

    def boxed(section: Section) -> bool:
        return section.type in _STRUCTURE or bool(section.parent_eid and boxed(by_eid[section.parent_eid]))

    return [s for s in document.sections if s.text and s.eid not in openings and not boxed(s) and not listed(s)]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_pdf_and_text_give_the_same_tree(parsed: dict[tuple[str, str], ParsedDocument], name: str) -> None:
    pdf, text = ({s.eid: s for s in parsed[name, suffix].sections} for suffix in ("pdf", "txt"))
    assert list(pdf) == list(text)
    for field in ("type", "number", "heading", "label", "parent_eid", "term"):
        assert [getattr(s, field) for s in pdf.values()] == [getattr(s, field) for s in text.values()]
    for eid, section in pdf.items():
        assert section.text.split() == text[eid].text.split(), eid


@pytest.mark.parametrize("name", DOCUMENTS)
@pytest.mark.parametrize("suffix", ["pdf", "txt"])
def test_nothing_is_lost(parsed: dict[tuple[str, str], ParsedDocument], name: str, suffix: str) -> None:
    assert parsed[name, suffix].coverage >= 0.995


@pytest.mark.parametrize("name", DOCUMENTS)
def test_forty_to_sixty_provisions(parsed: dict[tuple[str, str], ParsedDocument], name: str) -> None:
    assert 40 <= len(_provisions(parsed[name, "pdf"])) <= 60


def test_application_date_is_read(parsed: dict[tuple[str, str], ParsedDocument]) -> None:
    assert parsed["eu-orr", "pdf"].in_force_from == parsed["eu-orr", "txt"].in_force_from == "2032-01-01"


def test_key_names_provisions_that_exist_and_are_long_enough_to_judge(
    parsed: dict[tuple[str, str], ParsedDocument], key: Key
) -> None:
    for suffix in ("pdf", "txt"):
        texts = {
            f"{name}#{section.eid}": section.text for name in DOCUMENTS for section in _provisions(parsed[name, suffix])
        }
        for row in key:
            for side in ("left", "right"):
                assert row[side] in texts, f"{row[side]} is not in the {suffix} parse"
                assert 20 <= len(texts[str(row[side])].split()) <= 90


def test_key_keeps_the_vocabulary_of_the_judge(key: Key) -> None:
    for row in key:
        assert row.keys() == {"left", "right", "relation", "kind", "governs", "note"}
        assert row["relation"] in tuple(Relation)
        assert (row["kind"] in tuple(Kind)) == (row["relation"] in {"conflict", "stricter", "definition"})
        assert (row["governs"] in {"left", "right"}) == (row["relation"] == "stricter")
        assert row["note"]
    pairs = [(row["left"], row["right"]) for row in key]
    assert len(set(pairs)) == len(pairs)
    assert {str(left).split("#")[0] for left, _ in pairs} == {"eu-orr"}
    assert {str(right).split("#")[0] for _, right in pairs} == {"us-trr"}


def test_key_has_enough_of_every_relation_and_kind(key: Key) -> None:
    relations = Counter(row["relation"] for row in key)
    assert relations["conflict"] >= 15
    assert relations["stricter"] >= 10
    assert relations["none"] + relations["overlap"] >= 15
    assert {row["kind"] for row in key if row["relation"] in {"conflict", "definition"}} == set(Kind)
    assert Counter(row["governs"] for row in key if row["relation"] == "stricter").keys() == {"left", "right"}


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.lower().replace("\u00ad", ""))


@pytest.mark.long
@pytest.mark.slow
def test_no_sentence_is_taken_from_the_real_regulations(regulations: Path) -> None:
    ours: dict[str, str] = {}
    for name in DOCUMENTS:
        for paragraph in (FOLDER / f"{name}.txt").read_text(encoding="utf-8").split("\n\n"):
            words = _words(paragraph)
            ours.update({" ".join(words[i : i + 8]): paragraph for i in range(len(words) - 7)})
    # The documents on the samples' own subjects; reading all eleven would take a minute.
    near = ("CELEX", "businesscontinuity", "informationsecurity", "itbooklet_management")
    pdfs = [pdf for pdf in sorted(regulations.rglob("*.pdf")) if any(name in pdf.name for name in near)]
    assert len(pdfs) == len(near)
    for pdf in pdfs:
        words = _words(" ".join(page.extract_text() for page in pypdf.PdfReader(pdf).pages))
        shared = ours.keys() & {" ".join(words[i : i + 8]) for i in range(len(words) - 7)}
        assert not shared, f"{pdf.name} shares eight words in a row with: {ours[min(shared)]}"
