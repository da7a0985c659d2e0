// How far the integer interpreter may be from float, derived node by node.
#pragma once

#include "compiler/graph.hpp"
#include "compiler/quantise.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

namespace capra::compiler_testing {

using compiler::Matrix;
using compiler::Node;
using compiler::NodeId;
using compiler::Op;
using compiler::QuantisedGraph;

/// How far each stored value may be from float, given that the sample was calibrated on. Rounding
/// moves a value by half a step; saturation and relu never move it away from a float value that
/// is in range.
class ErrorBound {
  public:
    ErrorBound(const QuantisedGraph& quantised, const std::vector<Matrix>& exact)
        : q_(quantised), exact_(exact) {
        for (NodeId id = 0; id < exact.size(); ++id) bounds_.push_back(bound(id));
    }
    const Matrix& operator[](NodeId id) const { return bounds_[id]; }

  private:
    const Node& node(NodeId id) const { return q_.graph.nodes[id]; }

    // Multipliers are exact to 2^-31, those of columns see `product`; 1e-6 steps also cover the
    // float evaluation's own rounding.
    double half_step(NodeId id) const { return 0.5000001 * q_.nodes[id].scale; }

    Matrix bound(NodeId id) const {
        const Node& n = node(id);
        Matrix result = exact_[id];
        switch (n.op) {
            case Op::weight:
                for (std::size_t i = 0; i < result.values.size(); ++i)
                    result.values[i] = 0.5000001 * weight_scale(id, i % n.cols);
                return result;
            case Op::input:
                std::fill(result.values.begin(), result.values.end(), half_step(id));
                return result;
            case Op::matmul:
                return product(id);
            case Op::softmax:
                return probabilities(id);
            case Op::argmax:
                return result;
            case Op::output:
                return bounds_[n.inputs[0]];
            case Op::relu:
                if (q_.nodes[id].fused_relu) return bounds_[n.inputs[0]];
                return plus(bounds_[n.inputs[0]], half_step(id));
            case Op::add:
                return sum(id);
            case Op::concat_rows:
            case Op::concat_cols:
                result.values.clear();
                for (std::size_t i = 0; i < n.inputs.size(); ++i) {
                    const Matrix part = brought(id, i);
                    result.values.insert(result.values.end(), part.values.begin(),
                                         part.values.end());
                }
                return result;
            default:
                return bound_of_more(id);
        }
    }

    /// Operations with tables and choices, and activations, none of which is steeper than 1.13.
    Matrix bound_of_more(NodeId id) const {
        const Node& n = node(id);
        Matrix result = exact_[id];
        switch (n.op) {
            case Op::mul:
                return element_products(id);
            case Op::silu:
            case Op::sigmoid:
            case Op::gelu:
                result = bounds_[n.inputs[0]];
                for (double& v : result.values) v *= 1.13;
                return plus(result, half_step(id));
            case Op::topk_values: {
                // Each order statistic moves no more than the element that moves most.
                const Matrix& row = bounds_[node(n.inputs[0]).inputs[0]];
                const double most = *std::max_element(row.values.begin(), row.values.end());
                std::fill(result.values.begin(), result.values.end(), most);
                return result;
            }
            case Op::element:
                return {1, 1, {bounds_[n.inputs[0]].values[n.position]}};
            case Op::lookup:
                return row_of_table(id);
            default:
                return result;  // an index
        }
    }

    /// Half a step, if the host gave the index; the chip may have chosen another row.
    Matrix row_of_table(NodeId id) const {
        const Node& n = node(id);
        Matrix result = exact_[id];
        double most = 0;
        if (node(n.inputs[1]).op != Op::index)
            for (double v : exact_[n.inputs[0]].values) most = std::max(most, 2 * std::fabs(v));
        std::fill(result.values.begin(), result.values.end(), most + half_step(id));
        return result;
    }

    Matrix element_products(NodeId id) const {
        const Node& n = node(id);
        const Matrix& a = exact_[n.inputs[0]];
        const Matrix& b = exact_[n.inputs[1]];
        Matrix result = exact_[id];
        for (std::uint32_t i = 0; i < n.rows; ++i)
            for (std::uint32_t j = 0; j < n.cols; ++j) {
                const std::uint32_t k = b.cols == 1 ? 0 : j;
                const double da = bounds_[n.inputs[0]].at(i, j);
                const double db = bounds_[n.inputs[1]].at(i, k);
                const double off =
                    std::fabs(a.at(i, j)) * db + std::fabs(b.at(i, k)) * da + da * db;
                result.at(i, j) = off * 1.0000001 + half_step(id);
            }
        return result;
    }

    static Matrix plus(Matrix m, double more) {
        for (double& v : m.values) v += more;
        return m;
    }

    Matrix sum(NodeId id) const {
        Matrix result = brought(id, 0);
        const Matrix right = brought(id, 1);
        for (std::size_t i = 0; i < right.values.size(); ++i) result.values[i] += right.values[i];
        return result;
    }

    Matrix brought(NodeId id, std::size_t i) const {
        const Matrix& own = bounds_[node(id).inputs[i]];
        return q_.nodes[id].operands[i] ? plus(own, half_step(id)) : own;
    }

    double weight_scale(NodeId id, std::size_t column) const {
        const auto& scales = q_.nodes[id].column_scales;
        return scales.empty() ? q_.nodes[id].scale : scales[column];
    }

    /// What the multiplier of column j may be off, relative to itself: 2^-16 of the largest one.
    double multiplier_error(NodeId id, std::uint32_t j) const {
        if (!q_.nodes[id].column_requant) return 0;
        const auto& scales = q_.nodes[node(id).inputs[1]].column_scales;
        return std::ldexp(*std::max_element(scales.begin(), scales.end()) / scales[j], -16);
    }

    // |(a + da)(b + db) - ab| <= |a| db + |b| da + da db
    Matrix product(NodeId id) const {
        const Node& n = node(id);
        const Matrix& a = exact_[n.inputs[0]];
        const Matrix& b = exact_[n.inputs[1]];
        const Matrix& da = bounds_[n.inputs[0]];
        const Matrix& db = bounds_[n.inputs[1]];
        Matrix result = exact_[id];
        for (std::uint32_t i = 0; i < n.rows; ++i)
            for (std::uint32_t j = 0; j < n.cols; ++j) {
                double sum = 0;
                double product = 0;
                for (std::uint32_t t = 0; t < a.cols; ++t) {
                    const auto r = n.transpose_b ? j : t;
                    const auto c = n.transpose_b ? t : j;
                    sum += std::fabs(a.at(i, t)) * db.at(r, c) +
                           std::fabs(b.at(r, c)) * da.at(i, t) + da.at(i, t) * db.at(r, c);
                    product += std::fabs(a.at(i, t) * b.at(r, c));
                }
                sum += (product + sum) * multiplier_error(id, j);
                result.at(i, j) = sum * n.scale * 1.0000001 + half_step(id);
            }
        return result;
    }

    // Exponents off by `e` change a probability p by at most p (exp(2 e) - 1). The exponent is
    // off by the operand's error, half of 1/256 from its rounding, and 2^-21 a step from the
    // scale field's. The table and shifts round to 2^-15 each, the division to 2^-16, the result
    // to half of 1/127.
    Matrix probabilities(NodeId id) const {
        const Matrix& operand = bounds_[node(id).inputs[0]];
        Matrix result = exact_[id];
        for (std::uint32_t r = 0; r < result.rows; ++r) {
            double e = 0;
            for (std::uint32_t c = 0; c < result.cols; ++c) e = std::max(e, operand.at(r, c));
            e += std::numbers::ln2 * (1.0 / 512 + 255 * std::ldexp(1, -21));
            for (std::uint32_t c = 0; c < result.cols; ++c)
                result.at(r, c) = std::min(1.0, result.at(r, c) * (std::exp(2 * e) - 1) +
                                                    (result.cols + 1) * std::ldexp(1, -15) +
                                                    std::ldexp(1, -15) + half_step(id));
        }
        return result;
    }

    const QuantisedGraph& q_;
    const std::vector<Matrix>& exact_;
    std::vector<Matrix> bounds_;
};

}  // namespace capra::compiler_testing
