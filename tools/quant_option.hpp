// The option --quant of every tool that quantises.
#pragma once

#include "compiler/weight_scales.hpp"

#include <CLI/CLI.hpp>

#include <set>
#include <string>

namespace capra::tools {

/// `scales` keeps its value when the option is not given.
inline void add_quant(CLI::App& app, compiler::WeightScales& scales) {
    using compiler::WeightScales;
    std::set<std::string> names;
    for (const auto each : {WeightScales::per_tensor, WeightScales::per_column})
        names.emplace(compiler::weight_scales_name(each));
    app.add_option_function<std::string>(
           "--quant",
           [&scales](const std::string& name) { scales = compiler::weight_scales_by_name(name); },
           "scales of a weight: one (per-tensor) or one a column (per-channel)")
        ->check(CLI::IsMember(names))
        ->default_str(std::string(compiler::weight_scales_name(scales)));
}

}  // namespace capra::tools
