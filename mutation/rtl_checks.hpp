// The programs an RTL mutant has to get past: the chapter's own, then random ones.
#pragma once

#include "isa/program.hpp"
#include "isa/target.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace capra::mutation {

struct RtlCheck {
    std::string name;
    isa::Program program;
    std::vector<std::int32_t> memory;
};

struct RtlChecks {
    isa::Target target;
    std::vector<RtlCheck> checks;  ///< cheap and telling ones first
};

/// A(1), A(8), A(24) and each B_e of the routed decode with the memory they ran on, one step of the
/// other two decoders, then the fuzzer's programs of seeds 1 to `fuzz_programs`.
RtlChecks rtl_checks(std::uint64_t fuzz_programs);

}  // namespace capra::mutation
