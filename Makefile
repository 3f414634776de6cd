# Everything a fresh machine needs is installed by the targets themselves: python3 (with venv), make and a C compiler suffice.
PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
STAMP := $(VENV)/.installed
JOBS ?= auto

.PHONY: setup demo test lint drivers verify conformance bench jit-aarch64 clean

setup: $(STAMP)

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(PY) -m pip install --quiet --disable-pip-version-check --config-settings editable_mode=compat --editable '.[dev]'
	touch $@

demo: $(STAMP)
	PYTHON=$(PY) sh examples/demo.sh

test: $(STAMP)
	$(PY) -m pytest -n $(JOBS) $(ARGS)

lint: $(STAMP)
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports

drivers: $(STAMP)
	$(PY) c_drivers/run.py drivers

verify: $(STAMP)
	$(PY) c_drivers/run.py verify

jit-aarch64: $(STAMP)
	$(PY) c_drivers/run.py jit-aarch64

conformance: $(STAMP)
	$(PY) -m ssa2llvm conform --corpus php-src $(ARGS)

bench: $(STAMP)
	for report in bench/*.py; do $(PY) $$report || exit 1; done

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
