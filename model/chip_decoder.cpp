#include "model/chip_decoder.hpp"

#include "isa/error.hpp"

#include <cassert>
#include <limits>

#include <fmt/core.h>

namespace capra::model {
namespace {

void write_input(std::vector<std::int32_t>& memory, const isa::Program& program,
                 const isa::Symbol& symbol, const Matrix& value) {
    if (value.rows != symbol.rows || value.cols != symbol.cols)
        throw Error(fmt::format("program {}: input '{}' is {} x {}, not {} x {}", program.name,
                                symbol.name, symbol.rows, symbol.cols, value.rows, value.cols));
    for (std::size_t i = 0; i < value.values.size(); ++i)
        memory[symbol.address + i] = compiler::quantise_value(value.values[i], symbol.scale);
}

Vector row_of(const ProgramRun& run, std::string_view name) {
    return read_output(*run.program, run.result.memory, name).values;
}

/// Row `row` of an index output.
std::uint32_t index_of(const ProgramRun& run, std::string_view name, std::uint32_t row = 0) {
    return static_cast<std::uint32_t>(
        read_output(*run.program, run.result.memory, name).at(row, 0));
}

void add(sim::Counters& sum, const sim::Counters& c) {
    sum.total += c.total;
    sum.matrix += c.matrix;
    sum.dma += c.dma;
    sum.vector += c.vector;
    sum.control += c.control;
}

}  // namespace

std::vector<std::int32_t> memory_image(const isa::Program& program,
                                       const std::map<std::string, Matrix>& inputs) {
    auto memory = isa::initial_memory(program);
    for (const auto& symbol : program.symbols) {
        if (symbol.kind != isa::SymbolKind::input) continue;
        const auto input = inputs.find(symbol.name);
        if (input == inputs.end())
            throw Error(
                fmt::format("program {}: input '{}' is missing", program.name, symbol.name));
        write_input(memory, program, symbol, input->second);
    }
    return memory;
}

compiler::IntMatrix stored_matrix(const isa::Program& program, const isa::Symbol& symbol,
                                  std::span<const std::int32_t> memory) {
    using Int8 = std::numeric_limits<std::int8_t>;
    compiler::IntMatrix result{symbol.rows, symbol.cols, {}};
    for (const auto cell : memory.subspan(symbol.address, std::size_t{symbol.rows} * symbol.cols)) {
        if (cell < Int8::min() || cell > Int8::max())
            throw Error(fmt::format("program {}: '{}' holds {}, which is no int8", program.name,
                                    symbol.name, cell));
        result.values.push_back(static_cast<std::int8_t>(cell));
    }
    return result;
}

Matrix read_output(const isa::Program& program, std::span<const std::int32_t> memory,
                   std::string_view name) {
    const auto& symbol = isa::find_symbol(program, isa::SymbolKind::output, name);
    return compiler::dequantise_matrix(stored_matrix(program, symbol, memory), symbol.scale);
}

ProgramRun run_program(sim::Engine& engine, const isa::Program& program,
                       const std::map<std::string, Matrix>& inputs) {
    ProgramRun run{&program, memory_image(program, inputs), {}};
    run.result = engine.run_one(program, run.image);
    const auto& status = run.result.status;
    if (status.state != sim::State::halted)
        throw Error(fmt::format("program {} on engine {}: trap {} at pc {}", program.name,
                                engine.name(), isa::trap_name(status.trap), status.pc));
    return run;
}

ChipDecoder::ChipDecoder(const CompiledModel& compiled, sim::Engine& engine, Dispatch dispatch)
    : compiled_(&compiled), engine_(&engine), dispatch_(std::move(dispatch)) {}

/// The program of context 1 has no cache, and takes none.
std::map<std::string, Matrix> ChipDecoder::context_inputs(std::uint32_t token) const {
    return {{"x", embedding(compiled_->model, token)}, {"k_cache", keys_}, {"v_cache", values_}};
}

void ChipDecoder::remember(const ChipStep& step) {
    append_row(keys_, step.k);
    append_row(values_, step.v);
}

/// One program for attention (and, but for the routed decoder, everything after it); then the
/// program of the expert that was chosen.
ChipStep ChipDecoder::step(std::uint32_t token) {
    if (keys_.rows >= compiled_->contexts.size())
        throw Error(fmt::format("model: programs were compiled for {} steps, step {} was asked",
                                compiled_->contexts.size(), keys_.rows + 1));
    runs_.push_back(
        run_program(*engine_, compiled_->contexts[keys_.rows].program, context_inputs(token)));
    ChipStep s{.input = token};
    s.k = row_of(runs_.back(), "k");
    s.v = row_of(runs_.back(), "v");
    if (compiled_->decoder != DecoderKind::dense) s.h = row_of(runs_.back(), "h");
    if (compiled_->decoder == DecoderKind::routed) {
        s.router = row_of(runs_.back(), "router");
        s.route = index_of(runs_.back(), "route");
        s.expert = dispatch_ ? dispatch_(s.route) : s.route;
        if (s.expert >= compiled_->experts.size())
            throw Error(fmt::format("model: dispatch chose expert {} of {}", s.expert,
                                    compiled_->experts.size()));
        runs_.push_back(
            run_program(*engine_, compiled_->experts[s.expert].program, {{"h", {1, kWidth, s.h}}}));
    }
    if (compiled_->decoder != DecoderKind::dense) s.logits = row_of(runs_.back(), "logits");
    s.token = index_of(runs_.back(), "token");
    remember(s);
    return s;
}

sim::Counters DecodeRun::total() const {
    sim::Counters sum;
    for (const auto& run : runs) add(sum, run.result.counters);
    return sum;
}

std::uint64_t DecodeRun::step_cycles(std::uint32_t step) const {
    assert(step >= 1 && step <= steps.size());
    const std::size_t per_step = runs.size() / steps.size();
    std::uint64_t cycles = 0;
    for (std::size_t i = 0; i < per_step; ++i)
        cycles += runs[(step - 1) * per_step + i].result.counters.total;
    return cycles;
}

DecodeRun decode(const CompiledModel& compiled, sim::Engine& engine, std::uint32_t steps,
                 std::uint32_t start, Dispatch dispatch) {
    ChipDecoder decoder(compiled, engine, std::move(dispatch));
    DecodeRun run;
    run.tokens.push_back(start);
    for (std::uint32_t i = 0; i < steps; ++i) {
        run.steps.push_back(decoder.step(run.tokens.back()));
        run.tokens.push_back(run.steps.back().token);
        if (compiled.decoder == DecoderKind::routed) run.routes.push_back(run.steps.back().route);
    }
    run.runs = decoder.take_runs();
    return run;
}

std::vector<sim::Job> jobs_of(std::span<const ProgramRun> runs) {
    std::vector<sim::Job> jobs;
    for (const auto& run : runs) jobs.push_back({run.program, run.image});
    return jobs;
}

}  // namespace capra::model
