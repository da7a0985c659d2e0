// A model as the programs of one decoder: calibrated on the float model's own runs, quantised,
// compiled.
#pragma once

#include "compiler/calibrate.hpp"
#include "compiler/graph.hpp"
#include "compiler/weight_scales.hpp"
#include "isa/program.hpp"
#include "isa/target.hpp"
#include "model/float_decoder.hpp"
#include "model/language_model.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace capra::model {

enum class DecoderKind : std::uint8_t {
    routed,  ///< A(T), then the programs of the experts the router chose
    dense,   ///< one program a token that evaluates every expert
    single,  ///< one program a token, one feed-forward block (the tiny model)
};

std::string_view decoder_name(DecoderKind kind);
/// The inverse; an Error lists the names for an unknown one.
DecoderKind decoder_by_name(std::string_view name);

/// What was compiled, kept so that the program can be checked against its graph.
struct CompiledProgram {
    compiler::Graph graph;
    compiler::Ranges ranges;
    isa::Program program;
};

struct CompiledModel {
    LanguageModel model;
    DecoderKind decoder = DecoderKind::routed;
    isa::Target target;     ///< as asked for, with enough external memory for every program
    std::uint32_t top = 1;  ///< experts a token goes to; routed only
    compiler::WeightScales scales = compiler::WeightScales::per_tensor;
    std::vector<CompiledProgram> contexts{};  ///< [T - 1]: A(T), or the whole step of the others
    /// [e]: B_e for one row, or the program of the first of two experts; routed only
    std::vector<CompiledProgram> experts{};
    std::vector<CompiledProgram> second_experts{};  ///< [e]; of the second of two experts
    compiler::Ranges skip_ranges{};  ///< of a token that no expert takes; routed only
};

/// The float model's decode from every start: runs[start][step].
using CalibrationRuns = std::vector<std::vector<FloatStep>>;
CalibrationRuns calibration_runs(const LanguageModel& model, std::uint32_t steps,
                                 std::uint32_t top = 1);

struct CompileOptions {
    std::uint32_t top = 1;  ///< experts a token goes to, 1 or 2
    /// The model whose runs and values give all ranges, if it is not the compiled one: a chip that
    /// was built for one model gets the weights of another of the same size.
    std::optional<LanguageModel> calibrated_on = std::nullopt;
    compiler::WeightScales scales = compiler::WeightScales::per_tensor;
};

/// Compiles the programs of `steps` decode steps, calibrated on the float model's runs of that
/// length from all 16 starts.
///
/// Ranges: tensors tagged k, v, h and partial have one range over all programs, every other tensor
/// one in each program. The input x takes the range of h, so that the residual sum x + Attention(x)
/// adds x without rounding it a second time. An expert that no run reached is calibrated on every h
/// that reached the layer, and so is a token that no expert takes.
///
/// Where the target's external memory is too small for a program, the result's target has the
/// power of two that fits them all.
///
/// Errors: no steps, a decoder the model does not fit, a context too long for the target, a top
/// that is not 1 or, in the routed decoder, 2; a calibration model of another number of experts.
CompiledModel compile_model(const LanguageModel& model, DecoderKind decoder, std::uint32_t steps,
                            const isa::Target& target = isa::reference_target(),
                            const CompileOptions& options = {});

/// B_e of every expert for `rows` tokens at once, with the ranges and weight scales of the
/// one-row programs. An Error unless the model was compiled with one expert a token.
std::vector<CompiledProgram> compile_expert_rows(const CompiledModel& compiled, std::uint32_t rows);

/// The program of `rows` tokens that no expert takes.
CompiledProgram compile_skip_rows(const CompiledModel& compiled, std::uint32_t rows);

}  // namespace capra::model
