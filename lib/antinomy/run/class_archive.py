"""Spark's Java classes in an archive that Java maps, instead of loading them one by one from some 250 jars.

Class data sharing (JEP 350, Java 13) needs two things of a Spark: its class path must be the one with which the archive
was made, and no folder on it may hold a file. The folder of Spark's configuration stands on it, and ``antinomy setup``
writes a ``spark-env.sh`` there; so a local session that takes the archive is pointed at an empty folder instead. An
archive that is out of date is no danger: Java checks the jars, itself and the options, and starts without.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from antinomy.errors import EnvironmentFault
from antinomy.run import environment

#: The first Java that can make such an archive of what a program has loaded.
_FIRST_JAVA = 13
#: Damage is found before it is used; of an archive that does not fit, Java need not speak.
_VERIFY_AND_KEEP_QUIET = "-XX:+VerifySharedSpaces -Xlog:cds=off -Xlog:cds+dynamic=off -Xlog:class+path=off"


def find_archive() -> Path | None:
    """Return the archive that the Java and the Spark in use have, None if there is none or it cannot be used."""
    if not _has_default_configuration():
        return None
    # Java finds other damage, but dies of an archive that was cut short: its size stands in its name.
    found = (
        path for path in _archive_folder().glob(f"{_java_id()}-*.jsa") if path.stem.endswith(f"-{path.stat().st_size}")
    )
    return next(found, None)


@contextmanager
def java_options() -> Iterator[str]:
    """Yield the Java options that load the archive, "" without one; while open, Spark's class path matches it."""
    found = find_archive()
    if found is None:
        yield ""
        return
    os.environ["SPARK_CONF_DIR"] = str(_empty_conf_folder(_archive_folder()))
    try:
        yield f"-XX:SharedArchiveFile={found} {_VERIFY_AND_KEEP_QUIET}"
    finally:
        del os.environ["SPARK_CONF_DIR"]


def create_archive() -> str:
    """Make the archive, some 140 MB, by a short Spark session in a process of its own.

    Returns:
        A line that says what was done, or why it was not.

    Raises:
        EnvironmentFault: if Spark or Java failed at it.
    """
    java = environment.java_version(_java_executable())
    if java is None or java < _FIRST_JAVA:
        return f"Java {java} keeps no archive of classes: Spark starts without"
    if not _has_default_configuration():
        return "Spark has a configuration of its own: it starts without an archive of classes"
    folder = _archive_folder()
    environ = os.environ | {"SPARK_CONF_DIR": str(_empty_conf_folder(folder))}
    for stale in folder.glob("*.jsa"):
        stale.unlink()
    partial = folder / "partial.jsa"
    # Java writes the archive at its end, and holds the pipe until then.
    done = subprocess.run(
        [sys.executable, "-m", __name__, str(partial)], capture_output=True, text=True, check=False, env=environ
    )
    if not partial.is_file():
        output = (done.stderr or done.stdout).strip().splitlines()
        raise EnvironmentFault(
            f"no archive of Spark's classes could be made: {output[-1] if output else done.returncode}"
        )
    archive = folder / f"{_java_id()}-{partial.stat().st_size}.jsa"
    partial.replace(archive)
    return f"Archive of Spark's classes written: {archive}"


def _archive_folder() -> Path:
    return environment.spark_home() / "antinomy"


def _java_id() -> str:
    """Return an id of the Java in use: an archive only works with the Java that wrote it."""
    return hashlib.sha256(os.path.realpath(_java_executable()).encode()).hexdigest()[:12]


def _java_executable() -> str:
    home = os.environ.get("JAVA_HOME")
    return str(Path(home) / "bin" / "java") if home else str(shutil.which("java"))


def _empty_conf_folder(folder: Path) -> Path:
    made = folder / "conf"
    made.mkdir(parents=True, exist_ok=True)
    return made


def _has_default_configuration() -> bool:
    """Return whether Spark has no configuration but what ``antinomy setup`` writes, which a session sets by itself."""
    if os.environ.get("SPARK_CONF_DIR"):
        return False
    conf = environment.spark_home() / "conf"
    return not conf.is_dir() or all(file.name == environment.SPARK_ENV for file in conf.iterdir())


def _exercise_spark(target: str) -> None:
    """Run a small sample of the stages' Spark operations, so that Java loads and archives the classes they need."""
    from graphframes import GraphFrame
    from pyspark.sql import Window
    from pyspark.sql import functions as f

    from antinomy.run import spark
    from antinomy.settings import SparkSettings

    options = f"{spark.LOCAL_JAVA} -XX:ArchiveClassesAtExit={target}"
    session = spark.spark_session(SparkSettings(conf={spark.JAVA_OPTIONS: options}), "antinomy-setup")
    with tempfile.TemporaryDirectory() as folder:
        columns = "id string, k int, x double, l array<int>"
        made = session.createDataFrame([(str(n), n % 3, float(n), [n]) for n in range(9)], columns)
        made.write.parquet(f"{folder}/rows")
        rows = session.read.parquet(f"{folder}/rows").repartition(2, "k").sortWithinPartitions("id")
        best = rows.withColumn("rank", f.row_number().over(Window.partitionBy("k").orderBy(f.desc("x"))))
        sums = rows.groupBy("k").agg(f.sum("x"), f.collect_list("id"), f.countDistinct("id"))
        joined = best.join(sums, "k", "left").join(f.broadcast(sums.select("k")), "k", "left_semi")
        joined.mapInPandas(lambda frames: frames, joined.schema).orderBy("id").distinct().collect()
        rows.unionByName(rows).dropDuplicates(["id"]).join(sums, "k", "left_anti").count()
        rows.select(f.explode("l"), f.sha2("id", 256), f.struct("id", "x")).toPandas()
        edges = rows.select(f.col("id").alias("src"), f.lit("1").alias("dst"))
        GraphFrame(rows.select("id"), edges).find("(a)-[e]->(b)").count()
    session.stop()


if __name__ == "__main__":
    _exercise_spark(sys.argv[1])
