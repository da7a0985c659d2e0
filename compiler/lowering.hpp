// One run of the lowering: what `lower` keeps between nodes. Its methods are defined by the kind of
// node, in lower.cpp, lower_matmul.cpp and lower_elements.cpp; lower.hpp states the rules.
#pragma once

#include "compiler/external_layout.hpp"
#include "compiler/quantise.hpp"
#include "compiler/steps.hpp"
#include "isa/program.hpp"
#include "isa/target.hpp"

#include <cstdint>
#include <vector>

namespace capra::compiler {

/// Elements of a node's value.
inline std::uint32_t size_of(const Node& node) {
    return node.rows * node.cols;
}

class Lowering {
  public:
    /// Both must outlive this.
    Lowering(const QuantisedGraph& quantised, const isa::Target& target);

    isa::Program run();

  private:
    [[nodiscard]] const Node& node(NodeId id) const { return graph_.nodes[id]; }

    Place& new_place(NodeId id);
    /// The operand's place; an input, a weight or the row of a table is loaded at its first use.
    Place operand(NodeId id);
    void emit_load(NodeId id, const Place& to);
    void emit_lookup(NodeId id, const Place& to);
    void emit_rescale(NodeId id, const Place& from, const Place& to, std::uint32_t n,
                      const Requant& requant, bool relu = false);

    void lower_node(NodeId id);
    void lower_matmul(NodeId id);
    void finish_matmul(NodeId id);
    /// By its column table. The accumulators do not outlive the next matmul, so that an argmax
    /// or topk of them is taken here; the int8 result is made only for other uses.
    void finish_by_column(NodeId id);
    void lower_add(NodeId id);
    void lower_mul(NodeId id);
    void lower_relu(NodeId id);
    void lower_activation(NodeId id);
    /// softmax and argmax: one instruction a row, from `from` or, if that is no buffer, from the
    /// accumulators.
    void lower_rows(NodeId id, isa::Opcode op, const Place& from, BufferId table = kNoBuffer);
    /// As `lower_rows`; `shift` is that of the table.
    void lower_topk(NodeId id, isa::Opcode op, const Place& from, BufferId table = kNoBuffer,
                    std::uint32_t shift = 0);
    void lower_concat(NodeId id);
    void lower_output(NodeId id);

    const Graph& graph_;
    const std::vector<QuantisedNode>& quantised_;
    const isa::Target& target_;
    std::vector<std::uint32_t> uses_;
    isa::Program program_;
    ExternalLayout layout_;
    Steps steps_;
    std::vector<Place> places_;             ///< by node, once computed or loaded
    std::vector<std::uint32_t> addresses_;  ///< external address, by node that has one
};

}  // namespace capra::compiler
