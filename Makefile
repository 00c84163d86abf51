# Two commands do everything: `make run` and `make test`.
# People without make: the same steps stand in README.md.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Debian's Chromium is used by the browser tests; elsewhere set CHROMIUM=/path.

.PHONY: run test fast lint models lock bundle sbom clean help

help:          ## show what there is
	@grep -E '^[a-z]+: .*##' $(MAKEFILE_LIST) | sed 's/:.*##/ —/'

run: models    ## install, fetch the model files, start, open the page
	$(BIN)/ebb

test: $(VENV)/test.stamp lint ## everything: real models and a real browser too
	$(BIN)/ebb models pull
	$(BIN)/ebb models pull smollm2-135m en_US-joe-medium
	$(BIN)/python -m pytest

fast: $(VENV)/test.stamp ## the core's tests: no model file, no browser
	$(BIN)/python -m pytest -m "not weights and not browser"

lint: $(VENV)/test.stamp ## style and types
	$(BIN)/ruff format --check assistant bundle tests
	$(BIN)/ruff check assistant bundle tests
	$(BIN)/mypy

models: $(VENV)/run.stamp
	$(BIN)/ebb models pull

# llama-cpp-python is compiled once, for about ten minutes on two cores; pip keeps it.
$(VENV)/run.stamp: requirements.lock pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --no-deps --editable .
	@touch $@

$(VENV)/test.stamp: requirements-test.lock $(VENV)/run.stamp
	$(BIN)/python -m pip install --require-hashes -r requirements-test.lock
	@touch $@

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Ebb needs Python 3.11 or newer.")'
	$(PYTHON) -m venv $(VENV)

lock: $(VENV)/test.stamp ## pin all dependencies anew, with hashes
	$(BIN)/uv pip compile pyproject.toml --universal --generate-hashes --no-header \
	  --python-version 3.11 -o requirements.lock
	$(BIN)/uv pip compile pyproject.toml --universal --generate-hashes --no-header \
	  --python-version 3.11 --extra voice --extra test \
	  --constraint requirements.lock -o requirements-test.lock

bundle: $(VENV)/run.stamp ## a folder for a USB stick: runs without Python or a connection
	$(BIN)/python -m bundle

sbom: $(VENV)/test.stamp ## a bill of materials of all pinned libraries, in CycloneDX
	$(BIN)/uv tool run --from cyclonedx-bom cyclonedx-py requirements requirements.lock \
	  --pyproject pyproject.toml --mc-type application --output-reproducible \
	  -o ebb.cdx.json

clean:         ## remove the environment and the index; model files stay
	rm -rf $(VENV) .cache .pytest_cache .mypy_cache .ruff_cache
