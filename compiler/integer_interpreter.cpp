#include "compiler/integer_interpreter.hpp"

#include "compiler/given_inputs.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>

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

/// What an argmax or topk ranks, a vector a row.
using Scores = std::vector<std::vector<Wide>>;

Scores stored_scores(const IntMatrix& m) {
    Scores scores;
    for (std::size_t r = 0; r < m.rows; ++r)
        scores.emplace_back(m.values.data() + r * m.cols, m.values.data() + (r + 1) * m.cols);
    return scores;
}

/// The exact, rescaled sums of the matmul a b.
Scores sums(const Node& matmul, const ColumnRequant& requant, const IntMatrix& a,
            const IntMatrix& b) {
    Scores scores(matmul.rows);
    for (std::size_t i = 0; i < matmul.rows; ++i)
        for (std::size_t j = 0; j < matmul.cols; ++j)
            scores[i].push_back(dot(matmul, a, b, i, j) * requant.mults[j]);
    return scores;
}

/// In each row, the first column whose score is largest.
IntMatrix argmax(const Node& node, const Scores& scores) {
    IntMatrix result{node.rows, 1, {}};
    for (const auto& row : scores)
        result.values.push_back(
            static_cast<std::int8_t>(std::max_element(row.begin(), row.end()) - row.begin()));
    return result;
}

/// The scores of a row in falling order, equal ones by rising column: the first `node.cols`
/// columns.
IntMatrix topk(const Node& node, const std::vector<Wide>& scores) {
    std::vector<std::size_t> order(scores.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t p, std::size_t q) { return scores[p] > scores[q]; });
    IntMatrix result{1, node.cols, {}};
    for (std::uint32_t p = 0; p < node.cols; ++p)
        result.values.push_back(static_cast<std::int8_t>(order[p]));
    return result;
}

/// What a topk chose from one row.
IntMatrix chosen(const IntMatrix& indices, const IntMatrix& row) {
    IntMatrix result = indices;
    for (std::int8_t& v : result.values) v = row.values[static_cast<std::size_t>(v)];
    return result;
}

IntMatrix add(const IntMatrix& left, const IntMatrix& right) {
    IntMatrix result = left;
    for (std::size_t i = 0; i < result.values.size(); ++i)
        result.values[i] = saturate(Wide{left.values[i]} + right.values[i]);
    return result;
}

/// a times b, or each row of a times the one element of b in that row.
IntMatrix times(const Requant& requant, const IntMatrix& a, const IntMatrix& b) {
    IntMatrix result = a;
    for (std::size_t r = 0; r < a.rows; ++r)
        for (std::size_t c = 0; c < a.cols; ++c) {
            const Wide factor = b.values[b.cols == 1 ? r : r * b.cols + c];
            std::int8_t& v = result.values[r * a.cols + c];
            v = saturate(scaled(v * factor, requant));
        }
    return result;
}

/// Negative values have the upper half of the table.
IntMatrix activate(const std::vector<std::int8_t>& table, const IntMatrix& m) {
    IntMatrix result = m;
    for (std::int8_t& v : result.values) v = table[static_cast<std::size_t>(v < 0 ? 256 + v : v)];
    return result;
}

/// Evaluates one node after the other.
class Interpreter {
  public:
    Interpreter(const QuantisedGraph& quantised, const IntInputs& inputs, const Indices& indices)
        : quantised_(quantised), inputs_(inputs), indices_(indices) {}

    std::vector<IntMatrix> run() {
        for (NodeId id = 0; id < quantised_.nodes.size(); ++id) values_.push_back(value(id));
        return std::move(values_);
    }

  private:
    const Node& node(NodeId id) const { return quantised_.graph.nodes[id]; }
    const IntMatrix& operand(const Node& n, std::size_t i = 0) const {
        return values_[n.inputs[i]];
    }

    IntMatrix value(NodeId id) const {
        const Node& n = node(id);
        if (n.op == Op::input) return given(n, inputs_);
        if (n.op == Op::index) return {};
        if (n.op == Op::weight) return quantised_.nodes[id].weights;
        return combined(n, quantised_.nodes[id]);
    }

    IntMatrix combined(const Node& n, const QuantisedNode& q) const {
        switch (n.op) {
            case Op::matmul:
                return multiply(n, q, operand(n), operand(n, 1));
            case Op::add:
                return add(rescale(operand(n), q.operands[0]),
                           rescale(operand(n, 1), q.operands[1]));
            case Op::mul:
                return times(q.requant, operand(n), operand(n, 1));
            case Op::relu:
                return relu(q, operand(n));
            case Op::silu:
            case Op::sigmoid:
            case Op::gelu:
                return activate(q.table, operand(n));
            case Op::softmax:
                return softmax(q, operand(n));
            case Op::argmax:
                return argmax(n, scores(n, q));
            case Op::topk:
                return topk(n, scores(n, q).front());
            case Op::topk_values:
                return chosen(operand(n), values_[node(n.inputs[0]).inputs[0]]);
            case Op::element:
                return {1, 1, {operand(n).values[n.position]}};
            case Op::lookup:
                return looked_up(n);
            case Op::concat_rows:
            case Op::concat_cols:
                return joined(n, q);
            default:
                assert(n.op == Op::output);
                return operand(n);
        }
    }

    /// Of the operand of an argmax or topk.
    Scores scores(const Node& n, const QuantisedNode& q) const {
        if (!q.of_accumulators) return stored_scores(operand(n));
        const Node& matmul = node(n.inputs[0]);
        return sums(matmul, *quantised_.nodes[n.inputs[0]].column_requant, operand(matmul),
                    operand(matmul, 1));
    }

    IntMatrix looked_up(const Node& n) const {
        const IntMatrix& table = operand(n);
        const std::size_t row = row_of(n);
        if (row >= table.rows)
            fail(n, fmt::format("the table has {} rows, the index is {}", table.rows, row));
        const auto begin = table.values.begin() + static_cast<std::ptrdiff_t>(row * table.cols);
        return {n.rows, n.cols, {begin, begin + table.cols}};
    }

    /// The number of the row that a lookup reads.
    std::size_t row_of(const Node& lookup) const {
        const Node& index = node(lookup.inputs[1]);
        if (index.op != Op::index)
            return static_cast<std::size_t>(operand(lookup, 1).values[lookup.position]);
        const auto found = indices_.find(index.name);
        if (found == indices_.end()) fail(index, "no number given for this index");
        return found->second;
    }

    IntMatrix joined(const Node& n, const QuantisedNode& q) const {
        IntMatrix result{n.rows, n.cols, {}};
        for (std::size_t i = 0; i < n.inputs.size(); ++i) {
            const IntMatrix part = rescale(operand(n, i), q.operands[i]);
            result.values.insert(result.values.end(), part.values.begin(), part.values.end());
        }
        return result;
    }

    const QuantisedGraph& quantised_;
    const IntInputs& inputs_;
    const Indices& indices_;
    std::vector<IntMatrix> values_;
};

}  // namespace

std::vector<IntMatrix> evaluate(const QuantisedGraph& quantised, const IntInputs& inputs,
                                const Indices& indices) {
    check_names(quantised.graph, inputs, [](Op op) { return op == Op::input; });
    check_names(quantised.graph, indices, [](Op op) { return op == Op::index; });
    return Interpreter(quantised, inputs, indices).run();
}

}  // namespace capra::compiler
