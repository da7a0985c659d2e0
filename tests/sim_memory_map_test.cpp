// The scratchpad's picture: which letter stands where.
#include "sim/memory_map.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace capra::sim {
namespace {

using isa::BufferNote;
using isa::Notes;

/// A node of one row for each of the names.
Notes named(const std::vector<std::string>& names) {
    Notes notes;
    for (const std::string& name : names)
        notes.nodes.push_back({.name = name, .op = "input", .inputs = {}, .rows = 1, .cols = 8});
    return notes;
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++found;
    return found;
}

std::size_t longest_line(const std::string& text) {
    std::size_t longest = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\n', at);
        longest = std::max(longest, end - at);
        at = end + 1;
    }
    return longest;
}

TEST(SimMemoryMap, buffers_are_letters_in_the_order_of_time_and_named_where_there_is_room) {
    Notes notes = named({"in", "weight_", "weights_"});
    notes.buffers = {{.value = 1, .scale_of = 1, .address = 8, .bytes = 8, .first = 3, .last = 3},
                     {.value = 0, .scale_of = 0, .address = 0, .bytes = 8, .first = 0, .last = 3},
                     {.value = 2, .scale_of = 2, .address = 0, .bytes = 12, .first = 5, .last = 9},
                     {.value = 0, .scale_of = 2, .address = 16, .bytes = 8, .first = 5, .last = 5}};
    EXPECT_EQ(memory_map(notes),
              "bytes       0       3       4       5       6\n"
              "0..7        aaaaaa in aaaaaa........ccc weights_ ccc\n"
              "8..11       ........bbbbbbbb........cccccccccccccccc\n"
              "12..15      ........bbbbbbbb........................\n"
              "16..23      ........................dddddddd........\n"
              "\n"
              "   buffer                            shape   bytes         addresses        "
              "instructions\n"
              "a  in                                1 x 8       8              0..7                "
              "0..3\n"
              "b  weight_                           1 x 8       8             8..15                "
              "3..3\n"
              "c  weights_                          1 x 8      12             0..11                "
              "5..9\n"
              "d  in@weights_                       1 x 8       8            16..23                "
              "5..5\n");
}

TEST(SimMemoryMap, a_column_table_is_listed_with_two_bytes_a_column) {
    Notes notes = named({"q"});
    notes.buffers = {{.value = 0, .holds = isa::Holds::column_table, .address = 0, .bytes = 16}};
    EXPECT_EQ(count(memory_map(notes), "\na  q.mult                            8 x 2      16 "), 1U)
        << memory_map(notes);
}

/// `count` buffers side by side, each alive in one instruction.
Notes staircase(std::uint32_t count) {
    Notes notes = named({"x"});
    for (std::uint32_t i = 0; i < count; ++i)
        notes.buffers.push_back(
            {.value = 0, .scale_of = 0, .address = i, .bytes = 1, .first = i, .last = i});
    return notes;
}

TEST(SimMemoryMap, a_name_needs_a_letter_and_a_blank_on_either_side) {
    Notes notes = staircase(1);  // a column of eight
    notes.nodes[0].name = "xxxx";
    EXPECT_EQ(count(memory_map(notes), "a xxxx a\n"), 1U);
    notes.nodes[0].name = "xxxxx";
    EXPECT_EQ(count(memory_map(notes), "aaaaaaaa\n"), 1U);
}

TEST(SimMemoryMap, columns_narrow_as_they_become_more_and_then_panels_do) {
    const auto panels = [](std::uint32_t columns) {
        return count("\n" + memory_map(staircase(columns)), "\nbytes  ");
    };
    EXPECT_EQ(count(memory_map(staircase(10)), "........a"), 0U);
    EXPECT_EQ(count(memory_map(staircase(10)), "aa x aaa."), 1U) << "eight wide, as ever at most";
    EXPECT_EQ(count(memory_map(staircase(28)), "aaa...."), 1U);
    EXPECT_EQ(count(memory_map(staircase(29)), "aa....."), 1U);
    EXPECT_EQ(panels(43), 1U);
    EXPECT_EQ(panels(44), 2U);
    EXPECT_EQ(panels(86), 2U);
    EXPECT_EQ(panels(87), 3U);
    const std::string two = memory_map(staircase(44));
    EXPECT_EQ(count(two, "\n\nbytes       22 "), 1U) << "as wide as each other\n" << two;
    EXPECT_EQ(count(two, "21..21      ..........................................vv\n"), 1U);
    EXPECT_EQ(count(two, "22..22      ww......"), 1U);
    for (const std::uint32_t columns : {10U, 28U, 43U, 44U, 87U})
        EXPECT_LE(longest_line(memory_map(staircase(columns))), 100U);
    EXPECT_EQ(longest_line(memory_map(staircase(43)).substr(0, 99)), 98U) << "86 and the label";
}

TEST(SimMemoryMap, a_panel_shows_only_the_addresses_of_its_own_buffers) {
    const std::string two = memory_map(staircase(44));
    EXPECT_EQ(count(two, "\n0..0   "), 1U);
    EXPECT_EQ(count(two, "\n21..21   "), 1U);
    EXPECT_EQ(count(two, "\n22..22   "), 1U);
    EXPECT_EQ(count(two, "\n43..43   "), 1U);
}

TEST(SimMemoryMap, a_buffer_that_lives_across_panels_is_in_all_of_them) {
    Notes notes = staircase(44);
    notes.buffers.push_back(
        {.value = 0, .scale_of = 0, .address = 100, .bytes = 1, .first = 20, .last = 30});
    const std::string map = memory_map(notes);
    EXPECT_EQ(count(map, "100..100    ........................................vvvv\n"), 1U) << map;
    EXPECT_EQ(count(map, "100..100    vvvvvvv x vvvvvvvv........"), 1U) << map;
}

TEST(SimMemoryMap, the_ruler_leaves_numbers_out_where_there_is_no_room) {
    const std::string map = memory_map(staircase(43));
    EXPECT_EQ(map.substr(0, map.find('\n')).substr(0, 50),
              "bytes       0 1 2 3 4 5 6 7 8 9 10  12  14  16  18");
}

TEST(SimMemoryMap, letters_begin_anew_after_62_buffers) {
    const std::string map = memory_map(staircase(63));
    EXPECT_EQ(count(map, "\na  x"), 2U);
    EXPECT_EQ(count(map, "\n9  x"), 1U);
}

TEST(SimMemoryMap, without_buffers_there_is_no_picture) {
    EXPECT_EQ(memory_map(named({"x"})), "");
}

}  // namespace
}  // namespace capra::sim
