"""The whole pipeline with its documents, tables and report on an object store.

Spark reaches one through hadoop-aws, which comes from Maven and not with Spark. A small file system over the same
protocol stands in for it here: what is shown is that our code asks nothing of a store that S3 does not do, and that
Spark's half and ours find each other's files. hadoop-aws itself, keys and its committers are not tested.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from pyspark.java_gateway import launch_gateway

from antinomy import samples
from antinomy.run import environment
from runs import BIN, SMALL, TABLES, Run, call, settings, table

_SOURCE = Path(__file__).with_name("LoopbackS3.java")

pytestmark = [pytest.mark.long, pytest.mark.spark, pytest.mark.slow, pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def connector(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Classes of the file system for ``s3a:``, compiled by Janino, which comes with Spark: javac often is not there."""
    classes = tmp_path_factory.mktemp("classes")
    gateway = launch_gateway()
    try:
        java = gateway.jvm.java.io
        compilers = gateway.jvm.org.codehaus.commons.compiler.CompilerFactoryFactory
        loader = gateway.jvm.java.lang.Thread.currentThread().getContextClassLoader()
        compiler = compilers.getDefaultCompilerFactory(loader).newCompiler()
        compiler.setDestinationDirectory(java.File(str(classes)), False)
        compiler.setTargetVersion(17)
        jars = sorted((environment.spark_home() / "jars").glob("*.jar"))
        for paths, use in ((jars, compiler.setClassPath), ([_SOURCE], compiler.compile)):
            files = gateway.new_array(java.File, len(paths))
            for i, path in enumerate(paths):
                files[i] = java.File(str(path))
            use(files)
    finally:
        gateway.shutdown()
        gateway.proc.stdin.close()  # tells that Java to end
        gateway.proc.wait(60)
    return classes


def test_the_pipeline_on_an_object_store_gives_the_tables_of_a_local_run(
    s3: Any, connector: Path, small_run: Run, tmp_path: Path
) -> None:
    for document in ("eu-orr.pdf", "us-trr.pdf"):
        s3.upload_file(str(samples.FOLDER / document), "store", f"regulations/{document}")
    # The driver's class path: locally, the executor is in the driver.
    conf = {
        "spark.driver.extraClassPath": str(connector),
        "spark.hadoop.fs.s3a.impl": "LoopbackS3",
        "spark.hadoop.fs.s3a.endpoint": os.environ["AWS_ENDPOINT_URL"],
    }
    config = settings(
        tmp_path,
        data_root="s3a://store/regulations",
        warehouse="s3a://store/warehouse",
        out="s3a://store/out",
        spark={"master": "local[2]", "driver_memory": "2g", "conf": conf},
        **SMALL,
    )
    call(BIN / "antinomy", "run", "--config", config)

    local = small_run.tables()
    for name in TABLES:
        # Where a document lay is all that may differ.
        there, here = (
            found.drop(columns="source_uri", errors="ignore")
            for found in (table("s3://store/warehouse", name), local[name])
        )
        pd.testing.assert_frame_equal(there, here, obj=name)
    page = s3.get_object(Bucket="store", Key="out/report.html")["Body"].read()
    assert b"</html>" in page
    listed = s3.list_objects_v2(Bucket="store")
    assert not [item["Key"] for item in listed["Contents"] if "_staging" in item["Key"] or "_temporary" in item["Key"]]

    passed = call(BIN / "antinomy", "check", "--config", config)
    assert "report  the page: there" in passed.stdout
    again = call(BIN / "antinomy", "run", "--config", config)
    assert "unchanged, skipped" in again.stderr
