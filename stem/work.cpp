#include "stem/work.hpp"

#include "isa/codec.hpp"
#include "isa/error.hpp"
#include "stem/layer_nodes.hpp"
#include "stem/step_plan.hpp"

#include <array>
#include <string_view>

#include <fmt/format.h>

namespace capra::stem {
namespace {

using model::LedgerSizes;

/// Nodes of a layer that no ledger counts, by what follows the layer's prefix.
constexpr std::array<std::string_view, 5> kNotCounted = {"sums_1", "sums_2", "select_1", "select_2",
                                                         "score_bias"};

bool belongs_to(const std::string& node, std::uint32_t layer) {
    const std::string prefix = layer_name(layer, "");
    if (!node.starts_with(prefix)) return false;
    const auto rest = std::string_view(node).substr(prefix.size());
    for (const auto left_out : kNotCounted)
        if (rest == left_out) return false;
    return true;
}

/// The work of one instruction; `op` is its node's. What LD loads besides weights are inputs, and
/// tables for activation functions and column scales.
Work work_of(const isa::Instruction& insn, std::string_view op) {
    switch (insn.op) {
        case isa::Opcode::mm:
            return {.macs = std::uint64_t{insn.m} * insn.k * insn.n};
        case isa::Opcode::ld:
            return {.weights_read = op == "weight" ? insn.n : 0};
        case isa::Opcode::ldx:
        case isa::Opcode::ldxw:
            return {.weights_read = insn.n};
        default:
            return {};
    }
}

std::uint64_t words(const Matrix& matrix) {
    return matrix.values.size();
}

std::uint64_t words(const Block& block) {
    return words(block.wg) + words(block.wu) + words(block.wd);
}

std::uint64_t words(const TableRows& table) {
    if (const auto* token = std::get_if<TokenRows>(&table)) return words(token->rows);
    if (const auto* bigram = std::get_if<BigramRows>(&table)) return words(bigram->rows);
    if (const auto* both = std::get_if<TokenAndBigramRows>(&table))
        return words(both->token_rows) + words(both->bigram_rows);
    const auto& keyed = std::get<ProductKeyRows>(table);
    return words(keyed.query) + words(keyed.keys_1) + words(keyed.keys_2) + words(keyed.rows);
}

std::uint64_t words(const Layer& layer) {
    std::uint64_t sum = 0;
    if (const auto* a = std::get_if<Attention>(&layer))
        sum += words(a->wq) + words(a->wk) + words(a->wv) + words(a->wo);
    if (const auto* dense = std::get_if<DenseBlock>(&layer)) sum += words(dense->block);
    if (const auto* table = table_of(layer))
        sum += words(stem_block_of(layer).block) + words(*table);
    if (const auto* routed = std::get_if<RoutedLayer>(&layer)) sum += words(routed->score);
    if (const auto* moe = moe_of(layer)) {
        for (const Block& expert : moe->experts) sum += words(expert);
        sum += words(moe->wr) + (moe->shared ? words(*moe->shared) : 0);
    }
    return sum;
}

/// The words of all rows that a token is given, and of the tables they stand in.
void set_table(LedgerSizes& sizes, const TableRows& table) {
    if (const auto* token = std::get_if<TokenRows>(&table)) {
        sizes.table_rows = token->rows.rows;
        sizes.row_width = token->rows.cols;
    } else if (const auto* bigram = std::get_if<BigramRows>(&table)) {
        sizes.table_rows = bigram->rows.rows;
        sizes.row_width = bigram->rows.cols;
    } else if (const auto* both = std::get_if<TokenAndBigramRows>(&table)) {
        sizes.table_rows = both->token_rows.rows;
        sizes.row_width = both->token_rows.cols + both->bigram_rows.cols;
    } else {
        const auto& keyed = std::get<ProductKeyRows>(table);
        sizes.address = model::TableAddress::product_key;
        sizes.query_width = keyed.query.cols;
        sizes.sub_keys = keyed.keys_1.cols;
        sizes.key_top = keyed.top;
        sizes.row_width = keyed.rows.cols;
    }
}

Work to_work(const model::LayerCost& cost) {
    return {.macs = static_cast<std::uint64_t>(cost.macs.numerator()),
            .weights_read = static_cast<std::uint64_t>(cost.weights_read.numerator())};
}

/// Adds a matrix of this many words that is read and multiplied once, or takes it away.
Work with_matrix(Work work, std::uint64_t words) {
    return {.macs = work.macs + words, .weights_read = work.weights_read + words};
}
Work without_matrix(Work work, std::uint64_t words) {
    return {.macs = work.macs - words, .weights_read = work.weights_read - words};
}

}  // namespace

Work layer_work(const isa::Program& program, std::uint32_t layer) {
    if (!program.notes) throw Error(fmt::format("program {}: it has no notes", program.name));
    Work sum;
    for (std::size_t pc = 0; pc < program.code.size(); ++pc) {
        const auto node = program.notes->instructions[pc];
        if (node == isa::kNoNode) continue;
        const auto& note = program.notes->nodes[node];
        if (belongs_to(note.name, layer))
            sum += work_of(isa::decode(program.code[pc]).value(), note.op);
    }
    return sum;
}

std::uint64_t weights_stored(const Stack& stack) {
    std::uint64_t sum = words(stack.wout);
    for (const Layer& layer : stack.layers) sum += words(layer);
    return sum;
}

LedgerSizes ledger_sizes(const Layer& layer, std::uint32_t context) {
    LedgerSizes sizes{.width = kWidth,
                      .query_heads = 1,
                      .kv_groups = 1,
                      .head_width = kHeadWidth,
                      .context = context,
                      .expert_hidden = kHidden,
                      .shared_hidden = 0,
                      .table_width = kHidden,
                      .dense_hidden = kHidden};
    if (const auto* moe = moe_of(layer)) {
        sizes.experts = static_cast<std::int64_t>(moe->experts.size());
        sizes.top = moe->top;
        if (moe->shared) sizes.shared_hidden = kHidden;
    }
    if (const auto* table = table_of(layer)) set_table(sizes, *table);
    return sizes;
}

Work expected_work(const Layer& layer, std::uint32_t context, bool admitted) {
    const LedgerSizes sizes = ledger_sizes(layer, context);
    const auto router = static_cast<std::uint64_t>(sizes.width * sizes.experts);
    if (std::holds_alternative<Attention>(layer)) return to_work(model::attention_cost(sizes));
    if (std::holds_alternative<DenseBlock>(layer)) return to_work(model::dense_cost(sizes));
    if (const auto* moe = std::get_if<Moe>(&layer)) {
        const Work work = to_work(model::moe_cost(sizes) + model::shared_cost(sizes));
        return moe->is_hash() ? without_matrix(work, router) : work;
    }
    const bool dagger = stem_block_of(layer).combine == Combine::dagger;
    const std::uint64_t up = dagger ? std::uint64_t{kWidth} * kHidden : 0;
    if (std::holds_alternative<StemBlock>(layer))
        return with_matrix(to_work(model::stem_cost(sizes)), up);
    const Work work = to_work(model::routed_cost(sizes, admitted ? 1 : 0));
    return with_matrix(work, up + (admitted ? 0 : router));
}

}  // namespace capra::stem
