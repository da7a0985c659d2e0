#include "compiler/float_interpreter.hpp"

#include "compiler/activation.hpp"
#include "compiler/given_inputs.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>
#include <utility>

namespace capra::compiler {

namespace {

std::span<const double> row(const Matrix& m, std::uint32_t r) {
    return {m.values.data() + std::size_t{r} * m.cols, m.cols};
}

std::span<double> row(Matrix& m, std::uint32_t r) {
    return {m.values.data() + std::size_t{r} * m.cols, m.cols};
}

Matrix zeros(const Node& node) {
    return {node.rows, node.cols, std::vector<double>(std::size_t{node.rows} * node.cols)};
}

// result(i, j) = scale * sum over t of a(i, t) * b(t, j)
Matrix multiply(const Node& node, const Matrix& a, const Matrix& b) {
    Matrix result = zeros(node);
    for (std::uint32_t i = 0; i < node.rows; ++i) {
        for (std::uint32_t j = 0; j < node.cols; ++j) {
            double sum = 0;
            for (std::uint32_t t = 0; t < a.cols; ++t)
                sum += a.at(i, t) * (node.transpose_b ? b.at(j, t) : b.at(t, j));
            result.at(i, j) = sum * node.scale;
        }
    }
    return result;
}

Matrix softmax(Matrix m) {
    for (std::uint32_t r = 0; r < m.rows; ++r) {
        const auto values = row(m, r);
        const double top = *std::max_element(values.begin(), values.end());
        double sum = 0;
        for (double& v : values) sum += v = std::exp(v - top);
        for (double& v : values) v /= sum;
    }
    return m;
}

Matrix argmax(const Node& node, const Matrix& m) {
    Matrix result = zeros(node);
    for (std::uint32_t r = 0; r < m.rows; ++r) {
        const auto values = row(m, r);
        result.at(r, 0) =
            static_cast<double>(std::max_element(values.begin(), values.end()) - values.begin());
    }
    return result;
}

/// One round for each winner, so that NaN, which compares with nothing, harms no order.
Matrix topk(const Node& node, const Matrix& m) {
    Matrix result = zeros(node);
    std::vector<std::size_t> left(m.cols);
    std::iota(left.begin(), left.end(), std::size_t{0});
    for (double& index : result.values) {
        const auto best = std::max_element(
            left.begin(), left.end(),
            [&](std::size_t p, std::size_t q) { return m.values[p] < m.values[q]; });
        index = static_cast<double>(*best);
        left.erase(best);
    }
    return result;
}

Matrix elementwise(Matrix left, const Matrix& right, auto combined) {
    const std::size_t step = right.cols == left.cols ? 1 : left.cols;
    for (std::size_t i = 0; i < left.values.size(); ++i)
        left.values[i] = combined(left.values[i], right.values[i / step]);
    return left;
}

Matrix each(Matrix m, auto function) {
    for (double& v : m.values) v = function(v);
    return m;
}

/// Row `index` of the table in the shape of the lookup.
Matrix table_row(const Node& lookup, const Matrix& table, double index) {
    if (index >= table.rows)
        fail(lookup, fmt::format("the table has {} rows, the index is {}", table.rows, index));
    const auto values = row(table, static_cast<std::uint32_t>(index));
    return {lookup.rows, lookup.cols, {values.begin(), values.end()}};
}

Matrix joined(const Node& node, const std::vector<Matrix>& values) {
    Matrix result{node.rows, node.cols, {}};
    for (const NodeId id : node.inputs)
        result.values.insert(result.values.end(), values[id].values.begin(),
                             values[id].values.end());
    return result;
}

/// The winners' values, which a topk chose from `source`.
Matrix chosen(const Matrix& indices, const Matrix& source) {
    return each(indices,
                [&](double index) { return source.values[static_cast<std::size_t>(index)]; });
}

Matrix combine(const Graph& graph, const Node& node, const std::vector<Matrix>& values) {
    const auto operand = [&](std::size_t i) -> const Matrix& { return values[node.inputs[i]]; };
    switch (node.op) {
        case Op::matmul:
            return multiply(node, operand(0), operand(1));
        case Op::add:
            return elementwise(operand(0), operand(1), std::plus());
        case Op::mul:
            return elementwise(operand(0), operand(1), std::multiplies());
        case Op::relu:
            // NaN passes through, as it does elsewhere.
            return each(operand(0), [](double v) { return std::max(v, 0.0); });
        case Op::silu:
        case Op::sigmoid:
        case Op::gelu:
            return each(operand(0), [&](double v) { return activation(node.op, v); });
        case Op::softmax:
            return softmax(operand(0));
        case Op::argmax:
            return argmax(node, operand(0));
        case Op::topk:
            return topk(node, operand(0));
        case Op::topk_values:
            return chosen(operand(0), values[graph.nodes[node.inputs[0]].inputs[0]]);
        case Op::element:
            return {1, 1, {operand(0).values[node.position]}};
        case Op::lookup:
            return table_row(node, operand(0), operand(1).values[node.position]);
        case Op::concat_rows:
        case Op::concat_cols:
            return joined(node, values);
        case Op::output:
            return operand(0);
        case Op::input:
        case Op::index:
        case Op::weight:
            break;
    }
    assert(false);
    return {};
}

/// The value of an index node, which must be able to name a row.
const Matrix& given_index(const Node& node, const Inputs& inputs) {
    const Matrix& index = given(node, inputs);
    const double value = index.values[0];
    if (!(value >= 0) || value != std::floor(value))
        fail(node, fmt::format("an index is an integer of at least 0, got {}", value));
    return index;
}

}  // namespace

std::vector<Matrix> evaluate(const Graph& graph, const Inputs& inputs) {
    check_names(graph, inputs, is_given);
    std::vector<Matrix> values;
    values.reserve(graph.nodes.size());
    for (const Node& node : graph.nodes) {
        if (node.op == Op::input)
            values.push_back(given(node, inputs));
        else if (node.op == Op::index)
            values.push_back(given_index(node, inputs));
        else if (node.op == Op::weight)
            values.push_back(node.value);
        else
            values.push_back(combine(graph, node, values));
    }
    return values;
}

}  // namespace capra::compiler
