#include "compiler/matrix_json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>
#include <vector>

namespace capra::compiler {

Matrix read_matrix(const JsonReader& reader, std::uint64_t max_elements) {
    const std::size_t rows = reader.size();
    if (rows == 0) reader.expected("an array of rows");
    const std::size_t cols = reader.at(0).size();
    if (cols == 0) reader.at(0).expected("a row of numbers");
    if (rows * cols > max_elements)
        reader.fail(
            fmt::format("a tensor has at most {} elements, got {}", max_elements, rows * cols));
    Matrix matrix{static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(cols), {}};
    for (std::size_t r = 0; r < rows; ++r) {
        const JsonReader row = reader.at(r);
        if (row.size() != cols) row.expected(fmt::format("a row of {} numbers", cols));
        for (std::size_t c = 0; c < cols; ++c) matrix.values.push_back(row.at(c).number());
    }
    return matrix;
}

namespace {

void check_index(const JsonReader& reader, std::uint32_t end) {
    const double index = reader.number();
    if (index < 0 || index >= end || index != std::floor(index))
        reader.expected(fmt::format("an index in 0..{}", end - 1));
}

}  // namespace

Inputs read_inputs(const JsonReader& reader, std::span<const InputShape> shapes) {
    const std::vector<std::string> keys = reader.keys();
    Inputs inputs;
    for (const InputShape& shape : shapes) {
        const JsonReader value = reader.labelled({"input", shape.name}).at(shape.name);
        Matrix matrix = read_matrix(value);
        if (matrix.rows != shape.rows || matrix.cols != shape.cols)
            value.fail(fmt::format("expected {} x {} values, got {} x {}", shape.rows, shape.cols,
                                   matrix.rows, matrix.cols));
        if (shape.index_end != 0) check_index(value.at(0).at(0), shape.index_end);
        inputs[shape.name] = std::move(matrix);
    }
    for (const std::string& key : keys)
        if (!inputs.contains(key)) reader.at(key).fail("no input has this name");
    return inputs;
}

}  // namespace capra::compiler
