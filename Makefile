# Every job a person starts. `make help` lists them; CMake does the building.
.DEFAULT_GOAL := help
.PHONY: help deps build ch17 test sim-verilator sim-icarus lint format bench wave asan fuzz clean

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

ch17: build ## build, run the chapter on all three engines, print checks, costs and anatomy
	@$(BUILD)/bin/ch17_run

test: build ## every test: unit, cosim, fuzz, lint
	@ctest --test-dir $(BUILD) --output-on-failure --no-tests=error -j $(JOBS)

sim-verilator: build ## replay the three decoders on the RTL in Verilator
	@$(BUILD)/bin/ch17_run --engine verilator

sim-icarus: build ## replay the three decoders on the RTL in Icarus
	@$(BUILD)/bin/ch17_run --engine icarus

lint: build ## the lint tests alone: both simulators' warnings, yosys, format, include rules
	@ctest --test-dir $(BUILD) --output-on-failure --no-tests=error -j $(JOBS) -L lint

format: ## reformat the C++ code
	@find isa sim compiler model mutation tools tests -name '*.[ch]pp' | xargs clang-format -i

bench: build ## speed of the engines and the compiler, medians, JSON in build/bench.json
	@$(BUILD)/bin/capra_bench --benchmark_repetitions=5 --benchmark_report_aggregates_only=true \
	    --benchmark_out=$(BUILD)/bench.json --benchmark_out_format=json

wave: build ## waveform of one program in Icarus: build/wave.fst
	@scripts/wave.sh $(BUILD)

asan: deps ## the unit tests under the address and undefined behaviour sanitizers
	@cmake --preset asan > /dev/null && cmake --build --preset asan -j $(JOBS) && \
	    ctest --test-dir build-asan --output-on-failure --no-tests=error -j $(JOBS) -L unit

fuzz: build ## the nightly campaign: PROGRAMS=1000000 random programs from SEED=1
	@$(BUILD)/bin/capra fuzz --seed $(or $(SEED),1) --programs $(or $(PROGRAMS),1000000)

clean: ## remove everything that was built
	@rm -rf $(BUILD) build-asan build-coverage
