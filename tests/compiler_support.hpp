// Graphs the compiler tests share: the chapter's four programs by their shapes, with random
// weights.
#pragma once

#include "compiler/calibrate.hpp"
#include "compiler/graph.hpp"
#include "compiler/integer_interpreter.hpp"
#include "isa/codec.hpp"
#include "isa/program.hpp"
#include "isa/target.hpp"

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace capra::compiler_testing {

inline compiler::Matrix random_matrix(std::mt19937& random, std::uint32_t rows,
                                      std::uint32_t cols) {
    std::normal_distribution<double> normal;
    compiler::Matrix m{rows, cols, std::vector<double>(std::size_t{rows} * cols)};
    for (double& v : m.values) v = normal(random);
    return m;
}

/// A value for every input of the graph, and for every index a row of the tables it looks up.
inline compiler::Inputs random_inputs(std::mt19937& random, const compiler::Graph& graph) {
    compiler::Inputs inputs;
    for (compiler::NodeId id = 0; id < graph.nodes.size(); ++id) {
        const auto& node = graph.nodes[id];
        if (node.op == compiler::Op::input)
            inputs.emplace(node.name, random_matrix(random, node.rows, node.cols));
        if (node.op == compiler::Op::index)
            inputs.emplace(node.name,
                           compiler::Matrix{1, 1, {double(random() % index_end(graph, id))}});
    }
    return inputs;
}

/// The indices among the inputs.
inline compiler::Indices indices_of(const compiler::Graph& graph, const compiler::Inputs& inputs) {
    compiler::Indices result;
    for (const auto& node : graph.nodes)
        if (node.op == compiler::Op::index)
            result.emplace(node.name, static_cast<std::uint32_t>(inputs.at(node.name).values[0]));
    return result;
}

/// The inputs with the scales of their nodes.
inline compiler::IntInputs quantise_inputs(const compiler::QuantisedGraph& quantised,
                                           const compiler::Inputs& inputs) {
    compiler::IntInputs result;
    for (compiler::NodeId id = 0; id < quantised.nodes.size(); ++id) {
        const auto& node = quantised.graph.nodes[id];
        if (node.op == compiler::Op::input)
            result.emplace(node.name,
                           quantise_matrix(inputs.at(node.name), quantised.nodes[id].scale));
    }
    return result;
}

/// Builds the chapter's graphs: width and vocabulary 16, hidden width 32, 4 experts.
class ChapterGraph {
  public:
    using NodeId = compiler::NodeId;

    explicit ChapterGraph(const std::string& name) : b_(name) {}

    /// h = x + Attention(x) at context T; stores k and v.
    NodeId attention(std::uint32_t context) {
        const NodeId x = b_.input("x", 1, 16, "x");
        const NodeId q = b_.matmul("q", x, weight("wq", 16, 16));
        const NodeId k = b_.matmul("k_new", x, weight("wk", 16, 16), 1, false, "k");
        const NodeId v = b_.matmul("v_new", x, weight("wv", 16, 16), 1, false, "v");
        const NodeId keys = cache("k", k, context);
        const NodeId values = cache("v", v, context);
        const NodeId p = b_.softmax("p", b_.matmul("scores", q, keys, 0.25, true));
        const NodeId mixed = b_.matmul("mixed", p, values);
        const NodeId h = b_.add("h_sum", x, b_.matmul("wo_out", mixed, weight("wo", 16, 16)), "h");
        k_ = k;
        v_ = v;
        return h;
    }

    void router(NodeId h) {
        const NodeId r = b_.matmul("r", h, weight("wr", 16, 4));
        b_.output("route", b_.argmax("best", r));
        b_.output("router", r);
    }

    NodeId feed_forward(NodeId h, const std::string& e) {
        const NodeId up = b_.matmul("up" + e, h, weight("w1" + e, 16, 32));
        return b_.matmul("down" + e, b_.relu("hidden" + e, up), weight("w2" + e, 32, 16));
    }

    void head(NodeId y, bool with_logits) {
        const NodeId logits = b_.matmul("scores_out", y, weight("wout", 16, 16));
        b_.output("token", b_.argmax("next", logits));
        if (with_logits) b_.output("logits", logits);
    }

    void store_cache() {
        b_.output("k", k_);
        b_.output("v", v_);
    }

    compiler::GraphBuilder& builder() { return b_; }
    compiler::Graph build() { return b_.build(); }

  private:
    NodeId weight(const std::string& name, std::uint32_t rows, std::uint32_t cols) {
        return b_.weight(name, random_matrix(random_, rows, cols));
    }

    NodeId cache(const std::string& name, NodeId fresh, std::uint32_t context) {
        std::vector<NodeId> parts;
        if (context > 1) parts.push_back(b_.input(name + "_cache", context - 1, 16, name));
        parts.push_back(fresh);
        return b_.concat_rows(name + "_all", parts, name);
    }

    compiler::GraphBuilder b_;
    std::mt19937 random_{7};
    NodeId k_ = 0;
    NodeId v_ = 0;
};

/// Attention and router at a context: A(T).
inline compiler::Graph attention_router(std::uint32_t context) {
    ChapterGraph g("A");
    const auto h = g.attention(context);
    g.router(h);
    g.builder().output("h", h);
    g.store_cache();
    return g.build();
}

/// One expert on a number of rows: B_e.
inline compiler::Graph expert(std::uint32_t rows) {
    ChapterGraph g("B");
    const auto h = g.builder().input("h", rows, 16, "h");
    g.head(g.builder().add("y", h, g.feed_forward(h, "")), true);
    return g.build();
}

/// One feed-forward block, all in one program.
inline compiler::Graph single_block(std::uint32_t context) {
    ChapterGraph g("single");
    const auto h = g.attention(context);
    g.head(g.builder().add("y", h, g.feed_forward(h, "")), true);
    g.store_cache();
    g.builder().output("h", h);
    return g.build();
}

/// Every expert evaluated, results added one after the other.
inline compiler::Graph dense(std::uint32_t context) {
    ChapterGraph g("dense");
    auto y = g.attention(context);
    const auto h = y;
    for (const std::string e : {"0", "1", "2", "3"})
        y = g.builder().add("y" + e, y, g.feed_forward(h, e));
    g.head(y, false);
    g.store_cache();
    return g.build();
}

/// Ranges from a few random samples, always the same ones.
inline compiler::Ranges some_ranges(const compiler::Graph& graph) {
    std::mt19937 random(3);
    compiler::Ranges ranges;
    for (int i = 0; i < 4; ++i) observe(ranges, graph, random_inputs(random, graph));
    return ranges;
}

}  // namespace capra::compiler_testing
