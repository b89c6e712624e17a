"""Whatever the bytes: a tree or a DocumentError, in bounded time, and never a false id."""

from __future__ import annotations

import io
from collections.abc import Callable
from math import isqrt
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from reportlab.pdfgen.canvas import Canvas

from antinomy import section_ids
from antinomy.errors import DocumentError
from antinomy.parse import parse_document
from antinomy.parse.model import ParsedDocument
from antinomy.settings.source import Source
from growth import assert_linear

ACTS = Path(__file__).parent / "acts"
HEAD = "REGULATION (EU) 2040/1\n\nHaving regard to it,\n\nHAVE ADOPTED THIS REGULATION:\n\nArticle 1\n\nScope\n\n"
MEGABYTE = 1_000_000


def check(data: bytes, regime: str = "eu") -> ParsedDocument | None:
    """Parse; a refusal is None. Ids must be ids, unique, and have their parents before them."""
    try:
        document = parse_document(Source("x", "x", regime), data)
    except DocumentError:
        return None
    seen: set[str] = set()
    for position, section in enumerate(document.sections):
        assert section_ids.build(section_ids.parse(section.eid)) == section.eid
        assert section.eid not in seen
        assert not section.parent_eid or section.parent_eid in seen
        assert section.position == position
        seen.add(section.eid)
    assert document.tree_words <= document.body_words
    return document


@given(st.binary(max_size=3000), st.sampled_from(["eu", "us"]))
@settings(max_examples=150, deadline=None)
def test_random_bytes(data: bytes, regime: str) -> None:
    check(data, regime)


@given(
    st.sampled_from([b"%PDF-1.7\n", b"<html>", b"<ACT>", b"<?xml version='1.0'?><ACT>"]),
    st.binary(max_size=2000),
)
@settings(max_examples=150, deadline=None)
def test_random_bytes_after_a_true_beginning(head: bytes, data: bytes) -> None:
    check(head + data)
    check(head + data + b"\n%%EOF")


# What acts are made of, in any order: numbers, quotation marks, headings, letters of all scripts.
_PIECES = st.one_of(
    st.sampled_from([
        "Article 1", "Article 2", "Article 7a", "CHAPTER I", "TITLE II", "Section 2", "ANNEX", "ANNEX IV",
        "PART A", "1. Text", "2. Text:", "3a. Text", "(a) point:", "(b) point;", "(i) sub", "(ii) sub",
        "(aa) x", "(1) ‘t’ means x", "– dash", "‘1. quoted", "quoted.’;", "following:", "Whereas:",
        "(1) recital", "HAVE ADOPTED THIS REGULATION:", "Having regard to x,", "(¹) note", "[^2]: note",
        "# Heading", "- (a) item", "Done at X, 1 May 2040.", "", "It shall apply from 1 July 2041.",
        "אבג", "ا\u0651\u0651", "e\u0301\u0302", "\u202e(a) x", "ﬁ", "1.1. x", "①",
    ]),
    st.text(max_size=30),
)  # fmt: skip


@given(st.lists(_PIECES, max_size=40), st.sampled_from(["\n", "\n\n", "\n      "]), st.sampled_from(["eu", "us"]))
@settings(max_examples=250, deadline=None)
def test_shuffled_acts(pieces: list[str], between: str, regime: str) -> None:
    document = check(between.join(pieces).encode("utf-8", "surrogatepass"), regime)
    if document is not None and regime == "eu":
        assert document.coverage > 0.9 or document.body_words - document.tree_words < 5


@given(st.lists(st.tuples(st.sampled_from(["p", "div", "td", "table", "tr", "span"]), _PIECES), max_size=30))
@settings(max_examples=100, deadline=None)
def test_shuffled_html(pieces: list[tuple[str, str]]) -> None:
    body = "".join(f'<{tag} class="oj-ti-art" id="art_{n}">{text}' for n, (tag, text) in enumerate(pieces))
    check(f"<html><body>{body}</body></html>".encode("utf-8", "surrogatepass"))


@pytest.fixture(scope="module")
def printed() -> bytes:
    target = io.BytesIO()
    canvas = Canvas(target)
    for number in range(1, 4):
        canvas.drawString(70, 700, f"Article {number}")
        canvas.drawString(70, 670, "Each keeper shall trim the wick of the light before dusk, and note the hour.")
        canvas.showPage()
    canvas.save()
    return target.getvalue()


@given(st.data())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_cut_and_scratched_pdfs(printed: bytes, data: st.DataObject) -> None:
    cut = data.draw(st.integers(min_value=0, max_value=len(printed) - 7))
    assert check(printed[:cut]) is None
    damaged = bytearray(printed)
    for place in data.draw(st.lists(st.integers(0, len(printed) - 1), max_size=20)):
        damaged[place] = data.draw(st.integers(0, 255))
    check(bytes(damaged))


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_cut_acts(data: st.DataObject) -> None:
    act = (ACTS / f"lighthouse.{data.draw(st.sampled_from(['txt', 'md', 'html', 'xml']))}").read_bytes()
    check(act[: data.draw(st.integers(0, len(act)))])


@pytest.mark.parametrize(
    ("make", "size"),
    [
        pytest.param(lambda n: b"a" * n, 4 * MEGABYTE, id="one word"),
        pytest.param(lambda n: (HEAD + "1. " + "word " * n).encode(), 500_000, id="one line"),
        pytest.param(lambda n: b"# " + b"#" * n + b"x", 4 * MEGABYTE, id="number signs"),
        pytest.param(lambda n: b"# h\n\n" + b"*a" * n, 1_000_000, id="stars"),
        pytest.param(lambda n: (HEAD + "_" * n).encode(), 10 * MEGABYTE, id="a rule"),
        pytest.param(lambda n: (HEAD + "\n\n".join(["‘1. x:"] * n)).encode(), 20_000, id="open quotations"),
        pytest.param(lambda n: (HEAD + "1. " + "\n".join(["a-"] * n)).encode(), 100_000, id="hyphens"),
        pytest.param(lambda n: (HEAD + "1. " + "(¹)" * n).encode(), 300_000, id="marks"),
        pytest.param(lambda n: (HEAD + "\n\n".join(["(a) x:"] * n)).encode(), 4_000, id="one number again and again"),
        pytest.param(
            # Each line has one blank more than the line before: as many lines as the root of the size.
            lambda n: (HEAD + "1. x:\n\n" + "\n\n".join(" " * k + "(a) x:" for k in range(isqrt(2 * n)))).encode(),
            2 * MEGABYTE,
            id="points nested by indent",
        ),
        pytest.param(lambda n: (HEAD + "1. " + "\u202eאבג \u0301\u0302" * n).encode(), 50_000, id="marks upon marks"),
        pytest.param(
            lambda n: b"<html><body>" + b"<p>Article 1</p><p>x</p>" * n, 3_000, id="one article over and over"
        ),
        pytest.param(
            lambda n: b"<html><body><p>Article 1</p>" + b"<table><tr><td>(a)</td><td>x" * n, 20_000, id="tables"
        ),
        pytest.param(lambda n: b"<html><p class='ti-art'>x</p><p>" + b"word " * n, 2_500_000, id="one element"),
        pytest.param(
            lambda n: b"Section 1 Lamps\n\nOil.\n\nSection 2 A keeper fills" + b" oil" * n, 10_000, id="a long heading"
        ),
        pytest.param(
            lambda n: b"<html><style>" + b"a " * n + b"</style><body><ol><li>x</ol>", 20_000, id="a style without rules"
        ),
        pytest.param(lambda n: b"<ACT>" + b"<LIST><ITEM><NP><NO.P>(a)</NO.P><TXT>x</TXT>" * n, 20_000, id="lists"),
        pytest.param(
            lambda n: b"<ACT><ARTICLE>" + b"<LIST>" * n + b"</LIST>" * n + b"</ARTICLE></ACT>", 250, id="deep"
        ),
    ],
)  # fmt: skip
def test_big_and_deep_inputs_take_linear_time(make: Callable[[int], bytes], size: int) -> None:
    assert_linear(lambda n: check(make(n)), size)


def test_html_is_never_read_in_part() -> None:
    deep = b"<html><body><p class='oj-ti-art'>Article 1</p>" + b"<div>" * 300 + b"the rest"
    with pytest.raises(DocumentError, match="cannot be read to its end"):
        parse_document(Source("x", "x", "eu"), deep)


def test_entities_are_neither_expanded_nor_fetched(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("not for you")
    act = "<ARTICLE><TI.ART>Article 1</TI.ART><ALINEA>x&a;</ALINEA></ARTICLE>"
    outside = f'<!DOCTYPE ACT [<!ENTITY a SYSTEM "file://{secret}">]><ACT>{act}</ACT>'
    with pytest.raises(DocumentError, match="entities"):
        parse_document(Source("x", "x", "eu"), outside.encode())
    levels = "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True))
    bomb = f'<!DOCTYPE ACT [<!ENTITY a "aaaaaaaaaa">{levels}]><ACT>{act.replace("&a;", "&i;")}</ACT>'
    with pytest.raises(DocumentError):
        parse_document(Source("x", "x", "eu"), bomb.encode())
