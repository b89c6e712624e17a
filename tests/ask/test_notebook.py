"""The notebook answers, shows the graph around the answer, and its box takes another question."""

from __future__ import annotations

from pathlib import Path

import nbformat
import papermill
import pytest

from antinomy.ask.answer import Asker
from antinomy.ask.widget import graph, html, question_box

pytestmark = [pytest.mark.long, pytest.mark.spark, pytest.mark.slow, pytest.mark.timeout(900)]
NOTEBOOK = Path(__file__).resolve().parents[2] / "notebooks" / "ask.ipynb"


def test_the_notebook_runs_from_its_first_cell_to_the_last(finished: Path, tmp_path: Path) -> None:
    done = tmp_path / "ask.ipynb"
    parameters = {"CONFIG": str(finished), "QUESTION": "May backups be kept abroad?"}
    papermill.execute_notebook(NOTEBOOK, done, parameters, progress_bar=False, log_output=False)
    cells = nbformat.read(done, as_version=4).cells
    outputs = [output for cell in cells if cell.cell_type == "code" for output in cell.outputs]
    assert any("VBox" in output.get("data", {}).get("text/plain", "") for output in outputs)
    assert any("Article 11(4)" in output.get("data", {}).get("text/html", "") for output in outputs)
    assert sum("image/png" in output.get("data", {}) for output in outputs) >= 1


def test_what_is_typed_is_answered(asked: Asker) -> None:
    made = question_box(asked)
    made.question.value = "What does Article 11(4) say?"
    assert "territory of the Union" in made.answer.value
    assert bytes(made.picture.value).startswith(b"\x89PNG")


def test_nothing_of_a_question_is_markup(asked: Asker) -> None:
    shown = html(asked.ask("How is <script>alert(1)</script> defined?"))
    assert "<script>" not in shown


def test_the_picture_names_what_answers_and_what_is_near(asked: Asker) -> None:
    figure = graph(asked.ask("May backups be kept abroad?"), asked.corpus)
    words = {text.get_text() for text in figure.axes[0].texts}
    assert {"Article 11(4) (eu)", "Section IV.B.2, paragraph 2 (us)"} <= words
