#include "compiler/steps.hpp"

#include "isa/check.hpp"
#include "isa/codec.hpp"
#include "isa/error.hpp"
#include "isa/numerics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace capra::compiler {

namespace {

/// The first step of a buffer that none has touched yet.
constexpr std::uint32_t kNever = ~0U;

}  // namespace

BufferId Steps::new_buffer(NodeId owner, std::uint32_t size) {
    return new_copy(owner, owner, size);
}

BufferId Steps::new_copy(NodeId owner, NodeId value, std::uint32_t size) {
    return new_buffer({.owner = owner, .value = value}, size);
}

BufferId Steps::new_column_table(NodeId matmul, std::uint32_t cols) {
    return new_buffer({matmul, matmul, isa::Holds::column_table}, 2 * cols);
}

BufferId Steps::new_activation_table(NodeId activation) {
    return new_buffer({activation, activation, isa::Holds::activation_table}, isa::kLutEntries);
}

BufferId Steps::new_winners(NodeId topk, std::uint32_t k) {
    return new_buffer({topk, topk, isa::Holds::winners}, 2 * k);
}

BufferId Steps::new_buffer(const Content& content, std::uint32_t size) {
    buffers_.push_back({.size = size, .first = kNever});
    contents_.push_back(content);
    return static_cast<BufferId>(buffers_.size() - 1);
}

void Steps::emit(const Step& step) {
    const auto now = static_cast<std::uint32_t>(steps_.size());
    for (BufferId buffer : {step.d, step.a, step.b}) {
        if (buffer == kNoBuffer) continue;
        buffers_[buffer].first = std::min(buffers_[buffer].first, now);
        buffers_[buffer].last = now;
    }
    steps_.push_back(step);
}

void Steps::write(const Graph& graph, const isa::Target& target, isa::Program& program) {
    emit({.insn = {.op = isa::Opcode::halt}});
    const MemoryPlan plan = plan_memory(buffers_, target.spad_bytes);
    if (plan.peak > target.spad_bytes) report_overflow(graph, target, plan);
    program.code = encode(plan, target);
    program.notes = notes(plan);
}

std::vector<isa::Word> Steps::encode(const MemoryPlan& plan, const isa::Target& target) const {
    std::vector<isa::Word> code;
    code.reserve(steps_.size());
    for (const Step& step : steps_) {
        isa::Instruction insn = step.insn;
        if (step.d != kNoBuffer) insn.d += plan.offsets[step.d];
        if (step.a != kNoBuffer) insn.a += plan.offsets[step.a];
        if (step.b != kNoBuffer) insn.b += plan.offsets[step.b];
        assert(isa::check(insn, target) == isa::Trap::none);
        code.push_back(isa::encode(insn));
    }
    return code;
}

isa::Notes Steps::notes(const MemoryPlan& plan) const {
    isa::Notes notes;
    for (const Step& step : steps_) notes.instructions.push_back(step.node);
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
        // A copy comes before its owner and is at the owner's scale; a value that took the buffer
        // over, as a fused relu does, comes behind it and is at its own.
        const Content& content = contents_[i];
        notes.buffers.push_back({.value = content.value,
                                 .scale_of = std::max(content.owner, content.value),
                                 .holds = content.holds,
                                 .address = plan.offsets[i],
                                 .bytes = buffers_[i].size,
                                 .first = buffers_[i].first,
                                 .last = buffers_[i].last});
    }
    return notes;
}

void Steps::report_overflow(const Graph& graph, const isa::Target& target,
                            const MemoryPlan& plan) const {
    std::size_t beyond = 0;  // the first buffer that ends behind the scratchpad
    while (std::uint64_t{plan.offsets[beyond]} + buffers_[beyond].size <= target.spad_bytes)
        ++beyond;
    throw Error(
        fmt::format("node \"{}\": its {} bytes do not fit: the plan needs {} bytes ({} "
                    "alive at once), the scratchpad has {}",
                    graph.nodes[contents_[beyond].owner].name, buffers_[beyond].size, plan.peak,
                    peak_live(buffers_), target.spad_bytes));
}

}  // namespace capra::compiler
