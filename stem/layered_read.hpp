// Reading texts as a prefill does: every token comes to a routed layer before any is admitted.
#pragma once

#include "stem/host_loop.hpp"

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace capra::stem {

using Tokens = std::vector<std::uint32_t>;

/// Which tokens a routed layer admits, the layers numbered from 0: one answer a score.
using AdmitAll =
    std::function<std::vector<bool>(std::size_t routed, const std::vector<double>& scores)>;

/// Reads one text with each loop, all of them together: the scores of all texts, one text after the
/// other, come to `admit`. One step a token of each text.
std::vector<std::vector<StackStep>> read_layered(std::span<HostLoop> loops,
                                                 std::span<const Tokens> texts,
                                                 const AdmitAll& admit);

}  // namespace capra::stem
