// Vectors in double precision, for the references that the chip is judged by.
#pragma once

#include "compiler/graph.hpp"

#include <cstdint>
#include <vector>

namespace capra::model {

using compiler::Matrix;
using Vector = std::vector<double>;

/// Row vector times matrix: (rows) x (rows, cols) -> (cols).
Vector times(const Vector& a, const Matrix& m);

/// The sum of two vectors of one length.
Vector plus(const Vector& a, const Vector& b);

/// exp(score) over the sum of all; at least one score, however large.
Vector softmax(Vector scores);

/// Adds a row at the bottom; `row` is as wide as the matrix.
void append_row(Matrix& matrix, const Vector& row);

/// Index of the largest, the lowest on a tie.
std::uint32_t argmax(const Vector& values);

}  // namespace capra::model
