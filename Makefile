# Everything is set up by the targets themselves, in .venv; nothing needs root or a display.
#   make demo    install what running needs, then a robot finds an apple: runs/demo/report.html
#   make test    install what developing needs, then run the tests
#   make weights fetch the weights of the embedded model (98 MB) into the cache
#   make language  teach the embedded model anew: lessons, adapter, exam (a GPU, some 25 minutes)
#   make lint    ruff and mypy --strict
#   make results make every planned table that is missing, and write the README's (many hours)
#   make clean   remove .venv, caches and runs
# Another Python: make test PYTHON=python3.12

PYTHON ?= python3
VENV ?= .venv
WORKERS ?= 2
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: language demo test weights lint results clean
.DEFAULT_GOAL := demo

demo: $(VENV)/.installed-run
	@$(BIN)/regrasp models pull || echo "without those weights, scripted rules reason"
	@rm -rf runs/demo
	@$(BIN)/regrasp demo --out runs/demo

test: $(VENV)/.installed-dev
	@$(BIN)/python -m pytest -n $(WORKERS)

weights: $(VENV)/.installed-dev
	@$(BIN)/regrasp models pull

language: $(VENV)/.installed-dev weights
	@$(PIP) install 'torch>=2.4' 'gguf>=0.17' 'tokenizers>=0.20' 'xgrammar>=0.2'
	@mkdir -p build/language
	@cd train/language && ../../$(BIN)/python data.py --weights "$$(../../$(BIN)/python -c 'from regrasp.models.pull import base_weights; print(base_weights())')" \
	  --count 220000 --out ../../build/language/lessons.jsonl
	@cd train/language && ../../$(BIN)/python train.py --weights "$$(../../$(BIN)/python -c 'from regrasp.models.pull import base_weights; print(base_weights())')" \
	  --lessons ../../build/language/lessons.jsonl --out ../../build/language/language.gguf --seconds 1000
	@cd train/language && ../../$(BIN)/python examine.py --weights "$$(../../$(BIN)/python -c 'from regrasp.models.pull import base_weights; print(base_weights())')" \
	  --adapter ../../build/language/language.gguf --out ../../build/language/replies.jsonl
	@$(BIN)/python train/language/report.py build/language/replies.jsonl

lint: $(VENV)/.installed-dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy --strict src

results: $(VENV)/.installed-dev weights
	@$(BIN)/regrasp results

clean:
	@rm -rf $(VENV) build dist runs .mypy_cache .pytest_cache .ruff_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The stamps say that what pyproject.toml asks for is installed; a newer pyproject.toml asks again.
$(VENV)/.installed-run: pyproject.toml | $(BIN)/python
	@echo "installing regrasp into $(VENV) (a minute the first time)"
	@$(PIP) install -e '.[video,local]'
	@touch $@

$(VENV)/.installed-dev: pyproject.toml | $(BIN)/python
	@echo "installing regrasp and its tools into $(VENV) (a minute the first time)"
	@$(PIP) install -e '.[video,local,bench,report,lerobot,planning,dev]'
	@touch $@ $(VENV)/.installed-run

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Regrasp needs Python 3.11 or newer and '$(PYTHON)' is not: name one, e.g." \
	       "make PYTHON=python3.12" >&2; exit 1; }
	@echo "creating $(VENV) with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
	  echo "'$(PYTHON) -m venv' failed: this Python has no venv or ensurepip. Install it (Debian," \
	       "Ubuntu: apt install python3-venv) or name another Python, e.g. make PYTHON=python3.12" \
	       >&2; exit 1; }
