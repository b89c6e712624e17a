"""Fixtures that every test may use: the real documents where present, and one Spark session for all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from runs import QUICK_JAVA

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_ROOT = Path(__file__).resolve().parent.parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that take long, so that the processes of a run end at about the same time."""
    long = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in long)


def _folder(variable: str, default: str) -> Path:
    path = Path(os.environ.get(variable, _ROOT.parent / "shared" / "data" / default))
    if not path.is_dir():
        pytest.skip(f"{path} is not there; set {variable} to a folder that holds these files")
    return path


@pytest.fixture(scope="session")
def regulations() -> Path:
    """Folder with the real documents: dora/ and ffiec/."""
    return _folder("ANTINOMY_REGULATIONS", "regulations")


@pytest.fixture(scope="session")
def eval_data() -> Path:
    """Folder with the development sets for judging and retrieval."""
    return _folder("ANTINOMY_EVAL", "eval")


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """One Spark session for all tests: starting one takes seconds."""
    from antinomy.session import spark_session
    from antinomy.settings import SparkSettings

    work = tmp_path_factory.mktemp("spark")
    conf = {
        "spark.sql.shuffle.partitions": "4",
        "spark.ui.enabled": "false",
        "spark.driver.extraJavaOptions": QUICK_JAVA,
    }
    settings = SparkSettings(master="local[2]", conf=conf)
    session = spark_session(settings, app_name="antinomy-tests", work_dir=str(work))
    yield session
    session.stop()
