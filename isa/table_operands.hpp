// Fields, operands and timing formulas of the instruction table, in its order.
#pragma once

#include "isa/numerics.hpp"
#include "isa/table_types.hpp"

namespace capra::isa::table_detail {

using I = Instruction;

inline constexpr FieldRow kLdFields[] = {
    {"d", &I::d, 16, 16, 0, Limit::width, "scratchpad destination"},
    {"n", &I::n, 64, 16, 1, Limit::width, "words to load"},
    {"x", &I::x, 96, 24, 0, Limit::width, "external memory source"},
};
inline constexpr OperandRow kLdOperands[] = {
    {Use::read, Space::ext, &I::x, &I::n},
    {Use::write, Space::spad, &I::d, &I::n},
};
inline constexpr CostTerm kLdCost[] = {{1, &I::n}, {9}};

inline constexpr FieldRow kStFields[] = {
    {"a", &I::a, 32, 16, 0, Limit::width, "scratchpad source"},
    {"n", &I::n, 64, 16, 1, Limit::width, "words to store"},
    {"x", &I::x, 96, 24, 0, Limit::width, "external memory destination"},
};
inline constexpr OperandRow kStOperands[] = {
    {Use::read, Space::spad, &I::a, &I::n},
    {Use::write, Space::ext, &I::x, &I::n},
};
inline constexpr CostTerm kStCost[] = {{1, &I::n}, {2}};

inline constexpr FieldRow kLdxFields[] = {
    {"wide", &I::wide, 8, 1, 0, Limit::width, "the index has two bytes"},
    {"d", &I::d, 16, 16, 0, Limit::width, "scratchpad destination"},
    {"a", &I::a, 32, 16, 0, Limit::width, "scratchpad address of the index"},
    {"n", &I::n, 64, 16, 1, Limit::width, "words of a row"},
    {"rows", &I::rows, 80, 16, 1, Limit::width, "rows of the table"},
    {"x", &I::x, 96, 24, 0, Limit::width, "external memory address of the table"},
};
inline constexpr OperandRow kLdxOperands[] = {
    {.use = Use::read, .space = Space::spad, .base = &I::a, .when = &I::wide},
    {.use = Use::read,
     .space = Space::spad,
     .base = &I::a,
     .when = &I::wide,
     .when_value = 1,
     .cells_each = 2},
    {.use = Use::read,
     .space = Space::ext,
     .base = &I::x,
     .cols = &I::n,
     .rows = &I::rows,
     .stride = &I::n,
     .one_row = true},
    {Use::write, Space::spad, &I::d, &I::n},
};
inline constexpr CostTerm kLdxCost[] = {{1, &I::n}, {13}};

inline constexpr FieldRow kLdxwFields[] = {
    {"d", &I::d, 16, 16, 0, Limit::width, "scratchpad destination"},
    {"w", &I::w, 32, 24, 0, Limit::width, "external memory address of the index"},
    {"n", &I::n, 64, 16, 1, Limit::width, "words of a row"},
    {"rows", &I::rows, 80, 16, 1, Limit::width, "rows of the table"},
    {"x", &I::x, 96, 24, 0, Limit::width, "external memory address of the table"},
};
inline constexpr OperandRow kLdxwOperands[] = {
    {Use::read, Space::ext, &I::w},
    {.use = Use::read,
     .space = Space::ext,
     .base = &I::x,
     .cols = &I::n,
     .rows = &I::rows,
     .stride = &I::n,
     .one_row = true},
    {Use::write, Space::spad, &I::d, &I::n},
};
inline constexpr CostTerm kLdxwCost[] = {{1, &I::n}, {19}};

inline constexpr FieldRow kMmFields[] = {
    {"bt", &I::bt, 8, 1, 0, Limit::width, "B is stored transposed"},
    {"d", &I::d, 16, 16, 0, Limit::width, "accumulator destination"},
    {"a", &I::a, 32, 16, 0, Limit::width, "scratchpad address of A"},
    {"b", &I::b, 48, 16, 0, Limit::width, "scratchpad address of B"},
    {"k", &I::k, 64, 12, 1, Limit::tile_depth, "columns of A, rows of B"},
    {"m", &I::m, 76, 8, 1, Limit::tile_rows, "rows of A and of the result"},
    {"n", &I::n, 84, 8, 1, Limit::tile_cols, "columns of B and of the result"},
    {"sa", &I::sa, 92, 12, 1, Limit::width, "row stride of A"},
    {"sb", &I::sb, 104, 12, 1, Limit::width, "row stride of B as stored"},
    {"sd", &I::sd, 116, 12, 1, Limit::width, "row stride of the result"},
};
inline constexpr OperandRow kMmOperands[] = {
    {Use::read, Space::spad, &I::a, &I::k, &I::m, &I::sa},
    {Use::read, Space::spad, &I::b, &I::n, &I::k, &I::sb, &I::bt, 0},
    {Use::read, Space::spad, &I::b, &I::k, &I::n, &I::sb, &I::bt, 1},
    {Use::write, Space::acc, &I::d, &I::n, &I::m, &I::sd},
};
inline constexpr CostTerm kMmCost[] = {{1, &I::k, &I::m}, {1, &I::k, &I::n}, {1, &I::k}, {1, &I::m},
                                       {1, &I::n},        {1, &I::m, &I::n}, {5}};

inline constexpr FieldRow kRqFields[] = {
    {"acc", &I::acc, 8, 1, 0, Limit::width, "the source is the accumulators, not the scratchpad"},
    {"relu", &I::relu, 9, 1, 0, Limit::width, "negative results become 0"},
    {"d", &I::d, 16, 16, 0, Limit::width, "scratchpad destination"},
    {"a", &I::a, 32, 16, 0, Limit::width, "source, accumulator or scratchpad"},
    {"n", &I::n, 64, 16, 1, Limit::width, "elements"},
    {"shift", &I::shift, 80, 6, 0, Limit::width, "right shift, 0 to 63"},
    {"mult", &I::mult, 96, 31, 0, Limit::width, "multiplier, 0 to 2^31-1"},
};
inline constexpr OperandRow kRqOperands[] = {
    {Use::read, Space::spad, &I::a, &I::n, nullptr, nullptr, &I::acc, 0},
    {Use::read, Space::acc, &I::a, &I::n, nullptr, nullptr, &I::acc, 1},
    {Use::write, Space::spad, &I::d, &I::n},
};
inline constexpr CostTerm kRqCost[] = {{1, &I::n}, {2}};

inline constexpr FieldRow kVaddFields[] = {
    {"d", &I::d, 16, 16, 0, Limit::width, "scratchpad destination"},
    {"a", &I::a, 32, 16, 0, Limit::width, "first scratchpad source"},
    {"b", &I::b, 48, 16, 0, Limit::width, "second scratchpad source"},
    {"n", &I::n, 64, 16, 1, Limit::width, "elements"},
};
inline constexpr OperandRow kVaddOperands[] = {
    {Use::read, Space::spad, &I::a, &I::n},
    {Use::read, Space::spad, &I::b, &I::n},
    {Use::write, Space::spad, &I::d, &I::n},
};
inline constexpr CostTerm kVaddCost[] = {{2, &I::n}, {2}};

inline constexpr FieldRow kSmFields[] = {
    {"d", &I::d, 16, 16, 0, Limit::width, "scratchpad destination"},
    {"a", &I::a, 32, 16, 0, Limit::width, "scratchpad source"},
    {"n", &I::n, 64, 16, 1, Limit::softmax_max, "elements of the row"},
    {"scale", &I::scale, 96, 24, 0, Limit::width, "log2 units of one input step, times 2^20"},
};
inline constexpr OperandRow kSmOperands[] = {
    {Use::read, Space::spad, &I::a, &I::n},
    {Use::write, Space::spad, &I::d, &I::n},
};
inline constexpr CostTerm kSmCost[] = {{4, &I::n}, {31}};

inline constexpr FieldRow kAmaxFields[] = {
    {"d", &I::d, 16, 16, 0, Limit::width, "scratchpad destination, one cell"},
    {"a", &I::a, 32, 16, 0, Limit::width, "scratchpad source"},
    {"n", &I::n, 64, 16, 1, Limit::argmax_max, "elements of the row"},
};
inline constexpr OperandRow kAmaxOperands[] = {
    {Use::read, Space::spad, &I::a, &I::n},
    {Use::write, Space::spad, &I::d},
};
inline constexpr CostTerm kAmaxCost[] = {{1, &I::n}, {3}};

inline constexpr FieldRow kRqcFields[] = {
    {"relu", &I::relu, 9, 1, 0, Limit::width, "negative results become 0"},
    {"d", &I::d, 16, 16, 0, Limit::width, "scratchpad destination"},
    {"a", &I::a, 32, 16, 0, Limit::width, "accumulator source"},
    {"b", &I::b, 48, 16, 0, Limit::width, "scratchpad address of the column table"},
    {"n", &I::n, 64, 16, 1, Limit::width, "elements"},
    {"shift", &I::shift, 80, 6, 0, Limit::width, "right shift of every column, 0 to 63"},
    {"cols", &I::cols, 96, 16, 1, Limit::width, "columns: elements of a row, entries of the table"},
};
inline constexpr OperandRow kRqcOperands[] = {
    {Use::read, Space::acc, &I::a, &I::n},
    {.use = Use::read,
     .space = Space::spad,
     .base = &I::b,
     .cols = &I::cols,
     .cells_each = 2,
     .rereads = true},
    {Use::write, Space::spad, &I::d, &I::n},
};
inline constexpr CostTerm kRqcCost[] = {{2, &I::n}, {2}};

inline constexpr FieldRow kAmaxcFields[] = {
    {"d", &I::d, 16, 16, 0, Limit::width, "scratchpad destination, one cell"},
    {"a", &I::a, 32, 16, 0, Limit::width, "accumulator source"},
    {"b", &I::b, 48, 16, 0, Limit::width, "scratchpad address of the column table"},
    {"n", &I::n, 64, 16, 1, Limit::argmax_max, "elements of the row, entries of the table"},
};
inline constexpr OperandRow kAmaxcOperands[] = {
    {Use::read, Space::acc, &I::a, &I::n},
    {.use = Use::read, .space = Space::spad, .base = &I::b, .cols = &I::n, .cells_each = 2},
    {Use::write, Space::spad, &I::d},
};
inline constexpr CostTerm kAmaxcCost[] = {{2, &I::n}, {3}};

inline constexpr FieldRow kLutFields[] = {
    {"d", &I::d, 16, 16, 0, Limit::width, "scratchpad destination"},
    {"a", &I::a, 32, 16, 0, Limit::width, "scratchpad source"},
    {"b", &I::b, 48, 16, 0, Limit::width, "scratchpad address of the table"},
    {"n", &I::n, 64, 16, 1, Limit::width, "elements"},
};
inline constexpr OperandRow kLutOperands[] = {
    {Use::read, Space::spad, &I::a, &I::n},
    {.use = Use::read,
     .space = Space::spad,
     .base = &I::b,
     .cells_each = kLutEntries,
     .rereads = true},
    {Use::write, Space::spad, &I::d, &I::n},
};
inline constexpr CostTerm kLutCost[] = {{2, &I::n}, {2}};

inline constexpr FieldRow kVmulFields[] = {
    {"bcast", &I::bcast, 8, 1, 0, Limit::width, "b is one cell, taken for every element"},
    {"d", &I::d, 16, 16, 0, Limit::width, "scratchpad destination"},
    {"a", &I::a, 32, 16, 0, Limit::width, "first scratchpad source"},
    {"b", &I::b, 48, 16, 0, Limit::width, "second scratchpad source"},
    {"n", &I::n, 64, 16, 1, Limit::width, "elements"},
    {"shift", &I::shift, 80, 6, 0, Limit::width, "right shift, 0 to 63"},
    {"mult", &I::mult, 96, 31, 0, Limit::width, "multiplier, 0 to 2^31-1"},
};
inline constexpr OperandRow kVmulOperands[] = {
    {Use::read, Space::spad, &I::a, &I::n},
    {Use::read, Space::spad, &I::b, &I::n, nullptr, nullptr, &I::bcast, 0},
    {.use = Use::read,
     .space = Space::spad,
     .base = &I::b,
     .when = &I::bcast,
     .when_value = 1,
     .rereads = true},
    {Use::write, Space::spad, &I::d, &I::n},
};
inline constexpr CostTerm kVmulCost[] = {{2, &I::n}, {3}};

inline constexpr FieldRow kTopkFields[] = {
    {"d", &I::d, 16, 16, 0, Limit::width, "scratchpad destination, k indices and k values"},
    {"a", &I::a, 32, 16, 0, Limit::width, "scratchpad source"},
    {"n", &I::n, 64, 16, 1, Limit::argmax_max, "elements of the row"},
    {"k", &I::k, 96, 8, 1, Limit::argmax_max, "winners", &I::n},
};
inline constexpr OperandRow kTopkOperands[] = {
    {.use = Use::read, .space = Space::spad, .base = &I::a, .cols = &I::n, .rereads = true},
    {.use = Use::write, .space = Space::spad, .base = &I::d, .cols = &I::k, .cells_each = 2},
};
inline constexpr CostTerm kTopkCost[] = {{1, &I::k, &I::n}, {4, &I::k}};

inline constexpr FieldRow kTopkcFields[] = {
    {"d", &I::d, 16, 16, 0, Limit::width, "scratchpad destination, k indices and k values"},
    {"a", &I::a, 32, 16, 0, Limit::width, "accumulator source"},
    {"b", &I::b, 48, 16, 0, Limit::width, "scratchpad address of the column table"},
    {"n", &I::n, 64, 16, 1, Limit::argmax_max, "elements of the row, entries of the table"},
    {"shift", &I::shift, 80, 6, 0, Limit::width, "right shift of the values, 0 to 63"},
    {"k", &I::k, 96, 8, 1, Limit::argmax_max, "winners", &I::n},
};
inline constexpr OperandRow kTopkcOperands[] = {
    {Use::read, Space::acc, &I::a, &I::n},
    {.use = Use::read,
     .space = Space::spad,
     .base = &I::b,
     .cols = &I::n,
     .cells_each = 2,
     .rereads = true},
    {.use = Use::write, .space = Space::spad, .base = &I::d, .cols = &I::k, .cells_each = 2},
};
inline constexpr CostTerm kTopkcCost[] = {{2, &I::k, &I::n}, {4, &I::k}};

}  // namespace capra::isa::table_detail
