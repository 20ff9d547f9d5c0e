# One command to play, one to test. Needs only make and Python 3.11 or newer; everything else goes into .venv.
#
#   make play            a table against two bots (without a terminal: one hand by itself, then verified)
#   make test            everything that must hold before a change is good (about 8 minutes on 2 cores)
#   make e2e             only the tests with real programs, on a network of their own where the system allows one
#   make soak SEEDS=500  the simulator, for as many seeds as you like, on all cores
#   make exact           the game against brute force: 20,000 hands, 10,000 deals in each preset
#   make bench           measured figures
#   make clean           removes .venv and what tools left behind
#
# PYTHON=/path/to/python3.12 chooses another interpreter.

PYTHON ?= python3
SEEDS ?= 200
VENV := .venv
ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
else
BIN := $(VENV)/bin
endif
PY := $(BIN)/python
CACHE := $(abspath $(VENV))/cache

# Compiled modules are kept even where the environment says not to: whoever starts the program a second time
# must not wait until it is compiled again, and the tests start some 200 programs. All other caches and
# temporary files of a test run stay inside .venv.
QUIET := PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1
PYC := PYTHONDONTWRITEBYTECODE=
CACHES := $(PYC) MYPY_CACHE_DIR=$(CACHE)/mypy RUFF_CACHE_DIR=$(CACHE)/ruff \
	HYPOTHESIS_STORAGE_DIRECTORY=$(CACHE)/hypothesis TMPDIR=$(CACHE)/tmp

.PHONY: play test e2e exact soak bench clean

play: $(VENV)/.play
	@$(PYC) $(PY) -m tongits_lan play $(ARGS)

test: $(VENV)/.dev
	@rm -rf $(CACHE)/tmp && mkdir -p $(CACHE)/tmp
	@$(CACHES) $(PY) -m pytest -q -rs -n $(or $(JOBS),auto) --dist worksteal -o cache_dir=$(CACHE)/pytest $(ARGS)

e2e: $(VENV)/.dev
	@rm -rf $(CACHE)/tmp && mkdir -p $(CACHE)/tmp
	@$(CACHES) $(PY) -m pytest -q -rs -n $(or $(JOBS),auto) --dist worksteal -o cache_dir=$(CACHE)/pytest tests/e2e $(ARGS)

exact: $(VENV)/.dev
	@$(CACHES) $(PY) -m tests.exact $(ARGS)

soak: $(VENV)/.dev
	@mkdir -p $(CACHE)/tmp
	@$(CACHES) $(PY) -m tests.sim --seeds $(SEEDS) $(ARGS)

bench: $(VENV)/.play
	@$(PYC) $(PY) -m tongits_lan bench $(ARGS)

clean:
	rm -rf $(VENV) build dist *.egg-info
	find tongits_lan tests -name __pycache__ -prune -exec rm -rf {} +

# Both stamps depend on pyproject.toml alone: the package itself is installed in place.
$(VENV)/.play: pyproject.toml | $(VENV)/.made
	@echo "Installing what the game needs into $(VENV) (once) ..." >&2
	@$(QUIET) $(PY) -m pip install --quiet --editable . >&2
	@touch $@

$(VENV)/.dev: pyproject.toml | $(VENV)/.made
	@echo "Installing what the tests need into $(VENV) (once) ..." >&2
	@$(QUIET) $(PY) -m pip install --quiet --editable '.[dev]' >&2
	@touch $@ $(VENV)/.play

$(VENV)/.made:
	@found=""; \
	for candidate in "$(PYTHON)" python3.13 python3.12 python3.11 python3.14 python; do \
		if "$$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then \
			found="$$candidate"; break; \
		fi; \
	done; \
	if [ -z "$$found" ]; then \
		echo "Tongits needs Python 3.11 or newer, and '$(PYTHON)' is older or missing:" \
			"install one from python.org or your system's packages, or say make PYTHON=/path/to/python3.12" >&2; \
		exit 1; \
	fi; \
	if ! "$$found" -m venv $(VENV) >/dev/null 2>&1; then \
		echo "'$$found' cannot make a virtual environment here:" \
			"on Debian or Ubuntu run 'sudo apt install python3-venv', then this command again" >&2; \
		exit 1; \
	fi
	@touch $@
