#include "report/data.hpp"

namespace capra::report {

std::uint64_t Decoder::step_cycles(std::uint32_t step) const {
    std::uint64_t sum = 0;
    for (const Run& run : runs)
        if (run.step == step) sum += run.cost.counters.total;
    return sum;
}

std::uint64_t Decoder::cycles() const {
    std::uint64_t sum = 0;
    for (const Run& run : runs) sum += run.cost.counters.total;
    return sum;
}

}  // namespace capra::report
