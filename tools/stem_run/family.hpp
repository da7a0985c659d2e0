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
inline constexpr std::array<const char*, 12> kFamily = {
    "dense", "top2",   "stem_mult",   "stem_add",   "stem_dagger", "stem_gate",
    "hash",  "bigram", "product_key", "routed_C50", "routed_C25",  "on_chip"};

/// What a layer multiplies and reads for a token: means, since an admitted token costs more.
struct WorkPerToken {
    double macs = 0;
    double weights_read = 0;
};

/// One decoder: what is checked of it, and the decode that is shown and replayed.
struct FamilyDecode {
    std::string name;
    stem::StackRuns checked;  ///< from every start
    stem::StackRun run;       ///< points into the programs of `checked`

    FamilyDecode(std::string decoder, stem::StackPrograms programs, std::uint32_t steps,
                 std::uint32_t start, const stem::Hooks& hooks = {});
    FamilyDecode(const FamilyDecode&) = delete;
    FamilyDecode& operator=(const FamilyDecode&) = delete;

    /// True if every token is what the stack's rule says.
    [[nodiscard]] bool follows_rule() const;
    /// Words of all weights and tables of the feed-forward layer.
    [[nodiscard]] std::uint64_t weights_stored() const;
    /// What the feed-forward layer multiplies and reads for a token, mean over the decode.
    [[nodiscard]] WorkPerToken work() const;
};

using FamilyDecodes = std::vector<std::unique_ptr<FamilyDecode>>;

/// The decoders asked for, each once, in the order of `kFamily`; `dense` among them whether it was
/// asked for or not; all when none was named.
std::vector<std::string> chosen_decoders(const std::vector<std::string>& asked);

/// Called before each decoder is compiled and decoded.
using FamilyProgress = std::function<void(std::string_view decoder)>;

/// Decodes structured models of seed 1.
FamilyDecodes decode_family(const std::vector<std::string>& decoders, std::uint32_t steps,
                            std::uint32_t start, const FamilyProgress& progress);

/// All cycles of a decode to those of `dense`.
double ratio_to(const FamilyDecode& dense, const FamilyDecode& decode);

/// Checks of the decodes, of random stacks of the same decoders, and of dispatch on the chip.
model::Checks check_family(const FamilyDecodes& decodes, const FamilyProgress& progress);

/// The decodes as tasks for `replay_all`. They point into `decodes`.
std::vector<ReplayTask> replay_tasks(const FamilyDecodes& decodes);

}  // namespace capra::tools
