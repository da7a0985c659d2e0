#include "compiler/integer_interpreter.hpp"

#include "compiler/given_inputs.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace capra::compiler {

namespace {

__extension__ using Wide = __int128;

/// Floor of a quotient with a positive divisor, for any sign of the dividend.
Wide floor_div(Wide dividend, Wide divisor) {
    const Wide quotient = dividend / divisor;
    return dividend % divisor < 0 ? quotient - 1 : quotient;
}

/// dividend / divisor to the nearest integer, halves up.
Wide nearest(Wide dividend, Wide divisor) {
    return floor_div(2 * dividend + divisor, 2 * divisor);
}

std::int8_t saturate(Wide v) {
    return static_cast<std::int8_t>(std::clamp<Wide>(v, -128, 127));
}

Wide scaled(Wide value, const Requant& r) {
    return nearest(value * r.mult, Wide{1} << r.shift);
}

IntMatrix empty(const Node& node) {
    return {node.rows, node.cols, std::vector<std::int8_t>(std::size_t{node.rows} * node.cols)};
}

/// Dot product of row i of a with column (or, transposed, row) j of b.
Wide dot(const Node& node, const IntMatrix& a, const IntMatrix& b, std::size_t i, std::size_t j) {
    Wide sum = 0;
    for (std::size_t t = 0; t < a.cols; ++t) {
        const std::size_t at = node.transpose_b ? j * b.cols + t : t * b.cols + j;
        sum += Wide{a.values[i * a.cols + t]} * b.values[at];
    }
    return sum;
}

IntMatrix multiply(const Node& node, const QuantisedNode& q, const IntMatrix& a,
                   const IntMatrix& b) {
    IntMatrix result = empty(node);
    for (std::size_t i = 0; i < node.rows; ++i) {
        for (std::size_t j = 0; j < node.cols; ++j) {
            const Requant requant =
                q.column_requant ? Requant{q.column_requant->mults[j], q.column_requant->shift}
                                 : q.requant;
            const Wide value = scaled(dot(node, a, b, i, j), requant);
            result.values[i * node.cols + j] =
                saturate(q.fused_relu ? std::max<Wide>(value, 0) : value);
        }
    }
    return result;
}

IntMatrix rescale(const IntMatrix& m, const std::optional<Requant>& requant) {
    IntMatrix result = m;
    if (!requant) return result;
    for (std::int8_t& v : result.values) v = saturate(scaled(v, *requant));
    return result;
}

IntMatrix relu(const QuantisedNode& q, const IntMatrix& m) {
    if (q.fused_relu) return m;
    IntMatrix result = m;
    for (std::int8_t& v : result.values) v = saturate(std::max<Wide>(scaled(v, q.requant), 0));
    return result;
}

/// 2^(-steps/256) in units of 2^-15 as SM defines it: the fraction from a table rounded to an
/// integer, then halved once for each whole unit, rounded once; nothing beyond 16 units.
Wide exponential(Wide steps) {
    const auto fraction = static_cast<int>(steps % 256);
    const Wide halvings = steps / 256;
    if (halvings > 16) return 0;
    const Wide table = std::llround(32768.0 * std::exp2(-fraction / 256.0));
    return nearest(table, Wide{1} << static_cast<int>(halvings));
}

IntMatrix softmax(const QuantisedNode& q, const IntMatrix& m) {
    IntMatrix result = m;
    for (std::size_t r = 0; r < m.rows; ++r) {
        const auto* row = m.values.data() + r * m.cols;
        const Wide top = *std::max_element(row, row + m.cols);
        std::vector<Wide> e(m.cols);
        Wide sum = 0;
        for (std::size_t i = 0; i < m.cols; ++i)
            sum += e[i] = exponential(nearest((top - row[i]) * q.softmax_scale, 4096));
        const Wide reciprocal = floor_div(Wide{127} << 32, sum);
        for (std::size_t i = 0; i < m.cols; ++i)
            result.values[r * m.cols + i] = saturate(nearest(e[i] * reciprocal, Wide{1} << 32));
    }
    return result;
}

IntMatrix argmax(const Node& node, const IntMatrix& m) {
    IntMatrix result = empty(node);
    for (std::size_t r = 0; r < m.rows; ++r) {
        const auto* row = m.values.data() + r * m.cols;
        result.values[r] = static_cast<std::int8_t>(std::max_element(row, row + m.cols) - row);
    }
    return result;
}

/// Of the matmul a b, in each row, the first column whose exact, rescaled sum is largest.
IntMatrix argmax_of_sums(const Node& matmul, const ColumnRequant& requant, const IntMatrix& a,
                         const IntMatrix& b) {
    IntMatrix result{matmul.rows, 1, {}};
    for (std::size_t i = 0; i < matmul.rows; ++i) {
        std::vector<Wide> sums;
        for (std::size_t j = 0; j < matmul.cols; ++j)
            sums.push_back(dot(matmul, a, b, i, j) * requant.mults[j]);
        result.values.push_back(
            static_cast<std::int8_t>(std::max_element(sums.begin(), sums.end()) - sums.begin()));
    }
    return result;
}

IntMatrix add(const IntMatrix& left, const IntMatrix& right) {
    IntMatrix result = left;
    for (std::size_t i = 0; i < result.values.size(); ++i)
        result.values[i] = saturate(Wide{left.values[i]} + right.values[i]);
    return result;
}

IntMatrix combine(const QuantisedGraph& graph, NodeId id, const std::vector<IntMatrix>& values) {
    const Node& node = graph.graph.nodes[id];
    const QuantisedNode& q = graph.nodes[id];
    const auto operand = [&](std::size_t i) -> const IntMatrix& { return values[node.inputs[i]]; };
    IntMatrix result;
    switch (node.op) {
        case Op::weight:
            return q.weights;
        case Op::matmul:
            return multiply(node, q, operand(0), operand(1));
        case Op::add:
            return add(rescale(operand(0), q.operands[0]), rescale(operand(1), q.operands[1]));
        case Op::relu:
            return relu(q, operand(0));
        case Op::softmax:
            return softmax(q, operand(0));
        case Op::argmax: {
            if (!q.of_accumulators) return argmax(node, operand(0));
            const Node& matmul = graph.graph.nodes[node.inputs[0]];
            return argmax_of_sums(matmul, *graph.nodes[node.inputs[0]].column_requant,
                                  values[matmul.inputs[0]], values[matmul.inputs[1]]);
        }
        case Op::output:
            return operand(0);
        case Op::concat_rows:
            result = {node.rows, node.cols, {}};
            for (std::size_t i = 0; i < node.inputs.size(); ++i) {
                const IntMatrix part = rescale(operand(i), q.operands[i]);
                result.values.insert(result.values.end(), part.values.begin(), part.values.end());
            }
            return result;
        default:
            break;
    }
    assert(false);
    return result;
}

}  // namespace

std::vector<IntMatrix> evaluate(const QuantisedGraph& quantised, const IntInputs& inputs) {
    check_names(quantised.graph, inputs);
    std::vector<IntMatrix> values;
    values.reserve(quantised.nodes.size());
    for (NodeId id = 0; id < quantised.nodes.size(); ++id) {
        const Node& node = quantised.graph.nodes[id];
        if (node.op == Op::input)
            values.push_back(given(node, inputs));
        else
            values.push_back(combine(quantised, id, values));
    }
    return values;
}

}  // namespace capra::compiler
