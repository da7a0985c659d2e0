// How far the decoders reach.
#pragma once

#include <cstdint>

namespace capra::tools {

/// The longest decode the reference target's scratchpad of 8192 bytes holds, whatever the decoder
/// and the number of experts: at its fullest, step T needs 32 * (T + 2) bytes, the keys and values
/// of T tokens and 64 more.
inline constexpr std::uint32_t kMaxSteps = 254;
/// The same for stacks of the STEM family: the attention of step T needs 32 T + 80 bytes.
inline constexpr std::uint32_t kMaxStackSteps = 253;

}  // namespace capra::tools
