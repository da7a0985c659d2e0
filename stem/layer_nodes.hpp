// The graph nodes of each kind of layer. Nodes of layer number 1 are called "l1_...", so that the
// notes of a program tell which layer an instruction belongs to.
//
// Tags: h for the state between layers, which then has one scale everywhere, so that no layer
// rounds it again when it adds to it; l0_k, l0_v, l1_score and l1_gates, one of each a layer, for
// what the host hands over or compares.
#pragma once

#include "compiler/graph.hpp"
#include "stem/stack.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace capra::stem {

using compiler::NodeId;

inline constexpr std::string_view kStateTag = "h";

/// "l1_gates" for layer 1.
std::string layer_name(std::uint32_t layer, std::string_view what);
/// "l1_row0": which row of a table to read, or which of several.
std::string row_name(std::uint32_t layer, std::uint32_t which);

/// The table and its block of a layer that has one: S or R.
const StemBlock& stem_block_of(const Layer& layer);

/// Adds nodes of one layer to a graph.
class LayerNodes {
  public:
    LayerNodes(compiler::GraphBuilder& graph, std::uint32_t layer) : g_(&graph), layer_(layer) {}

    [[nodiscard]] std::string name(std::string_view what) const { return layer_name(layer_, what); }

    /// h + softmax(q K^T / 4) V W_o over `context` positions. Inputs l0_k_cache and l0_v_cache
    /// (context - 1, kHeadWidth) when there are earlier ones; outputs l0_k and l0_v.
    NodeId attention(const Attention& attention, NodeId h, std::uint32_t context);

    struct BlockNodes {
        NodeId wg, wu, wd;
    };
    BlockNodes weights(std::string_view prefix, const Block& block);
    /// The weights of all experts as three tables, one row an expert.
    BlockNodes expert_tables(const Moe& moe);
    /// The weights of the expert that winner number `rank` of `choice` names.
    BlockNodes chosen_weights(const BlockNodes& tables, NodeId choice, std::uint32_t rank);

    /// (silu(h wg) * (h wu)) wd
    NodeId gated_block(std::string_view prefix, const BlockNodes& weights, NodeId h);

    /// The row as the host's indices name it: inputs l1_row0, and l1_row1 and so on where several
    /// are read. `weights`, (1, top), are those of the rows of a product key.
    NodeId row(const TableRows& table, std::optional<NodeId> weights);
    /// Stem(h) with that row.
    NodeId stem(const StemBlock& stem, NodeId h, NodeId row);

    /// What a product key decides: outputs l1_first and l1_second, the best sub-keys, and l1_pairs,
    /// the best pairs of those, pair p being (first[p / top], second[p mod top]). The result is
    /// their weights, (1, top).
    NodeId pair_weights(const ProductKeyRows& table, NodeId h);

    /// The experts of the best router scores, output l1_experts (1, top), and with more than one
    /// the softmax of those scores, (1, top).
    struct RouterNodes {
        NodeId choice;
        std::optional<NodeId> gates;
    };
    RouterNodes router(const Moe& moe, NodeId h);

    /// h w + bias: output l1_score.
    NodeId score(const RoutedLayer& layer, NodeId h);

    /// y + gates[rank] * out; without gates y + out. Part of the state between layers.
    NodeId add_expert(std::string_view prefix, NodeId y, NodeId out, std::optional<NodeId> gates,
                      std::uint32_t rank);
    NodeId add(std::string_view what, NodeId y, NodeId out);

  private:
    NodeId weight(std::string_view what, const Matrix& value);
    NodeId project(std::string_view what, NodeId h, std::string_view weight_name,
                   const Matrix& value);
    NodeId with_cache(std::string_view what, NodeId newest, std::uint32_t context);
    NodeId up(const StemBlock& stem, NodeId h);
    NodeId best_sub_keys(const ProductKeyRows& table, NodeId h, bool second);
    compiler::GraphBuilder* g_;
    std::uint32_t layer_;
};

}  // namespace capra::stem
