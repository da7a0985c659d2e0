#include "stem/float_table.hpp"

#include <algorithm>

namespace capra::stem {
namespace {

using model::times;
using Rows = std::vector<std::uint32_t>;

Vector row_of(const Matrix& rows, std::uint32_t index) {
    const auto first = rows.values.begin() + std::ptrdiff_t{index} * rows.cols;
    return {first, first + rows.cols};
}

struct Pair {
    std::uint32_t row;
    double sum;  ///< of the scores of both sub-keys
};

/// The pairs of the best sub-keys, the highest sum first; among equals the one whose first sub-key
/// scores higher.
std::vector<Pair> best_pairs(const ProductKeyRows& table, const Vector& h) {
    const Vector query = times(h, table.query);
    const auto middle = query.begin() + std::ptrdiff_t{table.keys_1.rows};
    const Vector scores_1 = times({query.begin(), middle}, table.keys_1);
    const Vector scores_2 = times({middle, query.end()}, table.keys_2);
    std::vector<Pair> pairs;
    for (const std::uint32_t i : model::top_experts(scores_1, table.top))
        for (const std::uint32_t j : model::top_experts(scores_2, table.top))
            pairs.push_back({i * table.keys_2.cols + j, scores_1[i] + scores_2[j]});
    std::stable_sort(pairs.begin(), pairs.end(),
                     [](const Pair& a, const Pair& b) { return a.sum > b.sum; });
    pairs.resize(table.top);
    return pairs;
}

/// Reads one kind of table. The rows are those of the override, if it has any.
struct Reader {
    Passage* passage;

    void choose(Rows own) const {
        const Rows& forced = passage->forced.rows;
        passage->trace.rows = forced.empty() ? std::move(own) : forced;
    }
    [[nodiscard]] std::uint32_t slot_of(const Matrix& bigram_rows) const {
        return bigram_slot(passage->previous, passage->token, bigram_rows.rows);
    }

    Vector operator()(const TokenRows& table) const {
        choose({passage->token});
        return row_of(table.rows, passage->trace.rows[0]);
    }
    Vector operator()(const BigramRows& table) const {
        choose({slot_of(table.rows)});
        return row_of(table.rows, passage->trace.rows[0]);
    }
    Vector operator()(const TokenAndBigramRows& table) const {
        choose({passage->token, slot_of(table.bigram_rows)});
        Vector row = row_of(table.token_rows, passage->trace.rows[0]);
        const Vector second = row_of(table.bigram_rows, passage->trace.rows[1]);
        row.insert(row.end(), second.begin(), second.end());
        return row;
    }
    Vector operator()(const ProductKeyRows& table) const {
        Rows own;
        Vector sums;
        for (const Pair& pair : best_pairs(table, passage->trace.h)) {
            own.push_back(pair.row);
            sums.push_back(pair.sum);
        }
        choose(std::move(own));
        passage->trace.row_weights = model::softmax(std::move(sums));
        Vector sum(table.rows.cols);
        for (std::uint32_t i = 0; i < table.top; ++i)
            for (std::uint32_t d = 0; d < table.rows.cols; ++d)
                sum[d] += passage->trace.row_weights[i] * table.rows.at(passage->trace.rows[i], d);
        return sum;
    }
};

}  // namespace

Vector table_row(const TableRows& table, Passage& passage) {
    return std::visit(Reader{&passage}, table);
}

}  // namespace capra::stem
