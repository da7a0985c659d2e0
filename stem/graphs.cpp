#include "stem/graphs.hpp"

#include "stem/layer_nodes.hpp"

#include <fmt/format.h>

namespace capra::stem {
namespace {

using compiler::Graph;
using compiler::GraphBuilder;

std::string partial_name(std::uint32_t rank) {
    return fmt::format("y{}", rank);
}

std::string expert_prefix(std::uint32_t expert) {
    return fmt::format("e{}", expert);
}

/// Each member function that returns an optional state returns the state after its layer, or
/// nothing if the segment ends inside it.
class SegmentGraph {
  public:
    using State = std::optional<NodeId>;

    SegmentGraph(const Stack& stack, const StepPlan& plan, const Segment& segment)
        : stack_(stack), plan_(plan), segment_(segment), g_(plan.name(segment)) {}

    Graph build() {
        State state;
        std::uint32_t layer = 0;
        if (segment_.start == 0) {
            state = g_.input("x", 1, kWidth, std::string(kStateTag));
        } else {
            const Cut& cut = plan_.cuts()[segment_.start - 1];
            state = resume(cut);
            layer = cut.layer + 1;
        }
        for (; state && layer < stack_.layers.size(); ++layer) state = enter(layer, *state);
        if (state) predict(*state);
        return g_.build();
    }

  private:
    LayerNodes nodes(std::uint32_t layer) { return {g_, layer}; }

    NodeId state_input(std::uint32_t layer, std::string_view what) {
        return g_.input(layer_name(layer, what), 1, kWidth, std::string(kStateTag));
    }

    /// What a later segment needs; not what this one was given for the same purpose.
    void hand_over(std::uint32_t layer, std::string_view what, NodeId node) {
        const std::string name = layer_name(layer, what);
        if (g_.graph().nodes[node].name != name) g_.output(name, node);
    }

    void predict(NodeId state) {
        const NodeId logits = g_.matmul("scored", state, g_.weight("wout", stack_.wout));
        g_.output("token", g_.argmax("best", logits));
        g_.output("logits", logits);
    }

    State enter(std::uint32_t layer, NodeId h) {
        const Layer& what = stack_.layers[layer];
        LayerNodes n = nodes(layer);
        if (const auto* attention = std::get_if<Attention>(&what))
            return n.attention(*attention, h, segment_.context);
        if (const auto* dense = std::get_if<DenseBlock>(&what))
            return n.add("sum", h, n.gated_block("dense", n.weights("dense", dense->block), h));
        if (const auto* moe = std::get_if<Moe>(&what)) return enter_experts(layer, *moe, h);
        const TableRows& table = *table_of(what);
        if (const auto* keyed = std::get_if<ProductKeyRows>(&table)) {
            hand_over(layer, "h", h);
            g_.output(n.name("pair_weights"), n.pair_weights(*keyed, h));
            return std::nullopt;
        }
        return after_table(layer, h, n.row(table, std::nullopt));
    }

    /// The table's part of S and R, and in R the decisions of its experts.
    State after_table(std::uint32_t layer, NodeId h, NodeId row) {
        LayerNodes n = nodes(layer);
        const NodeId y = n.add("table_sum", h, n.stem(stem_block_of(stack_.layers[layer]), h, row));
        const auto* routed = std::get_if<RoutedLayer>(&stack_.layers[layer]);
        if (routed == nullptr) return y;
        const NodeId admission = g_.sigmoid(n.name("admission"), n.score(*routed, h));
        const auto [choice, gates] = n.router(routed->moe, h);
        hand_over(layer, "h", h);
        hand_over(layer, partial_name(0), y);
        hand_over(layer, "gates",
                  gates ? g_.mul(n.name("admitted_gates"), *gates, admission, n.name("gates"))
                        : admission);
        return std::nullopt;
    }

    State enter_experts(std::uint32_t layer, const Moe& moe, NodeId h) {
        LayerNodes n = nodes(layer);
        NodeId y = h;
        if (moe.shared)
            y = n.add("shared_sum", h,
                      n.gated_block("shared", n.weights("shared", *moe.shared), h));
        if (moe.is_hash()) return expert(layer, moe, segment_.hashed[hashed_++], h, y);
        const auto [choice, gates] = n.router(moe, h);
        if (plan_.dispatch() == Dispatch::on_chip)
            return chosen_experts(layer, moe, choice, gates, h, y);
        if (gates) hand_over(layer, "gates", *gates);
        hand_over(layer, "h", h);
        if (moe.shared) hand_over(layer, partial_name(0), y);
        return std::nullopt;
    }

    NodeId expert(std::uint32_t layer, const Moe& moe, std::uint32_t e, NodeId h, NodeId y,
                  State gates = {}, std::uint32_t rank = 0) {
        LayerNodes n = nodes(layer);
        const std::string prefix = expert_prefix(e);
        const NodeId out = n.gated_block(prefix, n.weights(prefix, moe.experts[e]), h);
        return n.add_expert(prefix, y, out, gates, rank);
    }

    NodeId chosen_experts(std::uint32_t layer, const Moe& moe, NodeId choice, State gates, NodeId h,
                          NodeId y) {
        LayerNodes n = nodes(layer);
        const auto tables = n.expert_tables(moe);
        for (std::uint32_t rank = 0; rank < moe.top; ++rank) {
            const std::string prefix = fmt::format("rank{}", rank);
            const NodeId out = n.gated_block(prefix, n.chosen_weights(tables, choice, rank), h);
            y = n.add_expert(prefix, y, out, gates, rank);
        }
        return y;
    }

    State resume(const Cut& cut) {
        const Layer& layer = stack_.layers[cut.layer];
        if (cut.kind == Cut::Kind::rows) return resume_table(cut.layer);
        if (segment_.choice == kSkip) return state_input(cut.layer, partial_name(0));
        return resume_expert(cut, *moe_of(layer), std::holds_alternative<RoutedLayer>(layer));
    }

    State resume_table(std::uint32_t layer) {
        const TableRows& table = *table_of(stack_.layers[layer]);
        const std::string weights = layer_name(layer, "pair_weights");
        const NodeId h = state_input(layer, "h");
        return after_table(
            layer, h,
            nodes(layer).row(table,
                             g_.input(weights, 1, std::get<ProductKeyRows>(table).top, weights)));
    }

    State resume_expert(const Cut& cut, const Moe& moe, bool routed) {
        const NodeId h = state_input(cut.layer, "h");
        const bool begun = routed || moe.shared || cut.rank > 0;
        const NodeId y = begun ? state_input(cut.layer, partial_name(cut.rank)) : h;
        const std::string gates_name = layer_name(cut.layer, "gates");
        State gates;
        if (routed || moe.top > 1) gates = g_.input(gates_name, 1, moe.top, gates_name);
        const NodeId sum = expert(cut.layer, moe, segment_.choice, h, y, gates, cut.rank);
        if (cut.rank + 1 == moe.top) return sum;
        hand_over(cut.layer, partial_name(cut.rank + 1), sum);
        return std::nullopt;
    }

    const Stack& stack_;
    const StepPlan& plan_;
    const Segment& segment_;
    GraphBuilder g_;
    std::size_t hashed_ = 0;  ///< Hash layers built so far
};

}  // namespace

Graph segment_graph(const Stack& stack, const StepPlan& plan, const Segment& segment) {
    return SegmentGraph(stack, plan, segment).build();
}

}  // namespace capra::stem
