// What stem_run measures: the decode of every decoder of the STEM family on the C++ machine.
#pragma once

#include "stem/checks.hpp"
#include "stem/stack_decoder.hpp"
#include "tools/replays.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace capra::tools {

/// The decoders, in the order in which they are shown. Every cost is compared with the first one's.
inline constexpr std::array<const char*, 13> kFamily = {
    "dense",  "top2",  "stem_mult",   "stem_add",   "stem_dagger", "stem_gate", "hash",
    "bigram", "split", "product_key", "routed_C50", "routed_C25",  "on_chip"};

/// A model that is shown: one of `kFamily`, or the layers of a pattern.
struct FamilyMember {
    std::string name;  ///< the decoder's, or the pattern
    bool is_pattern = false;
    std::vector<model::Exact> capacities{};  ///< of the R layers of a pattern

    /// Of seed 1; `kind` is structured or random.
    [[nodiscard]] stem::Stack stack(std::string_view kind) const;
    [[nodiscard]] stem::Dispatch dispatch() const;
};

/// A pattern as a member; without capacities its R layers have 1/2. An Error as
/// `stem::pattern_plan`, and for a pattern of attention alone, which answers no token.
FamilyMember pattern_member(const std::string& pattern, const std::vector<std::string>& capacities);

/// What layers multiply and read for a token: means, since an admitted token costs more.
struct WorkPerToken {
    double macs = 0;
    double weights_read = 0;
};

/// One member: what is checked of it, and the decode that is shown and replayed.
struct FamilyDecode {
    FamilyMember member;
    stem::StackRuns checked;  ///< from every start
    stem::StackRun run;       ///< points into the programs of `checked`

    FamilyDecode(FamilyMember shown, stem::StackPrograms programs, std::uint32_t steps,
                 std::uint32_t start, const stem::Hooks& hooks = {});
    FamilyDecode(const FamilyDecode&) = delete;
    FamilyDecode& operator=(const FamilyDecode&) = delete;

    [[nodiscard]] const std::string& name() const { return member.name; }
    /// True if every token is what the stack's rule says.
    [[nodiscard]] bool follows_rule() const;
    /// Words of all weights and tables of the feed-forward layers.
    [[nodiscard]] std::uint64_t weights_stored() const;
    /// What the feed-forward layers multiply and read for a token, mean over the decode.
    [[nodiscard]] WorkPerToken work() const;
};

using FamilyDecodes = std::vector<std::unique_ptr<FamilyDecode>>;

/// The decoders asked for, each once, in the order of `kFamily`; `dense` among them whether it was
/// asked for or not; all when none was named.
std::vector<FamilyMember> chosen_decoders(const std::vector<std::string>& asked);

/// Called before each decoder is compiled and decoded.
using FamilyProgress = std::function<void(std::string_view decoder)>;

/// Decodes structured models.
FamilyDecodes decode_family(const std::vector<FamilyMember>& members, std::uint32_t steps,
                            std::uint32_t start, const FamilyProgress& progress);

/// All cycles of a decode to those of `dense`.
double ratio_to(const FamilyDecode& dense, const FamilyDecode& decode);

/// Checks of the decodes, of random stacks of the same members, and of dispatch on the chip.
model::Checks check_family(const FamilyDecodes& decodes, const FamilyProgress& progress);

/// The decodes as tasks for `replay_all`. They point into `decodes`.
std::vector<ReplayTask> replay_tasks(const FamilyDecodes& decodes);

}  // namespace capra::tools
