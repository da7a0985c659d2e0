#include "compiler/weight_scales.hpp"

#include "isa/error.hpp"

#include <fmt/format.h>

namespace capra::compiler {

namespace {

constexpr std::string_view kPerTensor = "per-tensor";
constexpr std::string_view kPerColumn = "per-channel";

}  // namespace

std::string_view weight_scales_name(WeightScales scales) {
    return scales == WeightScales::per_tensor ? kPerTensor : kPerColumn;
}

WeightScales weight_scales_by_name(std::string_view name) {
    for (const auto scales : {WeightScales::per_tensor, WeightScales::per_column})
        if (name == weight_scales_name(scales)) return scales;
    throw Error(
        fmt::format("no weight scales '{}'; there are {}, {}", name, kPerTensor, kPerColumn));
}

}  // namespace capra::compiler
