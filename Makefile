# tfedu: `make lab` opens the course, `make test` checks everything; both set up what they need first.
# PYTHON chooses the interpreter that the virtual environment is made with, PORT the port of JupyterLab, SECONDS and TARGETS
# how long and what `make fuzz` fuzzes, PYODIDE the distribution that `make lite` builds with.
PYTHON ?= python3
PORT ?=
PYODIDE ?=
SECONDS ?= 60
TARGETS ?=
VENV := .venv
# the front end's tools run on the machine's Node, or on the one that set-up put into .venv
WITH_NODE := PATH="$(CURDIR)/$(VENV)/bin:$$PATH"
export PYTHONUNBUFFERED := 1
unexport PYTHONPATH PYTHONHOME

.PHONY: help lab lite test test-long fuzz bench gpu format bundle npm pictures lock clean setup-lab setup-lite setup-test setup-fuzz

help:
	@echo "make lab        set up and start JupyterLab on the course (PORT=8890 chooses the port)"
	@echo "make lite       the course as a site that runs in the browser alone: PYODIDE=pyodide-0.29.3.tar.bz2 (docs/lite.md)"
	@echo "make test       set up and run every check"
	@echo "make test-long  the fuzzers and property tests in full"
	@echo "make fuzz       look for inputs that break a law, SECONDS=60 for each target (TARGETS=\"graph events\": these alone)"
	@echo "make bench      measure, and print the table"
	@echo "make gpu        the op table, step times and kernels on this machine's GPU, into benchmarks/gpu.md (PYTHON= an interpreter with CuPy)"
	@echo "make format     write what is generated (facades, record.ts); let ruff and biome put the sources in order"
	@echo "make bundle     build the front end into tfedu/widgets/static"
	@echo "make npm        build and pack the custom elements, an npm package, into widgets/dist"
	@echo "make pictures   make the README's pictures from the widgets, in Chromium"
	@echo "make lock       choose the exact versions anew (needs the network)"
	@echo "make clean      remove what set-up and the checks made"

setup-lab:
	@"$(PYTHON)" tools/setup.py lab

setup-lite:
	@"$(PYTHON)" tools/setup.py lite

setup-test:
	@"$(PYTHON)" tools/setup.py test

setup-fuzz:
	@"$(PYTHON)" tools/setup.py fuzz

lab: setup-lab
	@exec $(VENV)/bin/python -m tfedu lab $(if $(PORT),--port=$(PORT))

lite: setup-lite
	@PATH="$(CURDIR)/.venv-lite/bin:$$PATH" .venv-lite/bin/python tools/lite.py "$(PYODIDE)"

test: setup-test
	@$(VENV)/bin/python tools/check.py

test-long: setup-test
	@$(WITH_NODE) $(VENV)/bin/python -m pytest -m long

fuzz: setup-fuzz
	@$(VENV)/bin/python tools/fuzz.py --seconds "$(SECONDS)" $(TARGETS)

bench: setup-test
	@$(VENV)/bin/python -m benchmarks

# a machine without a network has CuPy under an interpreter of its own: nothing is set up where nothing is missing
gpu: export PYTHONPATH := $(PYTHONPATH)
gpu:
	@"$(PYTHON)" tools/gpu.py

format: setup-test
	@$(VENV)/bin/python tools/facade.py
	@$(VENV)/bin/python tools/record_types.py
	@$(VENV)/bin/python -m ruff check --fix tfedu tests tools benchmarks
	@cd widgets && $(WITH_NODE) npm exec -- biome check --write .

bundle: setup-test
	@$(VENV)/bin/python tools/record_types.py
	@cd widgets && $(WITH_NODE) npm run build

npm: setup-test
	@cd widgets && $(WITH_NODE) npm run package

pictures: setup-test
	@$(VENV)/bin/python tools/pictures.py

lock:
	@"$(PYTHON)" tools/lock.py

clean:
	rm -rf $(VENV) .venv-lite widgets/node_modules widgets/dist build dist tests/browser/screenshots
	rm -rf .fuzz .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
