// The host's part of a decode step: it gives each program its inputs, reads what it stored, and
// decides which one comes next. What runs the programs, the chip or the graphs in double precision,
// is given from outside.
#pragma once

#include "stem/step_plan.hpp"

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace capra::stem {

using model::Vector;

/// Tensors by name: what a program is given, or what it stored. Indices are plain numbers.
using Values = std::map<std::string, Matrix>;

/// Runs one program on these values, some of which it may have no input for; returns its outputs.
using Execute = std::function<Values(const Segment& segment, const Values& given)>;

/// What one layer decided for one token.
struct LayerStep {
    Experts experts{};  ///< whose programs ran, best first; with dispatch on the chip, its choice
    Vector gates{};     ///< weight of each winner as stored; of a routed layer times its sigmoid
    std::optional<double> score{};  ///< admission score, R only
    bool admitted = false;          ///< R only
    Experts rows{};                 ///< of its table, or of each of two; as they were read
};

struct StackStep {
    std::uint32_t input = 0;
    std::uint32_t token = 0;          ///< predicted
    Vector logits{};                  // (kVocabulary)
    std::vector<LayerStep> layers{};  ///< one a layer
};

/// Where a decision is taken.
struct Decision {
    std::uint32_t layer = 0;
    std::uint32_t position = 0;  ///< of the token in its sequence, from 0
    std::uint32_t rank = 0;      ///< of the expert
};

/// Decisions put in place of the model's own: by tests, which break them, and by editing. Each is
/// given what the model decided; an empty one leaves that as it is.
struct Overrides {
    std::function<std::uint32_t(const Decision&, std::uint32_t expert)> expert{};
    std::function<bool(const Decision&, bool admitted)> admitted{};
    std::function<Experts(const Decision&, Experts rows)> rows{};
};

/// A token on its way through a step.
struct TokenWalk {
    StackStep step{};
    std::uint32_t position = 0;
    std::uint32_t previous = kNoToken;
    std::optional<Segment> next{};         ///< to run; none when the token is predicted
    std::optional<std::uint32_t> waits{};  ///< the routed layer that it waits for to be admitted
    Values values{};                       ///< all that its programs were given and stored so far
};

/// One sequence: its keys and values, and its tokens in order.
class HostLoop {
  public:
    /// The stack must outlive it.
    HostLoop(const Stack& stack, Dispatch dispatch, Execute execute, Overrides overrides = {});

    /// The next token of the sequence, before its first program. An Error for one that is none.
    TokenWalk begin(std::uint32_t token);

    /// Runs programs until the token waits for its admission or is predicted.
    void run(TokenWalk& walk);

    /// Decides the admission that the token waits for.
    void admit(TokenWalk& walk, bool admitted);

    /// A whole step, admitting where score >= the layer's threshold. `thresholds`: one a routed
    /// layer, in order.
    StackStep step(std::uint32_t token, std::span<const double> thresholds);

    [[nodiscard]] const StepPlan& plan() const { return plan_; }

  private:
    const Stack* stack_;
    StepPlan plan_;
    Execute execute_;
    Overrides overrides_;
    std::map<std::string, Matrix> caches_;  ///< "l0_k_cache", (positions so far, kHeadWidth)
    std::vector<std::uint32_t> tokens_;
};

}  // namespace capra::stem
