// The quantised graph: symmetric int8 scales, integer weights, and the multiplier and shift of
// every requantise. It fixes every number of the compiled program; the lowering only decides
// instructions and addresses, and the integer interpreter evaluates it as it stands.
#pragma once

#include "compiler/calibrate.hpp"
#include "compiler/graph.hpp"
#include "compiler/requant.hpp"
#include "compiler/weight_scales.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace capra::compiler {

/// An int8 matrix, row-major.
struct IntMatrix {
    std::uint32_t rows = 0;
    std::uint32_t cols = 0;
    std::vector<std::int8_t> values;  // (rows, cols)

    friend bool operator==(const IntMatrix&, const IntMatrix&) = default;
};

/// round_half_up(value / scale), saturated to -128..127. This is also how a host prepares inputs:
/// with the scale of the input's Symbol.
std::int8_t quantise_value(double value, double scale);
IntMatrix quantise_matrix(const Matrix& matrix, double scale);
/// stored * scale, or the plain index when scale is 0 (an argmax result).
Matrix dequantise_matrix(const IntMatrix& matrix, double scale);

/// What quantisation decided about one node; parallel to `Graph::nodes`.
struct QuantisedNode {
    /// Real value of one step of the stored tensor; 0 for an index and for a weight with one scale
    /// a column. An output and an element have the scale of their operand, a lookup that of its
    /// table, topk_values that of what the topk chose from.
    double scale = 0;
    /// weight: the scale of each column, empty if it has one for all.
    std::vector<double> column_scales;
    /// matmul: accumulators to int8. A relu that is not fused: operand to result. mul: product to
    /// result.
    Requant requant;
    /// matmul by a weight with one scale a column: takes the place of `requant`.
    std::optional<ColumnRequant> column_requant;
    /// argmax, topk: taken of its operand's accumulators, each times its column's multiplier, and
    /// not of the int8 result, in which close ones may be equal.
    bool of_accumulators = false;
    /// matmul: relu is part of the requantise, because its only use is a relu node.
    /// relu: the operand already holds this node's result.
    bool fused_relu = false;
    /// add, concat_rows, concat_cols: how each operand is brought to this node's scale; empty for
    /// an operand that is already stored at it (the right operand of an add, when it is a matmul,
    /// mul or relu used nowhere else; a joined part that is an input or weight used nowhere else).
    std::vector<std::optional<Requant>> operands;
    /// softmax: the scale field of SM.
    std::uint32_t softmax_scale = 0;
    /// weight: the integer values.
    IntMatrix weights;
    /// silu, sigmoid, gelu: the `activation_table`.
    std::vector<std::int8_t> table;
};

struct QuantisedGraph {
    Graph graph;
    std::vector<QuantisedNode> nodes;
};

/// Quantises a graph (as `GraphBuilder` makes them). An Error names the graph and the node that has
/// no calibrated range, whose range or weight is all zero, or whose scale ratio no requantise can
/// express. A column too small for a scale of its own has the scale of its whole weight.
QuantisedGraph quantise(const Graph& graph, const Ranges& ranges,
                        WeightScales scales = WeightScales::per_tensor);

}  // namespace capra::compiler
