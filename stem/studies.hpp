// What the mechanisms of the family do, measured on compiled stacks. The stacks are constructed or
// drawn at random and nothing is trained: the figures show the mechanism, not the quality of a
// language model.
#pragma once

#include "model/exact.hpp"
#include "stem/quality.hpp"
#include "stem/stack_decoder.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace capra::stem {

/// Expert choice over a whole text against a threshold token by token, on the same programs.
struct AdmissionStudy {
    Share admissions;                ///< decided alike, over all tokens and routed layers
    Share predictions;               ///< alike
    std::uint64_t by_choice = 0;     ///< admitted by expert choice
    std::uint64_t by_threshold = 0;  ///< admitted by the threshold
};

/// Reads each text in both ways, at the layers' own capacities. An Error as `read`.
AdmissionStudy study_admission(const StackPrograms& programs, sim::Engine& engine,
                               std::span<const Tokens> texts);

/// One position of the capacity dial.
struct DialPoint {
    model::Exact capacity;             ///< that all routed layers were recalibrated to
    std::vector<double> thresholds{};  ///< the only thing that was changed
    Share admitted;                    ///< of tokens and routed layers
    Share right;                       ///< predictions that are the rule's; of nothing without one
    double logit_distance = 0;         ///< mean relative L2 from the logits at C = 1
    std::uint64_t cycles = 0;          ///< of all texts
};

/// 1/8, 1/4, 1/2, 3/4, 1: those of the published dial, and all.
std::vector<model::Exact> dial_capacities();

/// Reads the texts at each capacity, by thresholds calibrated on the chip. An Error as `read`, and
/// for a stack without routed layers.
std::vector<DialPoint> study_dial(const StackPrograms& programs, sim::Engine& engine,
                                  std::span<const Tokens> texts,
                                  std::span<const model::Exact> capacities);

/// What one way of dispatch costs over a decode.
struct DispatchCost {
    Dispatch dispatch = Dispatch::host;
    std::uint64_t programs = 0;
    std::uint64_t instructions = 0;
    std::uint64_t step_1_cycles = 0;
    std::uint64_t last_step_cycles = 0;
    std::uint64_t cycles = 0;
    std::uint64_t words_moved = 0;  ///< between external memory and scratchpad, either way
    /// That the host writes before programs and reads after them.
    std::uint64_t host_words = 0;
    Tokens tokens{};  ///< decoded
};

/// Decodes `steps` tokens from `start`, the experts dispatched by the host, and on the chip. Every
/// weight has one scale, as the tables that the chip picks experts from have in any case: what
/// differs is the way of dispatch alone.
std::vector<DispatchCost> study_dispatch(const Stack& stack, std::uint32_t steps,
                                         std::uint32_t start);

}  // namespace capra::stem
