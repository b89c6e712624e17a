"""The Spark session: one place for what every job needs set."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from importlib import resources
from typing import TYPE_CHECKING

from antinomy.errors import EnvironmentFault
from antinomy.run import class_archive, environment, logs

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from antinomy.settings import SparkSettings

JAVA_OPTIONS = "spark.driver.extraJavaOptions"
_PARTITIONS = "spark.sql.shuffle.partitions"
_ALWAYS = {
    # A speculative copy of a task would call the judge twice for the same pairs.
    "spark.speculation": "false",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    # 10,000 rows of text and vectors in one Arrow batch are too many for a model's batch.
    "spark.sql.execution.arrow.maxRecordsPerBatch": "512",
    # Without it most flipped bits are read as other numbers, silently.
    "spark.hadoop.parquet.page.verify-checksum.enabled": "true",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.adaptive.enabled": "true",
    # Else Spark sets it to spark.task.cpus and the numeric libraries crawl on one thread or differ in last digits.
    "spark.executorEnv.OMP_NUM_THREADS": "1",
    "spark.executorEnv.TOKENIZERS_PARALLELISM": "false",
    # Spark's default does not know api_key; the environment that it prints must not show one.
    "spark.redaction.regex": r"(?i)secret|password|token|access[._-]?key|api[._-]?key|credential",
}


#: For a Spark on this machine alone.
_LOCAL = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    # Nobody looks at Spark's web page during a run of minutes, and its port may be another's.
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}
#: A run of minutes ends before Java's second compiler and its parallel collector have earned what they cost.
LOCAL_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


def under_spark_submit() -> bool:
    """Return whether ``spark-submit`` started this process (it then owns master, jars and memory)."""
    return "PYSPARK_GATEWAY_PORT" in os.environ


def must_start() -> bool:
    """Return whether Spark has to start even if there is nothing for it to do.

    In cluster mode YARN reports an application as failed that never starts a SparkContext. It sets this variable for
    the process that holds the driver.
    """
    return under_spark_submit() and "SPARK_YARN_STAGING_DIR" in os.environ


def spark_session(settings: SparkSettings, app_name: str, work_dir: str = "") -> SparkSession:
    """Start, or return, the Spark session of this process.

    Args:
        settings: master, memory, jar and free-form Spark settings; under spark-submit, its own master and
            memory win.
        app_name: shown in Spark's UI and logs.
        work_dir: local folder for Spark's warehouse and scratch files; a temporary one if empty.

    Raises:
        EnvironmentFault: if there is no Java, or GraphFrames' classes cannot be loaded.
    """
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    submitted = under_spark_submit()
    if not submitted:
        java = environment.java_home()
        if java:
            os.environ["JAVA_HOME"] = str(java)
    from pyspark.sql import SparkSession

    if not work_dir:
        work_dir = tempfile.mkdtemp(prefix="antinomy-spark-")
        # Spark removes its scratch files at its end and leaves the folders.
        atexit.register(shutil.rmtree, work_dir, ignore_errors=True)
    builder = SparkSession.builder.appName(app_name)
    conf = dict(_ALWAYS)
    conf["spark.sql.warehouse.dir"] = os.path.join(work_dir, "spark-warehouse")
    if not submitted:
        conf["spark.master"] = settings.master
        conf["spark.driver.memory"] = settings.driver_memory
        if settings.graphframes_jar:
            conf["spark.jars"] = settings.graphframes_jar
    local = not submitted and settings.master.startswith("local")
    with class_archive.java_options() if local and JAVA_OPTIONS not in settings.conf else nullcontext("") as archive:
        if local:
            conf |= _local_options(settings, work_dir, archive)
        # Java's options are one setting: ours hold those of the settings.
        conf |= {key: value for key, value in settings.conf.items() if key != JAVA_OPTIONS or key not in conf}
        for key, value in conf.items():
            builder = builder.config(key, value)
        with _signals_deferred():
            session = builder.getOrCreate()
    context = session.sparkContext
    if str(context.master).startswith("local") and not context.getConf().contains(_PARTITIONS):
        # Spark's own 200 are made for a cluster: here most of them would be empty tasks.
        session.conf.set(_PARTITIONS, str(context.defaultParallelism))
    context.setLogLevel(settings.log_level)
    _require_graphframes(session)
    return session


@contextmanager
def _signals_deferred() -> Iterator[None]:
    """Defer stop signals until the JVM is up, a few seconds; interrupted earlier, it prints a long stack trace.

    A second signal stops at once.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    before = {number: signal.getsignal(number) or signal.SIG_DFL for number in (signal.SIGINT, signal.SIGTERM)}

    def remember(number: int, _frame: object) -> None:
        came.append(number)
        signal.signal(number, before[signal.Signals(number)])

    for number in before:
        signal.signal(number, remember)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if came:
        os.kill(os.getpid(), came[0])


def _local_options(settings: SparkSettings, work_dir: str, archive: str) -> dict[str, str]:
    """Return what fits a Spark on this machine; whatever the settings say wins."""
    conf = _LOCAL | {"spark.local.dir": os.path.join(work_dir, "scratch")}
    # Spark's loggers are set up before its session can be told how much to say.
    form = "json" if logs.is_json() else "text"
    log4j = resources.files("antinomy.run").joinpath(f"log4j2-{form}.properties")
    ours = f"-Dlog4j2.configurationFile=file:{log4j} -Dantinomy.log_level={settings.log_level.lower()}"
    ours += f" -Dantinomy.run_id={logs.run_id()}"
    conf[JAVA_OPTIONS] = f"{ours} {settings.conf.get(JAVA_OPTIONS, LOCAL_JAVA)} {archive}".rstrip()
    return conf


def _require_graphframes(session: SparkSession) -> None:
    from py4j.protocol import Py4JJavaError

    loader = session.sparkContext._jvm.java.lang.Thread.currentThread().getContextClassLoader()  # type: ignore[union-attr]
    try:
        loader.loadClass("org.graphframes.GraphFramePythonAPI")
    except Py4JJavaError as error:
        session.stop()
        raise EnvironmentFault(
            "Spark has no GraphFrames classes: run `antinomy setup` (pip installation of Spark), or give spark-submit "
            f"--packages io.graphframes:graphframes-spark3_2.12:{environment.graphframes_version()}, "
            "or set spark.graphframes_jar"
        ) from error
