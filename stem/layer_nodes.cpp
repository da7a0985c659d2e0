#include "stem/layer_nodes.hpp"

#include <vector>

#include <fmt/format.h>

namespace capra::stem {
namespace {

/// Columns [first, first + count) of a matrix.
Matrix columns(const Matrix& matrix, std::uint32_t first, std::uint32_t count) {
    Matrix part{matrix.rows, count, {}};
    for (std::uint32_t r = 0; r < matrix.rows; ++r)
        for (std::uint32_t c = 0; c < count; ++c) part.values.push_back(matrix.at(r, first + c));
    return part;
}

/// One matrix of every expert, each as one row. (experts, elements)
Matrix stacked(const Moe& moe, Matrix Block::*member) {
    const Matrix& first = moe.experts.front().*member;
    Matrix table{static_cast<std::uint32_t>(moe.experts.size()), first.rows * first.cols, {}};
    for (const Block& expert : moe.experts) {
        const Matrix& matrix = expert.*member;
        table.values.insert(table.values.end(), matrix.values.begin(), matrix.values.end());
    }
    return table;
}

/// Gives each of top * top pairs its part of the sum: 1 where pair p has element i, which is
/// p / top of the first set and p mod top of the second. (top, top * top)
Matrix selection(std::uint32_t top, bool second) {
    Matrix ones{top, top * top, std::vector<double>(std::size_t{top} * top * top)};
    for (std::uint32_t p = 0; p < top * top; ++p) ones.at(second ? p % top : p / top, p) = 1;
    return ones;
}

}  // namespace

std::string layer_name(std::uint32_t layer, std::string_view what) {
    return fmt::format("l{}_{}", layer, what);
}

std::string row_name(std::uint32_t layer, std::uint32_t which) {
    return fmt::format("l{}_row{}", layer, which);
}

const StemBlock& stem_block_of(const Layer& layer) {
    if (const auto* routed = std::get_if<RoutedLayer>(&layer)) return routed->table;
    return std::get<StemBlock>(layer);
}

NodeId LayerNodes::weight(std::string_view what, const Matrix& value) {
    return g_->weight(name(what), value);
}

NodeId LayerNodes::project(std::string_view what, NodeId h, std::string_view weight_name,
                           const Matrix& value) {
    return g_->matmul(name(what), h, weight(weight_name, value));
}

NodeId LayerNodes::add(std::string_view what, NodeId y, NodeId out) {
    return g_->add(name(what), y, out, std::string(kStateTag));
}

/// The cache and the new row, as one matrix. (context, kHeadWidth)
NodeId LayerNodes::with_cache(std::string_view what, NodeId newest, std::uint32_t context) {
    const std::string tag = name(what);
    std::vector<NodeId> parts;
    if (context > 1) parts.push_back(g_->input(tag + "_cache", context - 1, kHeadWidth, tag));
    parts.push_back(newest);
    return g_->concat_rows(tag + "_all", std::move(parts), tag);
}

NodeId LayerNodes::attention(const Attention& attention, NodeId h, std::uint32_t context) {
    const NodeId q = project("q", h, "wq", attention.wq);
    const NodeId k =
        g_->matmul(name("new_k"), h, weight("wk", attention.wk), 1.0, false, name("k"));
    const NodeId v =
        g_->matmul(name("new_v"), h, weight("wv", attention.wv), 1.0, false, name("v"));
    const NodeId keys = with_cache("k", k, context);
    const NodeId values = with_cache("v", v, context);
    const NodeId scores =
        g_->matmul(name("scores"), q, keys, kAttentionScale, /*transpose_b=*/true);
    const NodeId mixed = g_->matmul(name("mixed"), g_->softmax(name("attention"), scores), values);
    g_->output(name("k"), k);
    g_->output(name("v"), v);
    return add("sum", h, project("projected", mixed, "wo", attention.wo));
}

LayerNodes::BlockNodes LayerNodes::weights(std::string_view prefix, const Block& block) {
    return {weight(fmt::format("{}_wg", prefix), block.wg),
            weight(fmt::format("{}_wu", prefix), block.wu),
            weight(fmt::format("{}_wd", prefix), block.wd)};
}

LayerNodes::BlockNodes LayerNodes::expert_tables(const Moe& moe) {
    return {weight("experts_wg", stacked(moe, &Block::wg)),
            weight("experts_wu", stacked(moe, &Block::wu)),
            weight("experts_wd", stacked(moe, &Block::wd))};
}

LayerNodes::BlockNodes LayerNodes::chosen_weights(const BlockNodes& tables, NodeId choice,
                                                  std::uint32_t rank) {
    const auto chosen = [&](std::string_view what, NodeId table, std::uint32_t rows) {
        return g_->lookup(name(fmt::format("rank{}_{}", rank, what)), table, choice, rows, 0, rank);
    };
    return {chosen("wg", tables.wg, kWidth), chosen("wu", tables.wu, kWidth),
            chosen("wd", tables.wd, kHidden)};
}

NodeId LayerNodes::gated_block(std::string_view prefix, const BlockNodes& weights, NodeId h) {
    const auto part = [&](std::string_view what) {
        return name(fmt::format("{}_{}", prefix, what));
    };
    const NodeId gate = g_->silu(part("gate"), g_->matmul(part("pre"), h, weights.wg));
    const NodeId up = g_->matmul(part("up"), h, weights.wu);
    return g_->matmul(part("out"), g_->mul(part("hidden"), gate, up), weights.wd);
}

NodeId LayerNodes::row(const TableRows& table, std::optional<NodeId> weights) {
    const auto read = [&](NodeId from, std::uint32_t which) {
        return g_->lookup(name(fmt::format("read{}", which)), from,
                          g_->index(row_name(layer_, which)));
    };
    if (const auto* token = std::get_if<TokenRows>(&table))
        return read(weight("table", token->rows), 0);
    if (const auto* bigram = std::get_if<BigramRows>(&table))
        return read(weight("table", bigram->rows), 0);
    if (const auto* both = std::get_if<TokenAndBigramRows>(&table)) {
        const NodeId first = read(weight("table", both->token_rows), 0);
        return g_->concat_cols(name("row"),
                               {first, read(weight("bigram_table", both->bigram_rows), 1)});
    }
    const auto& keyed = std::get<ProductKeyRows>(table);
    const NodeId rows = weight("table", keyed.rows);
    std::vector<NodeId> best;
    for (std::uint32_t which = 0; which < keyed.top; ++which) best.push_back(read(rows, which));
    return g_->matmul(name("row"), weights.value(), g_->concat_rows(name("rows"), best));
}

/// h W_u, where the block keeps it.
NodeId LayerNodes::up(const StemBlock& stem, NodeId h) {
    return project("up", h, "wu", stem.block.wu);
}

NodeId LayerNodes::stem(const StemBlock& stem, NodeId h, NodeId row) {
    const bool is_gate = stem.combine == Combine::gate;
    const NodeId gate =
        g_->silu(name("gate"), is_gate ? row : project("pre", h, "wg", stem.block.wg));
    NodeId hidden = gate;
    switch (stem.combine) {
        case Combine::multiplicative:
            hidden = g_->mul(name("hidden"), gate, row);
            break;
        case Combine::additive:
            return g_->add(name("combined"), row, project("out", gate, "wd", stem.block.wd));
        case Combine::dagger:
            hidden = g_->mul(name("hidden"), gate, g_->add(name("row_and_up"), row, up(stem, h)));
            break;
        case Combine::gate:
            hidden = g_->mul(name("hidden"), gate, up(stem, h));
            break;
    }
    return project("out", hidden, "wd", stem.block.wd);
}

/// The best of one set of sub-keys by its half of the query, a topk.
NodeId LayerNodes::best_sub_keys(const ProductKeyRows& table, NodeId h, bool second) {
    const std::uint32_t half = table.query.cols / 2;
    const auto part = [&](std::string_view what) { return fmt::format("{}_{}", what, second + 1); };
    const NodeId query =
        project(part("query"), h, part("wq"), columns(table.query, second ? half : 0, half));
    const NodeId scores =
        project(part("scores"), query, part("keys"), second ? table.keys_2 : table.keys_1);
    return g_->topk(name(part("best")), scores, table.top);
}

NodeId LayerNodes::pair_weights(const ProductKeyRows& table, NodeId h) {
    const NodeId first = best_sub_keys(table, h, false);
    const NodeId second = best_sub_keys(table, h, true);
    const NodeId left = project("sums_1", g_->topk_values(name("values_1"), first), "select_1",
                                selection(table.top, false));
    const NodeId right = project("sums_2", g_->topk_values(name("values_2"), second), "select_2",
                                 selection(table.top, true));
    const NodeId pairs =
        g_->topk(name("best_pairs"), g_->add(name("pair_sums"), left, right), table.top);
    g_->output(name("first"), first);
    g_->output(name("second"), second);
    g_->output(name("pairs"), pairs);
    return g_->softmax(name("pair_softmax"), g_->topk_values(name("pair_values"), pairs));
}

LayerNodes::RouterNodes LayerNodes::router(const Moe& moe, NodeId h) {
    const NodeId scores = project("router", h, "wr", moe.wr);
    if (moe.top == 1) {
        const NodeId choice = g_->argmax(name("choice"), scores);
        g_->output(name("experts"), choice);
        return {choice, std::nullopt};
    }
    const NodeId choice = g_->topk(name("choice"), scores, moe.top);
    g_->output(name("experts"), choice);
    return {choice, g_->softmax(name("softmax"), g_->topk_values(name("best_scores"), choice))};
}

NodeId LayerNodes::score(const RoutedLayer& layer, NodeId h) {
    const NodeId w = weight("score_w", layer.score);
    const std::string tag = name("score");
    // Without a bias there is nothing to add, and no scale for it.
    const NodeId score = layer.bias == 0
                             ? g_->matmul(name("scored"), h, w, 1.0, false, tag)
                             : g_->add(name("scored"), weight("score_bias", {1, 1, {layer.bias}}),
                                       g_->matmul(name("unbiased"), h, w), tag);
    g_->output(tag, score);
    return score;
}

NodeId LayerNodes::add_expert(std::string_view prefix, NodeId y, NodeId out,
                              std::optional<NodeId> gates, std::uint32_t rank) {
    const auto part = [&](std::string_view what) { return fmt::format("{}_{}", prefix, what); };
    if (!gates) return add(part("sum"), y, out);
    const NodeId gate = g_->element(name(part("weight")), *gates, rank);
    return add(part("sum"), y, g_->mul(name(part("weighted")), out, gate));
}

}  // namespace capra::stem
