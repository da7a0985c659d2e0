// What a program's data put into the scratchpad: told where one load brought it, and only there.
#include "sim/loaded_data.hpp"

#include "isa/assembler.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace capra::sim {
namespace {

using Values = std::optional<std::vector<std::int8_t>>;

/// Words 16 to 23 of external memory hold 0 to 7.
isa::Program program(const std::string& text) {
    isa::Program program = isa::assemble(".memory 64\n" + text, "t.s");
    program.data = {{.address = 0, .values = {9}}, {.address = 16, .values = {}}};
    program.data[1].values.resize(8);
    std::iota(program.data[1].values.begin(), program.data[1].values.end(), std::int8_t{0});
    return program;
}

/// What the last instruction finds in `cells` cells from `base`.
Values found(const std::string& text, std::uint32_t base, std::uint32_t cells) {
    const isa::Program p = program(text);
    return loaded_data(p, static_cast<std::uint32_t>(p.code.size()) - 1,
                       {isa::Use::read, isa::Space::spad, base, 1, cells, 0});
}

TEST(SimLoadedData, a_load_tells_all_or_a_part_of_what_it_brought) {
    const std::string load = "LD d=40 n=8 x=16\nHALT\n";
    EXPECT_EQ(found(load, 40, 8), (Values{{0, 1, 2, 3, 4, 5, 6, 7}}));
    EXPECT_EQ(found(load, 42, 3), (Values{{2, 3, 4}}));
    EXPECT_EQ(found("LD d=40 n=7 x=17\nHALT\n", 39, 2), std::nullopt) << "begins before";
    EXPECT_EQ(found(load, 47, 2), std::nullopt) << "ends behind";
    EXPECT_EQ(found(load, 48, 1), std::nullopt) << "no load at all";
    EXPECT_EQ(found("LD d=40 n=2 x=18\nHALT\n", 40, 2), (Values{{2, 3}}));
}

TEST(SimLoadedData, only_what_the_data_hold_is_told) {
    EXPECT_EQ(found("LD d=40 n=8 x=15\nHALT\n", 40, 8), std::nullopt);
    EXPECT_EQ(found("LD d=40 n=8 x=17\nHALT\n", 40, 8), std::nullopt);
    EXPECT_EQ(found("LD d=40 n=8 x=17\nHALT\n", 40, 7), (Values{{1, 2, 3, 4, 5, 6, 7}}));
    EXPECT_EQ(found("LD d=40 n=8 x=15\nHALT\n", 41, 1), (Values{{0}}));
    EXPECT_EQ(found("LD d=40 n=1 x=0\nHALT\n", 40, 1), (Values{{9}}));
}

TEST(SimLoadedData, the_last_that_wrote_a_cell_counts) {
    const std::string load = "LD d=40 n=8 x=16\n";
    EXPECT_EQ(found(load + "LD d=40 n=2 x=18\nHALT\n", 40, 2), (Values{{2, 3}}));
    EXPECT_EQ(found(load + "LD d=38 n=2 x=18\nHALT\n", 40, 2), (Values{{0, 1}}));
    EXPECT_EQ(found(load + "LD d=42 n=2 x=18\nHALT\n", 40, 2), (Values{{0, 1}}));
    EXPECT_EQ(found(load + "LD d=41 n=2 x=18\nHALT\n", 40, 2), std::nullopt) << "two loads";
    EXPECT_EQ(found(load + "VADD d=40 a=0 b=0 n=2\nHALT\n", 40, 2), std::nullopt) << "a result";
    EXPECT_EQ(found(load + "MM d=40 a=0 b=0 k=1 m=1 n=1 sa=1 sb=1 sd=1\nHALT\n", 40, 2),
              (Values{{0, 1}}))
        << "accumulators are others";
}

TEST(SimLoadedData, data_that_were_stored_over_before_the_load_are_not_told) {
    const std::string load = "LD d=40 n=8 x=16\nHALT\n";
    EXPECT_EQ(found("ST a=0 n=1 x=23\n" + load, 40, 8), std::nullopt);
    EXPECT_EQ(found("ST a=0 n=1 x=23\n" + load, 40, 7), (Values{{0, 1, 2, 3, 4, 5, 6}}));
    EXPECT_EQ(found("ST a=0 n=2 x=15\n" + load, 40, 8), std::nullopt);
    EXPECT_EQ(found("ST a=0 n=2 x=14\n" + load, 40, 1), (Values{{0}}));
    EXPECT_EQ(found("LD d=40 n=8 x=16\nST a=0 n=8 x=16\nHALT\n", 40, 1), (Values{{0}}))
        << "stored after it";
}

TEST(SimLoadedData, a_load_of_less_than_is_asked_for_tells_nothing) {
    const std::string load = "LD d=40 n=4 x=16\nHALT\n";
    EXPECT_EQ(found(load, 42, 2), (Values{{2, 3}}));
    EXPECT_EQ(found(load, 42, 3), std::nullopt) << "one cell more";
    EXPECT_EQ(found(load, 42, 4), std::nullopt);
}

TEST(SimLoadedData, which_row_an_index_will_name_is_not_told) {
    EXPECT_EQ(found("LDX d=40 a=0 n=4 rows=2 x=16\nHALT\n", 40, 4), std::nullopt);
}

TEST(SimLoadedData, words_that_are_no_instruction_wrote_nothing) {
    isa::Program p = program("LD d=40 n=8 x=16\nHALT\nHALT\n");
    p.code[1] = {};
    EXPECT_EQ(loaded_data(p, 2, {isa::Use::read, isa::Space::spad, 40, 1, 1, 0}), (Values{{0}}));
}

}  // namespace
}  // namespace capra::sim
