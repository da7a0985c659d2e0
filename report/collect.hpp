// From a decode on the machine to what a report shows of it.
#pragma once

#include "model/chip_decoder.hpp"
#include "model/compiled_model.hpp"
#include "report/data.hpp"

namespace capra::report {

/// Rows of the grouped programs that are priced beside the decode.
inline constexpr std::uint32_t kGroupedRows[] = {2, 4, 8};

/// `run` is a decode of at least one step with the programs of `compiled`, and was traced.
Decoder collect(const model::CompiledModel& compiled, const model::DecodeRun& run);

}  // namespace capra::report
