// The host: it quantises inputs, starts programs on an engine, reads outputs, and picks the next
// program. The chip has no branch; every decision stands here.
#pragma once

#include "compiler/quantise.hpp"
#include "model/compiled_model.hpp"
#include "sim/engine.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace capra::model {

/// Which expert to run for one the router chose. Tests break it.
using Dispatch = std::function<std::uint32_t(std::uint32_t route)>;

/// One program as it ran: what it was given and what came of it.
struct ProgramRun {
    const isa::Program* program = nullptr;
    std::vector<std::int32_t> image;  ///< external memory at the start
    sim::Result result;
};

/// What the host knows after one decode step. Real values: stored int8 times scale.
struct ChipStep {
    std::uint32_t input = 0;
    std::uint32_t token = 0;
    std::uint32_t route = 0;  ///< as the chip reports it; 0 without router
    Experts experts{};        ///< that ran, in order; none without router or when dropped
    Vector k{}, v{};          // (kWidth)
    Vector h{};               // (kWidth); empty in the dense decoder
    Vector router{};          // (experts); routed decoder only
    Vector logits{};          // (kVocabulary); empty in the dense decoder
};

/// External memory for a program: its constants, and its inputs quantised with their planned
/// scales (round half up, saturated), or as plain numbers where the scale is 0: an index. An Error
/// names an input that is missing or of another shape, and an index that is no integer from 0 to
/// 2^24 - 1; inputs that the program does not have are ignored.
std::vector<std::int32_t> memory_image(const isa::Program& program,
                                       const std::map<std::string, Matrix>& inputs);

/// The int8 values of a symbol's cells. An Error names a symbol with a cell that holds no int8.
compiler::IntMatrix stored_matrix(const isa::Program& program, const isa::Symbol& symbol,
                                  std::span<const std::int32_t> memory);

/// An output as real values, or as plain indices when its scale is 0.
Matrix read_output(const isa::Program& program, std::span<const std::int32_t> memory,
                   std::string_view name);

/// Runs a program and checks that it halts; an Error names the program, the trap and the pc.
ProgramRun run_program(sim::Engine& engine, const isa::Program& program,
                       const std::map<std::string, Matrix>& inputs);

/// The counters of all runs together.
sim::Counters total_counters(std::span<const ProgramRun> runs);

/// Decodes one sequence. Both the compiled model and the engine must outlive it.
class ChipDecoder {
  public:
    /// Without `dispatch`, the experts that run are those with the best router scores.
    ChipDecoder(const CompiledModel& compiled, sim::Engine& engine, Dispatch dispatch = {});

    /// Reads a token and predicts the next one: `attend`, then `run_experts` of the best ones.
    ChipStep step(std::uint32_t token);

    /// Runs the program of the context this token has, and remembers its key and value. Where that
    /// is the routed decoder's A(T), the prediction is still to come. An Error when no program was
    /// compiled for the context.
    ChipStep attend(std::uint32_t token);

    /// Runs the programs of these experts on h; the routed decoder only. An Error unless they are
    /// as many as the programs were compiled for, and there are such experts.
    void run_experts(ChipStep& step, Experts experts);

    /// Every program run so far, in order.
    [[nodiscard]] const std::vector<ProgramRun>& runs() const { return runs_; }
    std::vector<ProgramRun> take_runs() { return std::move(runs_); }

  private:
    [[nodiscard]] std::map<std::string, Matrix> context_inputs(std::uint32_t token) const;
    [[nodiscard]] Experts dispatched(const ChipStep& step) const;
    void check_experts(const Experts& experts) const;
    void run(const CompiledProgram& entry, const std::map<std::string, Matrix>& inputs);
    void read_prediction(ChipStep& step) const;
    void remember(const ChipStep& step);

    const CompiledModel* compiled_;
    sim::Engine* engine_;
    Dispatch dispatch_;
    Matrix keys_{0, kWidth, {}};    // (steps so far, kWidth)
    Matrix values_{0, kWidth, {}};  // (steps so far, kWidth)
    std::vector<ProgramRun> runs_;
};

/// A whole decode.
struct DecodeRun {
    std::vector<std::uint32_t> tokens;  ///< the start token, then one a step
    std::vector<std::uint32_t> routes;  ///< one a step; empty without router
    std::vector<ChipStep> steps;
    std::vector<ProgramRun> runs;

    [[nodiscard]] sim::Counters total() const;
    /// Total cycles of one step, counted from 1, over the programs it ran.
    [[nodiscard]] std::uint64_t step_cycles(std::uint32_t step) const;
};

/// Decodes `steps` tokens from `start`, each step reading the token before.
DecodeRun decode(const CompiledModel& compiled, sim::Engine& engine, std::uint32_t steps,
                 std::uint32_t start, Dispatch dispatch = {});

/// The runs as jobs for `sim::replay`. They point into `runs`.
std::vector<sim::Job> jobs_of(std::span<const ProgramRun> runs);

}  // namespace capra::model
