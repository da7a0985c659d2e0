// capra run.
#include "compiler/matrix_json.hpp"
#include "isa/assembler.hpp"
#include "isa/codec.hpp"
#include "isa/files.hpp"
#include "isa/json_reader.hpp"
#include "isa/names.hpp"
#include "model/chip_decoder.hpp"
#include "sim/decoded_program.hpp"
#include "sim/engine.hpp"
#include "sim/exec.hpp"
#include "sim/machine.hpp"
#include "sim/replay.hpp"
#include "sim/replay_file.hpp"
#include "sim/timeline.hpp"
#include "tools/capra/commands.hpp"
#include "tools/capra/program_target.hpp"
#include "tools/capra/read_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace capra::tools {
namespace {

struct Options {
    std::string in;
    std::string engine = "model";
    std::string inputs;
    std::string trace;
    std::string retired;
    std::string replay;
    bool check = false;
};

/// {"x": [[...], ...]}: real values for every input of the program, by name; a whole number for an
/// index, which has no scale.
compiler::Inputs read_inputs(const std::string& path, const isa::Program& program) {
    std::vector<compiler::InputShape> shapes;
    for (const isa::Symbol& symbol : program.symbols)
        if (symbol.kind == isa::SymbolKind::input)
            shapes.push_back({symbol.name, symbol.rows, symbol.cols,
                              symbol.scale == 0 ? compiler::kMaxTableRows : 0});
    const JsonDocument document = parse_strict_json(read_file(path), path);
    return compiler::read_inputs(JsonReader(document), shapes);
}

std::string timeline_json(const isa::Program& program, const isa::Target& target,
                          const sim::Result& result) {
    sim::Timeline timeline(target);
    timeline.add(program, result);
    return timeline.to_json();
}

std::string retired_text(const isa::Program& program, const sim::Result& result) {
    std::string text = "cycle pc unit instruction\n";
    for (const sim::Retire& retire : result.trace)
        text += fmt::format("{} {} {} {}\n", retire.cycle, retire.pc, isa::unit_name(retire.unit),
                            isa::disassemble(program.code[retire.pc]));
    return text;
}

/// Which external words a run has stored to, also those that are not the program's own.
std::vector<bool> stored_words(const isa::Program& program, const isa::Target& target,
                               const sim::Result& result) {
    std::vector<bool> stored(target.ext_words);
    for (const sim::Retire& retire : result.trace) {
        const isa::Instruction insn = *isa::decode(program.code[retire.pc]);
        if (insn.op == isa::Opcode::st) std::fill_n(stored.begin() + insn.x, insn.n, true);
    }
    return stored;
}

/// A row that a trap came before is not written; its words would look like results.
void print_outputs(const isa::Program& program, const isa::Target& target,
                   const sim::Result& result) {
    const bool trapped = result.status.state == sim::State::trapped;
    const std::vector<bool> stored = stored_words(program, target, result);
    for (const isa::Symbol& symbol : program.symbols) {
        if (symbol.kind != isa::SymbolKind::output) continue;
        for (std::uint32_t r = 0; r < symbol.rows; ++r) {
            fmt::print("{}[{}]", symbol.name, r);
            const std::uint32_t begin = symbol.address + r * symbol.cols;
            const std::uint32_t end = begin + symbol.cols;
            if (trapped &&
                !std::all_of(stored.begin() + begin, stored.begin() + end, std::identity{}))
                fmt::print(" not written");
            else
                for (std::uint32_t word = begin; word < end; ++word)
                    fmt::print(" {:.4g}", isa::real_value(symbol, result.memory[word]));
            fmt::print("\n");
        }
    }
}

/// The index that names no row: the C++ machine shows its cells, whichever engine ran.
std::uint32_t faulty_index(const isa::Instruction& insn, const sim::Job& job,
                           const isa::Target& target) {
    sim::Machine machine(target);
    machine.load_memory(job.memory);
    machine.run(sim::decode_program(*job.program, target));
    return insn.op == isa::Opcode::ldx ? sim::ldx_index(machine.memories(), insn)
                                       : sim::ldxw_index(machine.memories(), insn);
}

/// Where and why: the reason, and the instruction if it is one.
void print_trap(const sim::Status& status, const sim::Job& job, const isa::Target& target) {
    fmt::print("TRAPPED at instruction {}: {} ({})\n", status.pc, isa::trap_name(status.trap),
               isa::trap_prose(status.trap));
    if (status.trap != isa::Trap::index_range) return;
    const isa::Word& word = job.program->code[status.pc];
    const isa::Instruction insn = *isa::decode(word);
    fmt::print("  {}: index {} of a table of {} rows\n", isa::disassemble(word),
               faulty_index(insn, job, target), insn.rows);
}

int print_end(const sim::Result& result, const sim::Job& job, const isa::Target& target) {
    const sim::Counters& c = result.counters;
    fmt::print("cycles {} = matrix {} + dma {} + vector {} + control {}\n", c.total, c.matrix,
               c.dma, c.vector, c.control);
    if (result.status.state == sim::State::halted) {
        fmt::print("halted at instruction {}\n", result.status.pc);
        return kOk;
    }
    print_trap(result.status, job, target);
    return kCheckFailed;
}

/// True if the program's own data covers one of its inputs, as in `capra decode --programs`.
bool holds_inputs(const isa::Program& program) {
    for (const isa::Symbol& symbol : program.symbols)
        for (const isa::DataBlock& block : program.data)
            if (symbol.kind == isa::SymbolKind::input && symbol.address >= block.address &&
                symbol.address < block.address + block.values.size())
                return true;
    return false;
}

int check(const Options& options, const isa::Target& target, const sim::Job& job) {
    const sim::ReplayReport report = sim::replay(options.engine, target, {&job, 1});
    if (!report.pass()) {
        fmt::print("DIFFERENT on {}: {}\n", options.engine, sim::to_string(*report.divergence));
        return kCheckFailed;
    }
    fmt::print("PASS {} equals {}: {} instructions, {} cells, {} cycles\n", options.engine,
               report.against, report.retires, report.cells, report.cycles);
    return kOk;
}

int run(const Options& options) {
    const isa::Program program = read_program(options.in);
    const isa::Target target = target_of(program);
    const std::vector<std::int32_t> memory =
        options.inputs.empty() ? isa::initial_memory(program)
                               : model::memory_image(program, read_inputs(options.inputs, program));
    const sim::Job job{&program, memory};
    if (!options.replay.empty())
        write_file(options.replay, sim::make_replay(target, {&job, 1}, {.check = true}));
    if (options.check && options.trace.empty() && options.retired.empty())
        return check(options, target, job);
    const sim::Result result = sim::make_engine(options.engine, target)->run_one(program, memory);
    if (!options.trace.empty()) write_file(options.trace, timeline_json(program, target, result));
    if (!options.retired.empty()) write_file(options.retired, retired_text(program, result));
    if (options.check) return check(options, target, job);
    print_outputs(program, target, result);
    const int ended = print_end(result, job, target);
    const bool has_inputs = std::any_of(
        program.symbols.begin(), program.symbols.end(),
        [](const isa::Symbol& symbol) { return symbol.kind == isa::SymbolKind::input; });
    if (has_inputs && options.inputs.empty() && !holds_inputs(program))
        fmt::print("every input was 0: give them with --inputs FILE\n");
    return ended;
}

}  // namespace

void add_run(CLI::App& app, int& status) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand(
        "run",
        "Run a program on one engine and print its outputs and counters\n\n"
        "Exit status 1 if it traps, or with --check if the engine differs from the C++ machine.");
    command->add_option("PROG", options->in, "program file")->required();
    command->add_option("--engine", options->engine, "engine to run on")
        ->check(CLI::IsMember(sim::kEngineNames))
        ->capture_default_str();
    command->add_option("--inputs", options->inputs,
                        "JSON file of real input values, {\"x\": [[0.5, ...]]}; without it the "
                        "program's own data is all there is");
    command->add_option("--trace", options->trace,
                        "write a timeline that Perfetto and chrome://tracing open: a track per "
                        "unit, a slice per instruction; 1 us is 1 cycle");
    command->add_option("--retired", options->retired,
                        "write one line per retired instruction: cycle, pc, unit, disassembly");
    command->add_option("--write-replay", options->replay,
                        "also write the replay file that tb/replay_tb.v checks itself against");
    command->add_flag("--check", options->check,
                      "compare with the C++ machine, instruction by instruction");
    command->callback([options, &status] { status = run(*options); });
}

}  // namespace capra::tools
