// The memory planner: addresses for buffers whose lifetimes are known.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace capra::compiler {

/// A buffer lives from the instruction that first writes it to the one that last reads it, both
/// included; an instruction never reads a buffer and writes another in the same cells.
struct Buffer {
    std::uint32_t size = 0;
    std::uint32_t first = 0;
    std::uint32_t last = 0;
};

struct MemoryPlan {
    std::vector<std::uint32_t> offsets;  ///< parallel to the buffers
    std::uint64_t peak = 0;              ///< one past the highest cell any buffer uses
};

/// Places every buffer so that no two that are alive together overlap. Greedy, largest first,
/// each at the lowest offset that is free for its lifetime; when that exceeds `capacity`, the
/// order of first use is tried too and the lower peak wins. The caller compares `peak` with
/// `capacity`.
MemoryPlan plan_memory(std::span<const Buffer> buffers, std::uint32_t capacity);

/// The most cells alive in any one instruction: no plan can have a lower peak.
std::uint64_t peak_live(std::span<const Buffer> buffers);

}  // namespace capra::compiler
