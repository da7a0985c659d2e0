# Every job a person starts. `make help` lists them; CMake does the building.
.DEFAULT_GOAL := help
.PHONY: help deps build tools exercises ch17 stem test test-report test-trace sim-verilator sim-icarus lint format bench wave asan fuzz mutants docs clean

BUILD := build
JOBS := $(shell nproc)

help: ## this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

deps:
	@scripts/install-deps.sh

$(BUILD)/build.ninja: | deps
	@cmake --preset default > $(BUILD).log 2>&1 || { cat $(BUILD).log; rm -f $(BUILD).log; exit 1; }
	@rm -f $(BUILD).log

build: deps $(BUILD)/build.ninja
	@cmake --build $(BUILD) -j $(JOBS)

# The tools alone: the test benches take as long again to compile.
tools: deps $(BUILD)/build.ninja
	@cmake --build $(BUILD) -j $(JOBS) --target ch17_run ch17_example_a ch17_example_b capra \
	    isagen mm_timeline stem_cache stem_edit stem_run

exercises: tools ## the exercises and how far you are; make exercise-N grades number N
	@$(BUILD)/bin/capra grade

exercise-%: tools
	@$(BUILD)/bin/capra grade $*

ch17: tools ## build and run the chapter on all three engines
	@$(BUILD)/bin/ch17_run

stem: tools ## build and run the STEM family on all three engines
	@$(BUILD)/bin/stem_run

test: build ## every test: unit, cosim, fuzz, lint
	@ctest --test-dir $(BUILD) --output-on-failure --no-tests=error -j $(JOBS)

test-trace: tools ## timelines in a trace viewer (speedscope) in headless Chromium
	@scripts/install-deps.sh packages-trace.txt
	@scripts/test-trace.sh $(BUILD)

test-report: tools ## the report in headless Chromium, which it installs: build/report/*.png
	@scripts/install-deps.sh packages-report.txt
	@scripts/test-report.sh $(BUILD)

sim-verilator: tools ## replay the three decoders on the RTL in Verilator
	@$(BUILD)/bin/ch17_run --engine verilator

sim-icarus: tools ## replay the three decoders on the RTL in Icarus
	@$(BUILD)/bin/ch17_run --engine icarus

lint: build ## the lint tests alone
	@ctest --test-dir $(BUILD) --output-on-failure --no-tests=error -j $(JOBS) -L lint

format: ## reformat the C++ code
	@find isa sim compiler model stem report mutation exercises tools tests -name '*.[ch]pp' | xargs clang-format -i

bench: build ## speed of engines, compiler and mutants; JSON in build/bench.json
	@$(BUILD)/bin/capra_bench --benchmark_repetitions=5 --benchmark_report_aggregates_only=true \
	    --benchmark_out=$(BUILD)/bench.json --benchmark_out_format=json
	@cmake --build $(BUILD) -j $(JOBS) --target mutant_bench
	@$(BUILD)/bin/mutant_bench

wave: tools ## waveform of one program (PROG=FILE) in Icarus, its signals grouped by unit
	@scripts/wave.sh $(BUILD) "$(PROG)"

asan: deps ## the unit tests under address and undefined sanitizers
	@cmake --preset asan > /dev/null && cmake --build --preset asan -j $(JOBS) && \
	    ctest --test-dir build-asan --output-on-failure --no-tests=error -j $(JOBS) -L unit

fuzz: tools ## PROGRAMS=1000000 random programs from SEED=1
	@$(BUILD)/bin/capra fuzz --seed $(or $(SEED),1) --programs $(or $(PROGRAMS),1000000)

mutants: tools ## break the project in every way mutrun knows, count what no check sees
	@cmake --build $(BUILD) -j $(JOBS) --target mutrun
	@$(BUILD)/bin/mutrun --json $(BUILD)/mutants.json --html $(BUILD)/mutants.html \
	    --md $(BUILD)/mutants.md; status=$$?; echo "the page is $(BUILD)/mutants.html"; exit $$status

docs: tools ## write what the commands of docs/ print now; read the diff before you commit
	@cmake --build $(BUILD) -j $(JOBS) --target docs_record
	@$(BUILD)/bin/docs_record docs/chapter-*.md

clean: ## remove everything that was built
	@rm -rf $(BUILD) build-asan build-coverage
