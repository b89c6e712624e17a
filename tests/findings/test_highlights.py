"""What is marked in two texts, and where a provision's source may be opened."""

from __future__ import annotations

import pytest

from antinomy.findings.highlights import marks
from antinomy.report.page_data import source_link


def _marked(text: str, runs: list[tuple[int, int, str]]) -> list[tuple[str, str]]:
    units = text.encode("utf-16-le")
    return [(units[2 * start : 2 * end].decode("utf-16-le"), kind) for start, end, kind in runs]


@pytest.mark.parametrize(
    ("left", "right", "left_marks", "right_marks"),
    [
        ("within 72 hours", "within 24 hours", [("72 hours", "c")], [("24 hours", "c")]),
        ("within 72 hours", "within three days", [], []),
        ("keep for five years", "a fee of EUR 50", [], []),
        ("two persons and 10 keys", "three persons and 10 keys", [("two", "c")], [("three", "c")]),
        ("at least 60 %", "at least 80 percent", [("60 %", "c")], [("80 percent", "c")]),
    ],
)
def test_quantities_of_one_kind_that_differ_clash(
    left: str, right: str, left_marks: list[tuple[str, str]], right_marks: list[tuple[str, str]]
) -> None:
    made = marks(left, right, "", "")
    assert (_marked(left, made[0]), _marked(right, made[1])) == (left_marks, right_marks)


def test_only_quantities_in_the_evidence_count() -> None:
    left = "𝔖 Report within 24 hours. Keep it for 5 years."
    right = "Report after 36 hours. Keep it for 7 years."
    made = marks(left, right, "within 24 hours", "after 36 hours")
    assert _marked(left, made[0]) == [("within ", "e"), ("24 hours", "ec")]
    assert _marked(right, made[1]) == [("after ", "e"), ("36 hours", "ec")]


def test_evidence_is_found_through_line_breaks_and_typographic_quotes() -> None:
    left = "The ‘log’ shall be\nkept."
    made = marks(left, "x", "the 'log' shall be kept", "not there")
    assert _marked(left, made[0]) == [("The ‘log’ shall be\nkept", "e")]
    assert made[1] == []


@pytest.mark.parametrize(
    ("uri", "page", "folder", "address"),
    [
        ("https://eur-lex.example/x.pdf", 3, "", "https://eur-lex.example/x.pdf#page=3"),
        ("https://eur-lex.example/x.pdf#toc", 0, "", "https://eur-lex.example/x.pdf"),
        ("/srv/data/a b.pdf", 2, "/srv/out", "../data/a%20b.pdf#page=2"),
        ("file:///srv/data/a%20b.pdf", 2, "/srv/out", "../data/a%20b.pdf#page=2"),
        ("/srv/data/a.pdf", 0, "", "/srv/data/a.pdf"),
        ("java\nscript:alert(1)", 1, "", ""),
        (" javascript:alert(1)", 1, "", ""),
        ("data:text/html,x", 1, "", ""),
        ("//host/share/a.pdf", 1, "", ""),
        ("file://host/share/a.pdf", 1, "", ""),
        ("\\\\host\\share\\a.pdf", 1, "", ""),
        ("C:\\a.pdf", 1, "", ""),
        ("s3a://bucket/a.pdf", 1, "", ""),
        ("", 1, "", ""),
    ],
)
def test_only_web_addresses_and_local_files_are_linked(uri: str, page: int, folder: str, address: str) -> None:
    assert source_link(uri, page, folder) == address
