// A decode step as a chain of programs. The chip has no branch: where a token's own state decides
// what comes next, a program ends, the host looks at what it stored, and starts another. A step is
// as many programs as it has such decisions, plus one.
#pragma once

#include "stem/stack.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace capra::stem {

/// Who picks the experts of an E layer with a learned router.
enum class Dispatch : std::uint8_t {
    host,     ///< the host, by starting their programs
    on_chip,  ///< the chip, by loading the weights that the router's winners name (LDX)
};

/// "host", "on-chip".
std::string_view dispatch_name(Dispatch dispatch);

/// A decision between two programs.
struct Cut {
    enum class Kind : std::uint8_t {
        rows,       ///< a product key: which rows belong to the best pairs of sub-keys
        admission,  ///< a routed layer: no expert, or which one first
        expert,     ///< which expert comes first, or after the ones before
    };
    Kind kind = Kind::expert;
    std::uint32_t layer = 0;  ///< index into Stack::layers
    std::uint32_t rank = 0;   ///< experts that ran before, in this layer

    friend bool operator==(const Cut&, const Cut&) = default;
};

/// The choice of a token that a routed layer does not admit.
inline constexpr std::uint32_t kSkip = ~std::uint32_t{0};

/// A program of a step: from a decision, as it was taken, to the next one or to the prediction.
struct Segment {
    std::uint32_t start = 0;    ///< decisions that lie before; 0 is the program a step begins with
    std::uint32_t choice = 0;   ///< at the last of them: an expert or kSkip; 0 if it is of rows
    Experts hashed{};           ///< of each Hash layer on the way, in order
    std::uint32_t context = 0;  ///< positions that its attention sees, 0 without attention

    friend auto operator<=>(const Segment&, const Segment&) = default;
};

/// The decisions of a step, and the programs between them.
class StepPlan {
  public:
    StepPlan(const Stack& stack, Dispatch dispatch);

    [[nodiscard]] const std::vector<Cut>& cuts() const { return cuts_; }
    [[nodiscard]] Dispatch dispatch() const { return dispatch_; }

    /// Where a segment with this start and choice ends: the cut there, nothing at the prediction.
    /// A token that is not admitted leaves out what else the layer decides.
    [[nodiscard]] std::optional<std::size_t> end(std::uint32_t start, std::uint32_t choice) const;

    /// The expert of the token in each layer, which means something in Hash layers.
    [[nodiscard]] Experts hashed(std::uint32_t token) const;

    /// The program of a token at this decision. `hashed`: by layer; `context`: positions up to its
    /// own.
    [[nodiscard]] Segment segment(std::uint32_t start, std::uint32_t choice, const Experts& hashed,
                                  std::uint32_t context) const;

    /// What can be chosen at the decision before a segment with this start; {0} for start 0.
    [[nodiscard]] std::vector<std::uint32_t> choices(std::uint32_t start) const;

    /// The programs that may run at the decision before a segment with this start, whatever the
    /// token; none twice.
    [[nodiscard]] std::vector<Segment> alternatives(std::uint32_t start,
                                                    std::uint32_t context) const;

    /// Every program of decodes up to `steps` tokens, none twice.
    [[nodiscard]] std::vector<Segment> segments(std::uint32_t steps) const;

    /// "step_T5", "l1_e2", "l1_e2_rank1", "l1_skip_T5", "l1_rows"; with Hash layers "step_h3_T5".
    [[nodiscard]] std::string name(const Segment& segment) const;

  private:
    /// Layers that lie wholly inside the segment: [first, last).
    struct Inside {
        std::uint32_t first, last;
    };
    [[nodiscard]] Inside inside(std::uint32_t start, std::uint32_t choice) const;

    std::vector<Cut> cuts_;
    Dispatch dispatch_;
    std::vector<bool> attends_;                     ///< by layer
    std::vector<std::vector<std::uint32_t>> hash_;  ///< by layer, empty but for Hash layers
    std::vector<std::uint32_t> experts_;            ///< by layer, 0 without
};

}  // namespace capra::stem
