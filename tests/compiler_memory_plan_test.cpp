// The memory planner, checked cell by cell and step by step.
#include "compiler/memory_plan.hpp"

#include "compiler/compile.hpp"
#include "isa/check.hpp"
#include "isa/codec.hpp"
#include "tests/compiler_support.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <ostream>
#include <vector>

namespace capra::compiler {

std::ostream& operator<<(std::ostream& out, const Buffer& b) {
    return out << "{" << b.size << " cells, steps " << b.first << " to " << b.last << "}";
}

}  // namespace capra::compiler

namespace capra {
namespace {

using namespace compiler;

rc::Gen<std::vector<Buffer>> buffer_lists() {
    using rc::gen::inRange;
    return rc::gen::container<std::vector<Buffer>>(rc::gen::apply(
        [](std::uint32_t size, std::uint32_t first, std::uint32_t length) {
            return Buffer{size, first, first + length};
        },
        inRange<std::uint32_t>(1, 40), inRange<std::uint32_t>(0, 30),
        inRange<std::uint32_t>(0, 8)));
}

/// True if two buffers hold the same cell during the same step: every cell is marked, step by
/// step.
bool has_overlap(const std::vector<Buffer>& buffers, const MemoryPlan& plan) {
    std::uint32_t last_step = 0;
    for (const Buffer& b : buffers) last_step = std::max(last_step, b.last);
    for (std::uint32_t step = 0; step <= last_step; ++step) {
        std::vector<bool> taken(plan.peak, false);
        for (std::size_t i = 0; i < buffers.size(); ++i) {
            if (step < buffers[i].first || step > buffers[i].last) continue;
            for (std::uint32_t cell = 0; cell < buffers[i].size; ++cell) {
                const std::size_t at = plan.offsets[i] + cell;
                if (at >= taken.size() || taken[at]) return true;
                taken[at] = true;
            }
        }
    }
    return false;
}

RC_GTEST_PROP(CompilerMemoryPlan, no_two_live_buffers_share_a_cell, ()) {
    const auto buffers = *buffer_lists();
    // A small capacity makes the planner try its second order too.
    const auto capacity = *rc::gen::element<std::uint32_t>(0, 50, 100, 8192);
    const MemoryPlan plan = plan_memory(buffers, capacity);
    RC_ASSERT(plan.offsets.size() == buffers.size());
    RC_ASSERT(!has_overlap(buffers, plan));
}

RC_GTEST_PROP(CompilerMemoryPlan, peak_is_the_highest_cell_and_at_least_what_is_alive, ()) {
    const auto buffers = *buffer_lists();
    const MemoryPlan plan = plan_memory(buffers, *rc::gen::inRange<std::uint32_t>(0, 200));
    std::uint64_t highest = 0;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < buffers.size(); ++i) {
        highest = std::max<std::uint64_t>(highest, plan.offsets[i] + buffers[i].size);
        sum += buffers[i].size;
    }
    RC_ASSERT(plan.peak == highest);
    RC_ASSERT(plan.peak >= peak_live(buffers));
    RC_ASSERT(plan.peak <= sum);
}

TEST(CompilerMemoryPlan, cells_of_dead_buffers_are_used_again) {
    // A chain: each buffer is read by the step that writes the next.
    std::vector<Buffer> chain;
    for (std::uint32_t i = 0; i < 20; ++i) chain.push_back({100, i, i + 1});
    EXPECT_EQ(peak_live(chain), 200U);
    EXPECT_EQ(plan_memory(chain, 200).peak, 200U);
}

TEST(CompilerMemoryPlan, a_buffer_read_by_the_step_that_writes_another_keeps_its_cells) {
    const std::vector<Buffer> touching = {{8, 0, 3}, {8, 3, 5}};
    EXPECT_EQ(plan_memory(touching, 100).peak, 16U);
    const std::vector<Buffer> apart = {{8, 0, 3}, {8, 4, 5}};
    EXPECT_EQ(plan_memory(apart, 100).peak, 8U);
}

TEST(CompilerMemoryPlan, the_order_of_first_use_is_tried_when_largest_first_does_not_fit) {
    // Largest first: the 4s at 0 and 4, the 3 at 0, and the 2, which lives beside the second 4
    // and the 3, above both at 8. In order of use the 2 takes 0 and the 3 follows it.
    const std::vector<Buffer> buffers = {{4, 0, 1}, {3, 3, 3}, {4, 0, 2}, {2, 2, 3}};
    EXPECT_EQ(plan_memory(buffers, 10).peak, 10U);
    EXPECT_EQ(plan_memory(buffers, 9).peak, 8U);
}

/// In the order they come, the buffer of 3 would push the last one up to 7.
TEST(CompilerMemoryPlan, the_largest_is_placed_first) {
    const std::vector<Buffer> buffers = {{3, 0, 1}, {4, 1, 2}, {4, 2, 3}};
    const MemoryPlan plan = plan_memory(buffers, 100);
    EXPECT_EQ(plan.offsets, (std::vector<std::uint32_t>{4, 0, 4}));
    EXPECT_EQ(plan.peak, 8U);
}

TEST(CompilerMemoryPlan, a_smaller_buffer_takes_the_cells_of_a_larger_one_that_lives_later) {
    EXPECT_EQ(plan_memory(std::vector<Buffer>{{4, 0, 1}, {8, 2, 3}}, 100).peak, 8U);
    EXPECT_EQ(plan_memory(std::vector<Buffer>{{4, 2, 3}, {8, 0, 1}}, 100).peak, 8U);
    EXPECT_EQ(plan_memory(std::vector<Buffer>{{4, 0, 2}, {8, 2, 3}}, 100).peak, 12U);
}

TEST(CompilerMemoryPlan, a_long_chain_of_layers_fits_because_buffers_are_reused) {
    GraphBuilder b("chain");
    std::mt19937 random(5);
    NodeId x = b.input("x", 4, 32);
    for (int layer = 0; layer < 12; ++layer) {
        const auto n = std::to_string(layer);
        x = b.matmul("y" + n, x, b.weight("w" + n, compiler_testing::random_matrix(random, 32, 32)),
                     0.2);
    }
    b.output("out", x);
    const Graph graph = b.build();
    isa::Target target = isa::reference_target(1U << 16);
    // One layer's input, weights and result, and the next layer's.
    target.spad_bytes = 1024 + 2 * 4 * 32;
    const auto program = compile(graph, compiler_testing::some_ranges(graph), target);
    for (const auto& word : program.code) EXPECT_EQ(isa::check_word(word, target), isa::Trap::none);
}

}  // namespace
}  // namespace capra
