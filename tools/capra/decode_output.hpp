// What capra decode prints and writes of a decode.
#pragma once

#include "compiler/weight_scales.hpp"
#include "model/batch_decoder.hpp"
#include "model/chip_decoder.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace capra::tools {

struct DecodeOptions {
    std::string model;
    std::string decoder = "routed";
    std::string engine = "model";
    std::uint32_t seed = 1;
    std::uint32_t experts = 4;
    std::uint32_t steps = 24;
    std::uint32_t start = 0;
    std::uint32_t top = 1;
    compiler::WeightScales scales = compiler::WeightScales::per_tensor;
    std::optional<double> router_scale;
    bool recalibrate = false;
    std::optional<std::uint32_t> batch;
    std::optional<std::uint32_t> capacity;
    std::string json;
    std::string programs;
    std::string trace;
};

/// Prints the decode and writes the files asked for.
void report(const DecodeOptions& options, const model::CompiledModel& compiled,
            const model::DecodeRun& run);
void report(const DecodeOptions& options, const model::CompiledModel& compiled,
            const model::BatchRun& run);

}  // namespace capra::tools
