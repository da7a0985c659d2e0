#include "sim/external_memory.hpp"

#include "sim/rtl_core.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace capra::sim {

ExternalMemory::ExternalMemory(const isa::Target& target)
    : words_(target.ext_words, 0), responses_(target.ext_latency_cycles) {}

void ExternalMemory::load(std::span<const std::int32_t> image) {
    if (image.size() > words_.size())
        throw Error(fmt::format("a memory image of {} words does not fit external memory of {}",
                                image.size(), words_.size()));
    const auto rest = std::copy(image.begin(), image.end(), words_.begin());
    // Only what an earlier run may have written needs clearing; most of the memory never is.
    if (dirty_words_ > image.size())
        std::fill(rest, words_.begin() + static_cast<std::ptrdiff_t>(dirty_words_), 0);
    dirty_words_ = image.size();
    std::fill(responses_.begin(), responses_.end(), ExternalResponse{});
}

std::uint32_t ExternalMemory::checked(std::uint32_t address) const {
    if (address >= words_.size())
        throw RtlFault(
            fmt::format("the RTL accessed external word {} of {}", address, words_.size()));
    return address;
}

}  // namespace capra::sim
