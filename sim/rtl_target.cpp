#include "sim/rtl_target.hpp"

#include "isa/error.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace capra::sim {

void check_rtl_target(const isa::Target& target) {
    using isa::Target;
    static constexpr std::pair<std::string_view, std::uint32_t Target::*> kSizes[] = {
        {"spad_bytes", &Target::spad_bytes},
        {"acc_words", &Target::acc_words},
        {"prog_words", &Target::prog_words},
        {"tile_rows", &Target::tile_rows},
        {"tile_cols", &Target::tile_cols},
        {"tile_depth", &Target::tile_depth},
        {"softmax_max", &Target::softmax_max},
        {"argmax_max", &Target::argmax_max},
        {"ext_latency_cycles", &Target::ext_latency_cycles},
    };
    const Target built = isa::reference_target();
    for (const auto& [name, size] : kSizes)
        if (target.*size != built.*size)
            throw Error(fmt::format("target {}: the RTL was built with {} {}, not {}", target.name,
                                    name, built.*size, target.*size));
    if (target.ext_words > isa::kMaxExtWords)
        throw Error(fmt::format("target {}: the RTL addresses {} external words, not {}",
                                target.name, isa::kMaxExtWords, target.ext_words));
}

}  // namespace capra::sim
