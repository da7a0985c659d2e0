// Explained programs with one scale a column: column tables by name, and the factors in them.
#include "isa/assembler.hpp"
#include "sim/engine.hpp"
#include "sim/explain.hpp"
#include "sim/operand_names.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace capra::sim {
namespace {

/// One text of every instruction.
std::vector<std::string> told(const isa::Program& program,
                              std::string ExplainedInstruction::*text) {
    std::vector<std::string> found;
    for (const auto& insn : explain(program, isa::reference_target()).instructions)
        found.push_back(insn.*text);
    return found;
}

/// q (2 x 3) times w (3 x 4) with one scale a column: the best of each row, then relu of them all.
isa::Program by_columns() {
    isa::Program program = isa::assemble(
        ".memory 64\nLD d=0 n=6 x=0\nLD d=8 n=12 x=8\nMM d=0 a=0 b=8 k=3 m=2 n=4 sa=3 sb=4 sd=4\n"
        "LD d=20 n=8 x=24\nAMAXC d=28 a=0 b=20 n=4\nAMAXC d=29 a=4 b=20 n=4\n"
        "RQC d=32 a=0 b=20 n=8 cols=4 shift=4 relu=1\nHALT\n",
        "t.s");
    program.data = {{.address = 24, .values = {3, 0, 1, 0, 0, 1, -1, 0}}};
    using isa::NodeNote;
    const std::vector<double> scales = {0.25, 0.125, 32, 20};
    program.notes = isa::Notes{
        .nodes = {NodeNote{.name = "q", .op = "input", .rows = 2, .cols = 3, .scale = 0.5},
                  NodeNote{
                      .name = "w", .op = "weight", .rows = 3, .cols = 4, .column_scales = scales},
                  NodeNote{.name = "y",
                           .op = "matmul",
                           .inputs = {0, 1},
                           .rows = 2,
                           .cols = 4,
                           .scale = 0.125,
                           .factor = 0.25},
                  NodeNote{.name = "top", .op = "argmax", .inputs = {2}, .rows = 2, .cols = 1}},
        .instructions = {0, 1, 2, 2, 3, 3, 2, isa::kNoNode},
        .buffers = {{.value = 0, .address = 0, .bytes = 6, .first = 0, .last = 2},
                    {.value = 1, .scale_of = 1, .address = 8, .bytes = 12, .first = 1, .last = 2},
                    {.value = 2,
                     .scale_of = 2,
                     .holds = isa::Holds::column_table,
                     .address = 20,
                     .bytes = 8,
                     .first = 3,
                     .last = 6},
                    {.value = 3, .scale_of = 3, .address = 28, .bytes = 2, .first = 4, .last = 6},
                    {.value = 2, .scale_of = 2, .address = 32, .bytes = 8, .first = 6, .last = 6}}};
    return program;
}

TEST(SimExplainColumns, a_column_table_is_called_after_its_matmul_and_has_two_bytes_a_column) {
    const isa::Program program = by_columns();
    EXPECT_EQ(told(program, &ExplainedInstruction::what),
              (std::vector<std::string>{"q = ext[0:6]", "w = ext[8:20]", "acc = q * w",
                                        "y.mult = ext[24:32]", "top[0] = argmax(acc[0] * y.mult)",
                                        "top[1] = argmax(acc[1] * y.mult)",
                                        "y = relu(round(acc * y.mult / 2^4))", "stop"}));
    const auto name = [&](std::uint32_t base, std::uint32_t cells) {
        return operand_name(program, 4, {isa::Use::read, isa::Space::spad, base, 1, cells, 0});
    };
    EXPECT_EQ(name(22, 2), "y.mult[1]");
    EXPECT_EQ(name(23, 1), "y.mult[1, 1]");
    EXPECT_EQ(name(20, 4), "y.mult[0:2]");
}

TEST(SimExplainColumns, factors_a_column_are_told_by_the_least_and_the_largest) {
    isa::Program program = by_columns();
    const std::string scales = " = 0.25 * q 0.5 * w's column scale / y 0.125";
    const auto why = [&] { return told(program, &ExplainedInstruction::why)[6]; };
    EXPECT_EQ(why(), "0.0625..16" + scales);
    program.data[0].values = {-1, 0, 1, 0, 1, 0, 1, 0};
    EXPECT_EQ(why(), "0.0625..15.94" + scales) << "bytes are unsigned";
    program.data[0].values = {1, 0, 1, 0, 1, 0, -1, -1};
    EXPECT_EQ(why(), "0.0625..4096" + scales);
    program.data[0].values = {3, 0, 3, 0, 3, 0, 3, 0};
    EXPECT_EQ(why(), "0.1875" + scales) << "all the same";
    const auto data = std::exchange(program.data, {});
    EXPECT_EQ(why(), "a factor" + scales);
    program.notes.reset();
    EXPECT_EQ(why(), "a factor a column");
    program.data = data;
    EXPECT_EQ(why(), "0.1875 a column");
}

TEST(SimExplainColumns, a_weights_column_scales_are_told_where_it_is_loaded) {
    isa::Program program = by_columns();
    const auto whys = [&] { return told(program, &ExplainedInstruction::why); };
    EXPECT_EQ(whys()[0], "");
    EXPECT_EQ(whys()[1], "scales 0.125..32 a column");
    EXPECT_EQ(whys()[3], "") << "a table has no scales";
    EXPECT_EQ(whys()[4], "") << "argmax needs none";
    program.notes->nodes[1].column_scales = {0.125, 0.12500001, 0.125, 0.125};
    EXPECT_EQ(whys()[1], "scales 0.125 a column") << "the same in four digits";
    program.notes->instructions[1] = isa::kNoNode;
    EXPECT_EQ(whys()[1], "");
}

TEST(SimExplainColumns, cycles_are_the_machines) {
    const isa::Program program = by_columns();
    EXPECT_EQ(explain(program, isa::reference_target()).counters,
              make_engine("model", isa::reference_target())
                  ->run_one(program, std::vector<std::int32_t>(64, 1))
                  .counters);
}

}  // namespace
}  // namespace capra::sim
