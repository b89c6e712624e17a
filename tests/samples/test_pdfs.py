"""The bundled PDFs are what the script prints from their texts and laid out like the real thing."""

from __future__ import annotations

from pathlib import Path

import pypdf
import pytest

from antinomy.parse import read
from antinomy.samples import DOCUMENTS, FOLDER

pytest.importorskip("reportlab", reason="needs reportlab, extra dev")

from antinomy.samples.make_pdfs import main


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("printed")
    main(folder)
    return folder


def _streams(pdf: Path) -> list[bytes]:
    """What is drawn on each page; compressed bytes may differ from one zlib to the next."""
    return [page.get_contents().get_data() for page in pypdf.PdfReader(pdf).pages]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_bundled_pdf_is_printed_from_the_bundled_text(printed: Path, name: str) -> None:
    assert _streams(printed / f"{name}.pdf") == _streams(FOLDER / f"{name}.pdf"), (
        "the text was changed but not printed again: run python -m antinomy.samples.make_pdfs"
    )


def test_printing_twice_gives_the_same_bytes(printed: Path, tmp_path: Path) -> None:
    main(tmp_path)
    for name in DOCUMENTS:
        assert (tmp_path / f"{name}.pdf").read_bytes() == (printed / f"{name}.pdf").read_bytes()


@pytest.mark.parametrize("name", DOCUMENTS)
def test_files_are_small(name: str) -> None:
    assert (FOLDER / f"{name}.pdf").stat().st_size < 100_000


def test_act_has_the_running_heads_and_footnotes_of_a_journal() -> None:
    content = read("application/pdf", (FOLDER / "eu-orr.pdf").read_bytes())
    heads = {line.text for line in content.furniture}
    assert {"Specimen Journal of the Union", "14.3.2031", "L 9417/1", f"L 9417/{content.pages}"} <= heads
    assert [line.text[:6] for line in content.lines if line.size < 8] == ["(¹) OJ", "(²) Po"]
    assert [line.text for line in content.lines if line.font.endswith("Italic")][:2] == ["Article 1", "Article 2"]


def test_booklet_has_cover_contents_bookmarks_and_shrinking_headings() -> None:
    content = read("application/pdf", (FOLDER / "us-trr.pdf").read_bytes())
    cover = [line.text for line in content.lines if line.page == 1]
    assert cover == ["Specimen IT Examination Handbook", "Technology Resilience and Records", "APRIL 2031"]
    dotted = [line for line in content.lines if "....." in line.text]
    assert len(dotted) == len(content.outline)
    assert {line.page for line in dotted} == {2, 3}
    sizes = {line.text: line.size for line in content.lines if line.bold and line.page > 3}
    headings = ("I Governance", "I.B Personnel", "I.B.1 Awareness Training", "Lost Cards")
    assert [sizes[heading] for heading in headings] == [18, 16, 14, 12]
    assert [entry.level for entry in content.outline[:6]] == [0, 0, 1, 2, 1, 2]
