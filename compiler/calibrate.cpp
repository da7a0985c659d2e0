#include "compiler/calibrate.hpp"

#include "compiler/node_error.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace capra::compiler {

namespace {

double largest_magnitude(const Node& node, const Matrix& matrix) {
    double largest = 0;
    for (double v : matrix.values) {
        if (!std::isfinite(v)) fail(node, fmt::format("calibration gives {}", v));
        largest = std::max(largest, std::fabs(v));
    }
    return largest;
}

}  // namespace

bool has_range(Op op) {
    switch (op) {
        case Op::index:
        case Op::weight:
        case Op::sigmoid:
        case Op::softmax:
        case Op::argmax:
        case Op::topk:
        case Op::topk_values:
        case Op::element:
        case Op::lookup:
        case Op::output:
            return false;
        default:
            return true;
    }
}

const std::string& range_key(const Node& node) {
    return node.tag.empty() ? node.name : node.tag;
}

void Ranges::widen(const std::string& key, double magnitude) {
    assert(std::isfinite(magnitude) && magnitude >= 0);
    double& range = max_.try_emplace(key, magnitude).first->second;
    range = std::max(range, magnitude);
}

std::optional<double> Ranges::find(const std::string& key) const {
    const auto found = max_.find(key);
    if (found == max_.end()) return std::nullopt;
    return found->second;
}

void observe(Ranges& ranges, const Graph& graph, const Inputs& inputs) {
    const auto values = evaluate(graph, inputs);
    std::vector<double> largest;
    largest.reserve(values.size());
    for (const Node& node : graph.nodes) {
        double range = largest_magnitude(node, values[largest.size()]);
        largest.push_back(range);
        if (!has_range(node.op)) continue;
        if (node.op == Op::add)
            for (NodeId operand : node.inputs) range = std::max(range, largest[operand]);
        ranges.widen(range_key(node), range);
    }
}

Ranges calibrate(const Graph& graph, std::span<const Inputs> samples) {
    Ranges ranges;
    for (const Inputs& sample : samples) observe(ranges, graph, sample);
    return ranges;
}

}  // namespace capra::compiler
