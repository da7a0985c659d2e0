#include "compiler/memory_plan.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace capra::compiler {

namespace {

bool alive_together(const Buffer& a, const Buffer& b) {
    return a.first <= b.last && b.first <= a.last;
}

struct Gap {
    std::uint64_t begin;
    std::uint64_t end;
};

/// The lowest offset at which `size` cells fit between the taken ranges.
std::uint64_t lowest_free(std::vector<Gap>& taken, std::uint32_t size) {
    std::sort(taken.begin(), taken.end(),
              [](const Gap& a, const Gap& b) { return a.begin < b.begin; });
    std::uint64_t offset = 0;
    for (const Gap& range : taken) {
        if (offset + size <= range.begin) break;
        offset = std::max(offset, range.end);
    }
    return offset;
}

MemoryPlan place_in_order(std::span<const Buffer> buffers, std::span<const std::size_t> order) {
    std::vector<std::uint64_t> offsets(buffers.size());
    MemoryPlan plan;
    std::vector<Gap> taken;
    for (std::size_t placed = 0; placed < order.size(); ++placed) {
        const std::size_t current = order[placed];
        taken.clear();
        for (std::size_t i = 0; i < placed; ++i) {
            const std::size_t other = order[i];
            if (alive_together(buffers[current], buffers[other]))
                taken.push_back({offsets[other], offsets[other] + buffers[other].size});
        }
        offsets[current] = lowest_free(taken, buffers[current].size);
        plan.peak = std::max(plan.peak, offsets[current] + buffers[current].size);
    }
    for (std::uint64_t offset : offsets) plan.offsets.push_back(static_cast<std::uint32_t>(offset));
    return plan;
}

}  // namespace

MemoryPlan plan_memory(std::span<const Buffer> buffers, std::uint32_t capacity) {
    std::vector<std::size_t> order(buffers.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return buffers[i].size; });
    MemoryPlan by_size = place_in_order(buffers, order);
    if (by_size.peak <= capacity) return by_size;
    std::ranges::stable_sort(order, std::less{}, [&](std::size_t i) { return buffers[i].first; });
    MemoryPlan by_time = place_in_order(buffers, order);
    return std::ranges::min(by_size, by_time, {}, &MemoryPlan::peak);
}

std::uint64_t peak_live(std::span<const Buffer> buffers) {
    // The maximum is reached where some buffer begins.
    std::uint64_t peak = 0;
    for (const Buffer& at : buffers) {
        std::uint64_t live = 0;
        for (const Buffer& other : buffers)
            if (other.first <= at.first && at.first <= other.last) live += other.size;
        peak = std::max(peak, live);
    }
    return peak;
}

}  // namespace capra::compiler
