// The programs an RTL mutant has to get past: directed ones, random ones, the chapter's own.
#pragma once

#include "isa/program.hpp"
#include "isa/target.hpp"
#include "sim/verilated_core.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace capra::mutation {

struct RtlCheck {
    std::string name;
    isa::Program program;
    std::vector<std::int32_t> memory;
    /// Run on a core that has just been powered up like this; empty: on one that ran programs.
    std::optional<sim::ResetRandomness> power_up;
};

struct RtlChecks {
    isa::Target target;
    std::vector<RtlCheck> checks;  ///< cheap and telling ones first
    std::size_t chapter = 0;       ///< the last ones: the chapter's programs, which are long

    /// What Icarus can run: all but the power-ups, of which it has only one.
    [[nodiscard]] std::vector<RtlCheck> for_icarus() const;
    /// The same without the chapter's programs: Icarus is a hundred times slower.
    [[nodiscard]] std::vector<RtlCheck> brief() const;
};

/// The directed programs, the fuzzer's most telling programs and those of seeds 1 to
/// `fuzz_programs`, then A(1), A(8),
/// A(24) and each B_e of the routed decode with the memory they ran on and one step of the other
/// two decoders.
RtlChecks rtl_checks(std::uint64_t fuzz_programs);

}  // namespace capra::mutation
