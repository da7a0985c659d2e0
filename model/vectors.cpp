#include "model/vectors.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <numeric>

namespace capra::model {

Vector times(const Vector& a, const Matrix& m) {
    assert(a.size() == m.rows);
    Vector result(m.cols);
    for (std::uint32_t j = 0; j < m.cols; ++j)
        for (std::uint32_t t = 0; t < m.rows; ++t) result[j] += a[t] * m.at(t, j);
    return result;
}

Vector plus(const Vector& a, const Vector& b) {
    Vector result(a.size());
    std::transform(a.begin(), a.end(), b.begin(), result.begin(), std::plus<>());
    return result;
}

Vector softmax(Vector scores) {
    const double top = *std::max_element(scores.begin(), scores.end());
    for (double& score : scores) score = std::exp(score - top);
    const double sum = std::accumulate(scores.begin(), scores.end(), 0.0);
    for (double& score : scores) score /= sum;
    return scores;
}

void append_row(Matrix& matrix, const Vector& row) {
    assert(row.size() == matrix.cols);
    matrix.values.insert(matrix.values.end(), row.begin(), row.end());
    ++matrix.rows;
}

std::uint32_t argmax(const Vector& values) {
    return static_cast<std::uint32_t>(std::max_element(values.begin(), values.end()) -
                                      values.begin());
}

}  // namespace capra::model
