#include "model/chip_decoder.hpp"

#include "isa/error.hpp"

#include <cassert>
#include <cmath>
#include <limits>

#include <fmt/core.h>

namespace capra::model {
namespace {

/// An index goes to memory as it is; whether it names a row is for the chip to find out.
std::int32_t stored_index(const isa::Program& program, const isa::Symbol& symbol, double value) {
    if (!(value >= 0 && value < isa::kMaxExtWords) || value != std::floor(value))
        throw Error(fmt::format("program {}: input '{}' is an index in 0..{}, got {}", program.name,
                                symbol.name, isa::kMaxExtWords - 1, value));
    return static_cast<std::int32_t>(value);
}

void write_input(std::vector<std::int32_t>& memory, const isa::Program& program,
                 const isa::Symbol& symbol, const Matrix& value) {
    if (value.rows != symbol.rows || value.cols != symbol.cols)
        throw Error(fmt::format("program {}: input '{}' is {} x {}, not {} x {}", program.name,
                                symbol.name, symbol.rows, symbol.cols, value.rows, value.cols));
    for (std::size_t i = 0; i < value.values.size(); ++i)
        memory[symbol.address + i] = symbol.scale == 0
                                         ? stored_index(program, symbol, value.values[i])
                                         : compiler::quantise_value(value.values[i], symbol.scale);
}

Vector row_of(const ProgramRun& run, std::string_view name) {
    return read_output(*run.program, run.result.memory, name).values;
}

/// Row `row` of an index output.
std::uint32_t index_of(const ProgramRun& run, std::string_view name, std::uint32_t row = 0) {
    return static_cast<std::uint32_t>(
        read_output(*run.program, run.result.memory, name).at(row, 0));
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

void ChipDecoder::run(const CompiledProgram& entry, const std::map<std::string, Matrix>& inputs) {
    runs_.push_back(run_program(*engine_, entry.program, inputs));
}

/// From the program that ran last.
void ChipDecoder::read_prediction(ChipStep& step) const {
    if (compiled_->decoder != DecoderKind::dense) step.logits = row_of(runs_.back(), "logits");
    step.token = index_of(runs_.back(), "token");
}

ChipStep ChipDecoder::attend(std::uint32_t token) {
    if (keys_.rows >= compiled_->contexts.size())
        throw Error(fmt::format("model: programs were compiled for {} steps, step {} was asked",
                                compiled_->contexts.size(), keys_.rows + 1));
    run(compiled_->contexts[keys_.rows], context_inputs(token));
    ChipStep s{.input = token};
    s.k = row_of(runs_.back(), "k");
    s.v = row_of(runs_.back(), "v");
    if (compiled_->decoder != DecoderKind::dense) s.h = row_of(runs_.back(), "h");
    if (compiled_->decoder == DecoderKind::routed) {
        s.router = row_of(runs_.back(), "router");
        s.route = index_of(runs_.back(), "route");
    } else {
        read_prediction(s);
    }
    remember(s);
    return s;
}

/// The chip names the best expert itself, perhaps by more than the int8 scores tell; the host finds
/// the second in the scores of the others.
Experts ChipDecoder::dispatched(const ChipStep& step) const {
    Experts experts = {step.route};
    if (compiled_->top == 2) experts.push_back(runner_up(step.router, step.route));
    for (std::uint32_t& expert : experts)
        if (dispatch_) expert = dispatch_(expert);
    return experts;
}

void ChipDecoder::check_experts(const Experts& experts) const {
    if (experts.size() != compiled_->top)
        throw Error(
            fmt::format("model: programs were compiled for {} of the experts, {} were "
                        "chosen",
                        compiled_->top, experts.size()));
    for (const std::uint32_t expert : experts)
        if (expert >= compiled_->experts.size())
            throw Error(fmt::format("model: expert {} was chosen of {}", expert,
                                    compiled_->experts.size()));
}

/// The first of two experts stores y = h + its output, to which the second adds its own.
void ChipDecoder::run_experts(ChipStep& step, Experts experts) {
    check_experts(experts);
    std::map<std::string, Matrix> inputs = {{"h", {1, kWidth, step.h}}};
    run(compiled_->experts[experts.front()], inputs);
    if (compiled_->top == 2) {
        inputs["y"] = {1, kWidth, row_of(runs_.back(), "y")};
        run(compiled_->second_experts[experts.back()], inputs);
    }
    step.experts = std::move(experts);
    read_prediction(step);
}

ChipStep ChipDecoder::step(std::uint32_t token) {
    ChipStep s = attend(token);
    if (compiled_->decoder == DecoderKind::routed) run_experts(s, dispatched(s));
    return s;
}

sim::Counters total_counters(std::span<const ProgramRun> runs) {
    sim::Counters sum;
    for (const auto& run : runs) sum += run.result.counters;
    return sum;
}

sim::Counters DecodeRun::total() const {
    return total_counters(runs);
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
