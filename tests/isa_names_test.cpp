// What is called how, and what is generated from it.
#include "isa/names.hpp"

#include "isa/codec.hpp"
#include "isa/generate.hpp"
#include "isa/histogram.hpp"

#include <gtest/gtest.h>

namespace capra::isa {
namespace {

TEST(IsaNames, every_unit_space_and_symbol_kind_has_its_name) {
    EXPECT_EQ(unit_name(Unit::control), "control");
    EXPECT_EQ(unit_name(Unit::dma), "dma");
    EXPECT_EQ(unit_name(Unit::matrix), "matrix");
    EXPECT_EQ(unit_name(Unit::vector), "vector");
    EXPECT_EQ(space_name(Space::none), "none");
    EXPECT_EQ(space_name(Space::spad), "spad");
    EXPECT_EQ(space_name(Space::acc), "acc");
    EXPECT_EQ(space_name(Space::ext), "ext");
    EXPECT_EQ(symbol_kind_name(SymbolKind::input), "input");
    EXPECT_EQ(symbol_kind_name(SymbolKind::weight), "weight");
    EXPECT_EQ(symbol_kind_name(SymbolKind::output), "output");
}

TEST(IsaNames, a_symbol_kind_is_found_by_its_name_alone) {
    for (const auto kind : {SymbolKind::input, SymbolKind::weight, SymbolKind::output})
        EXPECT_EQ(symbol_kind_by_name(symbol_kind_name(kind)), kind);
    for (const char* other : {"", "outpu", "outputs", ".input", "data"})
        EXPECT_FALSE(symbol_kind_by_name(other).has_value()) << other;
}

TEST(IsaNames, a_name_is_1_to_64_characters_that_text_can_hold) {
    EXPECT_FALSE(is_name(""));
    EXPECT_TRUE(is_name(std::string(64, 'a')));
    EXPECT_FALSE(is_name(std::string(65, 'a')));
    for (int byte = 0; byte < 256; ++byte) {
        const char c = static_cast<char>(byte);
        const bool good = byte > ' ' && byte < 127 && c != ';' && c != '"' && c != '\\';
        EXPECT_EQ(is_name(std::string{'a', c}), good) << byte;
        EXPECT_EQ(is_name(std::string{c, 'a'}), good) << byte;
    }
}

TEST(IsaNames, a_histogram_is_in_the_order_of_the_table_and_counts_what_does_not_decode) {
    Program program;
    for (const Opcode op : {Opcode::halt, Opcode::vadd, Opcode::st, Opcode::ld, Opcode::st})
        program.code.push_back(encode({.op = op}));
    EXPECT_EQ(histogram_text(histogram(program)), "LD 1, ST 2, VADD 1, HALT 1");
    program.code.push_back({});
    program.code.push_back({.lo = 0xff});
    EXPECT_EQ(histogram_text(histogram(program)), "LD 1, ST 2, VADD 1, HALT 1, illegal 2");
    EXPECT_EQ(histogram_text(histogram({})), "");
}

// The figures of the ISA's softmax, which the RTL takes from here.
TEST(IsaNames, the_verilog_header_gives_the_constants_of_softmax) {
    const std::string header = generate_verilog_header();
    for (const char* constant :
         {"SM_SCALE_BITS = 20", "SM_FRACTION_BITS = 8", "SM_EXP_MAX_SHIFT = 16",
          "SM_RECIPROCAL_BITS = 32", "SM_ONE = 127", "SM_MAX = 256"})
        EXPECT_NE(header.find(std::string("\nlocalparam integer ") + constant + ";\n"),
                  std::string::npos)
            << constant;
}

}  // namespace
}  // namespace capra::isa
