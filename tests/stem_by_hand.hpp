// Layers small enough to work out by hand.
#pragma once

#include "stem/stack.hpp"

#include <cmath>

namespace capra::stem {

using Rows = std::vector<std::uint32_t>;

inline Matrix zeros(std::uint32_t rows, std::uint32_t cols) {
    return {rows, cols, std::vector<double>(std::size_t{rows} * cols)};
}
struct Entry {
    std::uint32_t row, col;
    double value;
};
inline Matrix sparse(std::uint32_t rows, std::uint32_t cols, const std::vector<Entry>& entries) {
    Matrix m = zeros(rows, cols);
    for (const Entry& e : entries) m.at(e.row, e.col) = e.value;
    return m;
}

inline double sigmoid(double x) {
    return 1 / (1 + std::exp(-x));
}
inline double silu(double x) {
    return x * sigmoid(x);
}

/// Token t enters as 1 in word 0, t in word 1 and -1 in word 31; logit j is word j.
inline Stack stack_of(Layer layer) {
    Stack stack{.name = "by hand", .emb = zeros(kVocabulary, kWidth)};
    for (std::uint32_t t = 0; t < kVocabulary; ++t) {
        stack.emb.at(t, 0) = 1;
        stack.emb.at(t, 1) = t;
        stack.emb.at(t, 31) = -1;
    }
    stack.wout = zeros(kWidth, kVocabulary);
    for (std::uint32_t j = 0; j < kVocabulary; ++j) stack.wout.at(j, j) = 1;
    stack.layers.push_back(std::move(layer));
    return stack;
}

/// One unit: its gate reads word 0 with this weight, its up-projection word 1; it writes to a word.
inline Block unit_block(double gate, double up, std::uint32_t word, double down = 1) {
    return {.wg = sparse(kWidth, 1, {{0, 0, gate}}),
            .wu = sparse(kWidth, 1, {{1, 0, up}}),
            .wd = sparse(1, kWidth, {{0, word, down}})};
}

/// A table block with one unit as above, and a row of one word a token: 2 t - 3.
inline StemBlock table_block(Combine combine) {
    TokenRows table{zeros(kVocabulary, 1)};
    for (std::uint32_t t = 0; t < kVocabulary; ++t) table.rows.at(t, 0) = 2.0 * t - 3;
    return {.combine = combine, .block = unit_block(2, 3, 5), .table = table};
}

}  // namespace capra::stem
