// How finely weights are quantised.
#pragma once

#include <cstdint>
#include <string_view>

namespace capra::compiler {

enum class WeightScales : std::uint8_t {
    per_tensor,  ///< one scale a weight
    /// One scale for each output column of a weight that is only ever the right operand of a
    /// matmul, as stored; argmax then looks at that matmul's accumulators.
    per_column,
};

/// "per-tensor", "per-channel": the field's names, as options take them.
std::string_view weight_scales_name(WeightScales scales);
/// The inverse; an Error lists the names for an unknown one.
WeightScales weight_scales_by_name(std::string_view name);

}  // namespace capra::compiler
