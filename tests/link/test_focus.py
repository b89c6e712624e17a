"""A focus: only what the theme concerns on the left asks for neighbours, and the saving is told."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest
from pydantic import ValidationError

from antinomy.errors import SettingsError
from antinomy.link.plan import link
from antinomy.link.result import FocusCounts
from antinomy.settings.link import LinkSettings
from antinomy.store import schemas
from link.arrow import batches, table

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

#: Two themes: a vector near the first axis speaks of incidents, one near the second of training.
TEXTS = {
    "eu/act#art_1": ("Report a serious incident within a day.", (1.0, 0.1)),
    "eu/act#art_2": ("Tell the authority of an outage.", (0.9, 0.2)),
    "eu/act#art_3": ("Train the staff every year.", (0.1, 1.0)),
    "eu/act#art_4": ("Keep a register of courses.", (0.2, 0.9)),
    "us/book#sec_1": ("Notify of an incident in three days.", (1.0, 0.0)),
    "us/book#sec_2": ("An outage is told to customers.", (0.8, 0.3)),
    "us/book#sec_3": ("Awareness courses are held each quarter.", (0.0, 1.0)),
}


def run(spark: SparkSession, folder: Path, **settings: Any) -> tuple[pd.DataFrame, dict[str, Any]]:
    units, vectors = [], []
    for name, (text, (x, y)) in TEXTS.items():
        regime, section = name.split("/")
        vector = np.array([x, y], dtype=np.float32)
        units.append(
            {"unit_id": section, "section_id": section, "doc_id": section.split("#")[0], "regime": regime,
             "label": "", "heading_path": "", "unit_text": text, "context": "", "piece": 1,
             "unit_sha256": section, "text_sha256": section, "context_sha256": None, "type": "paragraph",
             "binds": "firm", "demands": "duty"}
        )  # fmt: skip
        unit = vector / np.linalg.norm(vector)
        vectors.append(dict(zip(schemas.columns("embeddings"), (section, "m", "r", 2, unit, unit), strict=True)))
    chosen = LinkSettings.model_validate({"k": 1, "k_right": 0, "min_score": -1, **settings})
    encode = {"incident": np.array([1, 0], np.float32), "courses": np.array([0, 1], np.float32)}
    folder = folder / str(len(list(folder.iterdir())))
    folder.mkdir()
    by_channel = dict.fromkeys(chosen.channels, batches(pd.DataFrame(vectors)))
    given = table(pd.DataFrame(units), "units")
    pairs, searched = link(spark, given, by_channel, chosen, str(folder), ("eu", "us"), encode.__getitem__)
    return pairs.toPandas().sort_values("left_id", ignore_index=True), searched


def test_only_what_the_theme_concerns_asks(spark: SparkSession, tmp_path: Path) -> None:
    whole, _ = run(spark, tmp_path)
    assert len(whole) == 4
    pairs, searched = run(spark, tmp_path, focus="incident", focus_sections=2)
    assert list(pairs["left_id"]) == ["act#art_1", "act#art_2"]
    assert set(pairs["right_id"]) <= {"book#sec_1", "book#sec_2"}
    # The others got the neighbours that they have without a focus, too.
    assert pairs.merge(whole, on=["left_id", "right_id"]).shape[0] == 2
    assert searched.focus == FocusCounts(selected=2, of=4)
    assert searched.full_comparison_calls == 12  # what no focus and no neighbours would take


def test_words_find_what_vectors_do_not(spark: SparkSession, tmp_path: Path) -> None:
    # By vector art_3 comes first; "courses" stands in art_4 alone, and both channels count.
    pairs, _ = run(spark, tmp_path, focus="courses", focus_sections=1)
    assert list(pairs["left_id"]) == ["act#art_4"]


def test_a_side_that_is_left_and_right_is_refused(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(TEXTS, "uk/code#art_1", ("Tell the regulator of an incident.", (1.0, 0.3)))
    with pytest.raises(SettingsError, match=r"us stands on both sides.*link\.left|uk stands on both sides"):
        run(spark, tmp_path, focus="incident")
    pairs, _ = run(spark, tmp_path, focus="incident", focus_sections=1, left=("eu",))
    assert list(pairs["left_id"]) == ["act#art_1"]


def test_a_focus_needs_two_sides() -> None:
    with pytest.raises(ValidationError, match=r"link\.focus: goes with"):
        LinkSettings.model_validate({"focus": "incident", "groups": "within"})
