#include "model/graphs.hpp"

#include "isa/error.hpp"

#include <cassert>

#include <fmt/core.h>

namespace capra::model {
namespace {

using compiler::Graph;
using compiler::GraphBuilder;
using compiler::NodeId;

struct AttentionNodes {
    NodeId k, v, h;
};

/// The cache and the new row, as one matrix. (context, kWidth)
NodeId with_cache(GraphBuilder& g, const std::string& tag, NodeId newest, std::uint32_t context) {
    std::vector<NodeId> parts;
    if (context > 1) parts.push_back(g.input(tag + "_cache", context - 1, kWidth, tag));
    parts.push_back(newest);
    return g.concat_rows(tag + "_all", std::move(parts), tag);
}

/// h = x + softmax(q K^T / 4) V Wo
AttentionNodes attention(GraphBuilder& g, const LanguageModel& model, std::uint32_t context) {
    const NodeId x = g.input("x", 1, kWidth, "x");
    const NodeId q = g.matmul("q", x, g.weight("wq", model.wq));
    const NodeId k = g.matmul("new_k", x, g.weight("wk", model.wk), 1.0, false, "k");
    const NodeId v = g.matmul("new_v", x, g.weight("wv", model.wv), 1.0, false, "v");
    const NodeId keys = with_cache(g, "k", k, context);
    const NodeId values = with_cache(g, "v", v, context);
    const NodeId scores = g.matmul("scores", q, keys, kAttentionScale, /*transpose_b=*/true);
    const NodeId mixed = g.matmul("mixed", g.softmax("attention", scores), values);
    const NodeId projected = g.matmul("projected", mixed, g.weight("wo", model.wo));
    return {k, v, g.add("hidden_state", x, projected, "h")};
}

/// relu(h W1_e) W2_e
NodeId expert_output(GraphBuilder& g, const LanguageModel& model, NodeId h, std::uint32_t e) {
    const std::string id = std::to_string(e);
    const NodeId w1 = g.weight("w1_" + id, model.w1[e]);
    const NodeId hidden = g.relu("hidden_" + id, g.matmul("pre_" + id, h, w1));
    return g.matmul("expert_" + id, hidden, g.weight("w2_" + id, model.w2[e]));
}

NodeId logits_of(GraphBuilder& g, const LanguageModel& model, NodeId y) {
    return g.matmul("scored", y, g.weight("wout", model.wout));
}

NodeId output_token(GraphBuilder& g, NodeId logits) {
    return g.output("token", g.argmax("best", logits));
}

/// The end of a step: token and logits of y.
Graph predicting(GraphBuilder& g, const LanguageModel& model, NodeId y) {
    const NodeId logits = logits_of(g, model, y);
    output_token(g, logits);
    g.output("logits", logits);
    return g.build();
}

/// "B2", and "B2x3" for three rows.
std::string name_of(std::string name, std::uint32_t rows) {
    return rows == 1 ? name : fmt::format("{}x{}", name, rows);
}

void check_context(std::uint32_t context) {
    if (context == 0) throw Error("model: a program needs a context of at least 1");
}

}  // namespace

Graph attention_router_graph(const LanguageModel& model, std::uint32_t context) {
    check_context(context);
    if (!model.has_router())
        throw Error(fmt::format("model: the {} model has no router", kind_name(model.kind)));
    GraphBuilder g(fmt::format("A{}", context));
    const auto [k, v, h] = attention(g, model, context);
    const NodeId router = g.matmul("scores_of_experts", h, g.weight("wr", model.wr));
    g.output("h", h);
    g.output("route", g.argmax("choice", router));
    g.output("router", router);
    g.output("k", k);
    g.output("v", v);
    return g.build();
}

Graph expert_graph(const LanguageModel& model, std::uint32_t expert, std::uint32_t rows) {
    assert(expert < model.experts);
    GraphBuilder g(name_of(fmt::format("B{}", expert), rows));
    const NodeId h = g.input("h", rows, kWidth, "h");
    const NodeId y = g.add("y", h, expert_output(g, model, h, expert));
    return predicting(g, model, y);
}

Graph first_expert_graph(const LanguageModel& model, std::uint32_t expert) {
    assert(expert < model.experts);
    GraphBuilder g(fmt::format("B{}_first", expert));
    const NodeId h = g.input("h", 1, kWidth, "h");
    g.output("y", g.add("y_first", h, expert_output(g, model, h, expert), "partial"));
    return g.build();
}

Graph second_expert_graph(const LanguageModel& model, std::uint32_t expert) {
    assert(expert < model.experts);
    GraphBuilder g(fmt::format("B{}_second", expert));
    const NodeId h = g.input("h", 1, kWidth, "h");
    const NodeId y = g.input("y", 1, kWidth, "partial");
    return predicting(g, model, g.add("y_both", y, expert_output(g, model, h, expert)));
}

Graph skip_graph(const LanguageModel& model, std::uint32_t rows) {
    GraphBuilder g(name_of("skip", rows));
    return predicting(g, model, g.input("h", rows, kWidth, "h"));
}

Graph dense_graph(const LanguageModel& model, std::uint32_t context) {
    check_context(context);
    GraphBuilder g(fmt::format("D{}", context));
    const auto [k, v, h] = attention(g, model, context);
    NodeId y = h;
    for (std::uint32_t e = 0; e < model.experts; ++e)
        y = g.add("y_" + std::to_string(e), y, expert_output(g, model, h, e));
    output_token(g, logits_of(g, model, y));
    g.output("k", k);
    g.output("v", v);
    return g.build();
}

Graph single_graph(const LanguageModel& model, std::uint32_t context) {
    check_context(context);
    if (model.experts != 1)
        throw Error(
            fmt::format("model: the single decoder runs one feed-forward block, the {} "
                        "model has {} experts",
                        kind_name(model.kind), model.experts));
    GraphBuilder g(fmt::format("S{}", context));
    const auto [k, v, h] = attention(g, model, context);
    const NodeId logits = logits_of(g, model, g.add("y", h, expert_output(g, model, h, 0)));
    output_token(g, logits);
    g.output("logits", logits);
    g.output("k", k);
    g.output("v", v);
    g.output("h", h);
    return g.build();
}

}  // namespace capra::model
