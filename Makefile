# The developer's whole interface. `make run` and `make test` are all a newcomer needs.
PYTHON ?= python3
VENV   ?= .venv
PORT   ?= 7860
export PORT
PY := $(VENV)/bin/python
PIP := $(PY) -m pip --disable-pip-version-check
# No telemetry from any library, in the app as in the tests.
export GRADIO_ANALYTICS_ENABLED = False
export HF_HUB_DISABLE_TELEMETRY = 1

.PHONY: run test test-heavy lint format types bench install install-dev clean

run: $(VENV)/.run
	$(PY) app.py

# A browser and the app fill two cores by themselves; beside other tests they would only wait for each other.
test: $(VENV)/.dev $(VENV)/.axe lint types
	$(PY) -m pytest -m "not heavy" --ignore tests/browser -n auto --maxprocesses 4 --dist loadfile
	$(PY) -m pytest -m "not heavy" tests/browser

test-heavy: $(VENV)/.dev
	$(PY) -m pytest -m heavy

lint: $(VENV)/.dev
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .

format: $(VENV)/.dev
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .

types: $(VENV)/.dev
	$(PY) -m mypy

bench: $(VENV)/.dev
	$(PY) -m benchmarks

install: $(VENV)/.run
install-dev: $(VENV)/.dev

$(PY):
	$(PYTHON) -m venv $(VENV)

# TORCH_INDEX=URL takes torch from that index first (a CPU build, say), so that the pins find it installed.
$(VENV)/.run: requirements.txt | $(PY)
	$(if $(TORCH_INDEX),$(PIP) install "$$(grep '^torch==' requirements.txt)" --index-url $(TORCH_INDEX))
	$(PIP) install -r requirements.txt
	touch $@

$(VENV)/.dev: pyproject.toml $(VENV)/.run
	$(PIP) install -e ".[dev,train]"
	touch $@

# axe-core for the browser tests; without npm those tests are skipped, and say so.
$(VENV)/.axe: tests/browser/package-lock.json | $(PY)
	if command -v npm >/dev/null; then cd tests/browser && npm ci --no-audit --no-fund; fi
	touch $@

clean:
	rm -rf $(VENV) build *.egg-info .mypy_cache .ruff_cache .pytest_cache
