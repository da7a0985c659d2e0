#include "compiler/node_notes.hpp"

namespace capra::compiler {

std::vector<isa::NodeNote> node_notes(const Graph& graph,
                                      std::span<const QuantisedNode> quantised) {
    std::vector<isa::NodeNote> notes;
    for (NodeId id = 0; id < graph.nodes.size(); ++id) {
        const Node& node = graph.nodes[id];
        notes.push_back({.name = node.name,
                         .op = std::string(op_name(node.op)),
                         .inputs = node.inputs,
                         .rows = node.rows,
                         .cols = node.cols,
                         .scale = quantised[id].scale,
                         .column_scales = quantised[id].column_scales,
                         .factor = node.scale,
                         .transpose_b = node.transpose_b,
                         .position = node.position,
                         .in_place = node.op == Op::relu && quantised[id].fused_relu});
    }
    return notes;
}

}  // namespace capra::compiler
