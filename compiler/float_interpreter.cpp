#include "compiler/float_interpreter.hpp"

#include "compiler/given_inputs.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
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

Matrix combine(const Node& node, const std::vector<Matrix>& values) {
    const auto operand = [&](std::size_t i) -> const Matrix& { return values[node.inputs[i]]; };
    Matrix result;
    switch (node.op) {
        case Op::matmul:
            return multiply(node, operand(0), operand(1));
        case Op::softmax:
            return softmax(operand(0));
        case Op::argmax:
            return argmax(node, operand(0));
        case Op::output:
            return operand(0);
        case Op::add:
            result = operand(0);
            for (std::size_t i = 0; i < result.values.size(); ++i)
                result.values[i] += operand(1).values[i];
            return result;
        case Op::relu:
            result = operand(0);
            // NaN passes through, so that calibration sees it.
            for (double& v : result.values) v = std::max(v, 0.0);
            return result;
        case Op::concat_rows:
            result = {node.rows, node.cols, {}};
            for (std::size_t i = 0; i < node.inputs.size(); ++i)
                result.values.insert(result.values.end(), operand(i).values.begin(),
                                     operand(i).values.end());
            return result;
        case Op::input:
        case Op::weight:
            break;
    }
    assert(false);
    return result;
}

}  // namespace

std::vector<Matrix> evaluate(const Graph& graph, const Inputs& inputs) {
    check_names(graph, inputs);
    std::vector<Matrix> values;
    values.reserve(graph.nodes.size());
    for (const Node& node : graph.nodes) {
        if (node.op == Op::input)
            values.push_back(given(node, inputs));
        else if (node.op == Op::weight)
            values.push_back(node.value);
        else
            values.push_back(combine(node, values));
    }
    return values;
}

}  // namespace capra::compiler
