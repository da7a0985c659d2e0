// The host's part of a decode step: it gives each program its inputs, reads what it stored, and
// decides which one comes next. What runs the programs, the chip or the graphs in double precision,
// is given from outside.
#pragma once

#include "stem/float_stack.hpp"
#include "stem/step_plan.hpp"

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace capra::stem {

/// Tensors by name: what a program is given, or what it stored. Indices are plain numbers.
using Values = std::map<std::string, Matrix>;

struct TokenWalk;

/// Runs one program of a token on the token's values, some of which it may have no input for;
/// returns its outputs.
using Execute = std::function<Values(const Segment& segment, const TokenWalk& walk)>;

/// Where a decision is taken.
struct Decision {
    std::uint32_t layer = 0;
    std::uint32_t position = 0;  ///< of the token in its sequence, from 0
    std::uint32_t rank = 0;      ///< of the expert
};

/// Decisions put in place of the model's own: by tests, which break them, and by editing. Each is
/// given what the model decided; an empty one leaves that as it is.
struct Hooks {
    std::function<std::uint32_t(const Decision&, std::uint32_t expert)> expert{};
    std::function<bool(const Decision&, bool admitted)> admitted{};
    std::function<Experts(const Decision&, Experts rows)> rows{};
};

/// A token on its way through a step.
struct TokenWalk {
    /// Filled in as programs store it: no states, no router scores; the gates of a routed layer
    /// times the sigmoid of its score; no gates where the chip picks the experts.
    StackStep step{};
    std::uint32_t position = 0;
    std::uint32_t previous = kNoToken;
    Experts hashed{};                    ///< the expert of each Hash layer, by layer
    std::optional<Segment> next{};       ///< to run; none while it waits, or when it is predicted
    std::optional<std::size_t> waits{};  ///< to be admitted, at this cut of the plan
    Values values{};                     ///< all that its programs were given and stored so far
};

/// One sequence: its tokens in order, and the keys and values of each.
class HostLoop {
  public:
    /// The stack must outlive it.
    HostLoop(const Stack& stack, Dispatch dispatch, Execute execute, Hooks hooks = {});

    /// The next token of the sequence, before its first program. An Error for one that is none.
    TokenWalk begin(std::uint32_t token);

    /// Runs programs until the token waits for its admission or is predicted. Tokens pass an
    /// attention layer in the order in which they began.
    void run(TokenWalk& walk);

    /// Decides the admission that the token waits for.
    void admit(TokenWalk& walk, bool admitted);

    /// A whole step. `admits` is asked at each routed layer, numbered from 0, with the score.
    using Admits = std::function<bool(std::size_t routed, double score)>;
    StackStep step(std::uint32_t token, const Admits& admits);

    [[nodiscard]] const StepPlan& plan() const { return plan_; }
    /// The admission score of the token that waits.
    [[nodiscard]] double waiting_score(const TokenWalk& walk) const;

  private:
    void choose_rows(TokenWalk& walk, std::uint32_t layer, Experts rows) const;
    void choose_hashed(TokenWalk& walk) const;
    void go_on(TokenWalk& walk, std::size_t start, std::uint32_t choice) const;
    void execute(TokenWalk& walk, const Segment& segment);
    void keep(const std::string& name, const Matrix& row);
    void decide(TokenWalk& walk, std::size_t cut) const;
    void start_expert(TokenWalk& walk, std::size_t cut) const;
    void predict(TokenWalk& walk) const;

    const Stack* stack_;
    StepPlan plan_;
    Execute execute_;
    Hooks hooks_;
    Values caches_;  ///< "l0_k_cache", (positions so far, kHeadWidth)
    std::uint32_t positions_ = 0;
    std::uint32_t last_ = kNoToken;
};

}  // namespace capra::stem
