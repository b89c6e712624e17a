# Everything lives in .venv; nothing is installed outside of this folder.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Models come from packages: nothing may wait for a hub that is not reachable.
export HF_HUB_OFFLINE := 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: install demo test check bench doctor clean help

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

test: install  ## Run the tests.
	$(BIN)/python -m pytest

check: install  ## Lint, format check and strict types.
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: install  ## Run the benchmarks that need no documents; each prints both sides and the ratio.
	$(BIN)/python bench/judge.py
	$(BIN)/python bench/link.py speed

doctor: install  ## Say what is here, what is missing and how to get it.
	$(BIN)/antinomy doctor

clean:  ## Remove what runs and builds left (not .venv).
	rm -rf out build dist *.egg-info lib/*.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis spark-warehouse
