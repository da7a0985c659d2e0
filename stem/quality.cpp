#include "stem/quality.hpp"

#include "model/float_decoder.hpp"
#include "stem/float_stack.hpp"

#include <algorithm>
#include <cmath>

namespace capra::stem {
namespace {

/// What makes the double precision stack do as the chip did, where there was something to decide.
Overrides as_chip_did(const Stack& stack, const StackStep& chip) {
    Overrides forced;
    for (std::uint32_t layer = 0; layer < stack.layers.size(); ++layer) {
        const LayerTrace& did = chip.layers[layer];
        const bool routed = std::holds_alternative<RoutedLayer>(stack.layers[layer]);
        if (routed) forced[layer].admitted = did.admitted;
        if (!did.experts.empty()) forced[layer].experts = did.experts;
        if (!did.rows.empty()) forced[layer].rows = did.rows;
    }
    return forced;
}

bool has_product_key(const Layer& layer) {
    const auto* table = table_of(layer);
    return table != nullptr && std::holds_alternative<ProductKeyRows>(*table);
}

/// What the two decided, given the same tokens and the same decisions before.
void count_decisions(Agreement& result, const Layer& layer, const LayerTrace& chip,
                     const LayerTrace& own) {
    if (std::holds_alternative<RoutedLayer>(layer))
        result.admissions.count(chip.admitted == own.admitted);
    if (const auto* moe = moe_of(layer); moe != nullptr && !moe->is_hash() && !chip.experts.empty())
        result.experts.count(chip.experts == model::top_experts(own.router, moe->top));
    if (has_product_key(layer)) result.rows.count(chip.rows == own.rows);
}

}  // namespace

double Agreement::mean_logit_error() const {
    return sum_logit_error / static_cast<double>(tokens.all);
}

Agreement& Agreement::operator+=(const Agreement& other) {
    logit_error += other.logit_error;
    sum_logit_error += other.sum_logit_error;
    score_error += other.score_error;
    experts += other.experts;
    admissions += other.admissions;
    rows += other.rows;
    tokens += other.tokens;
    return *this;
}

Agreement compare_with_float(const Stack& stack, std::span<const double> thresholds,
                             const StackRun& run) {
    Agreement result;
    FloatStack reference(stack, {thresholds.begin(), thresholds.end()});
    double largest_score = 0;
    double score_error = 0;
    for (const StackStep& chip : run.steps) {
        FloatStack undisturbed = reference;
        const StackStep own = undisturbed.step(chip.input);
        const StackStep same = reference.step(chip.input, as_chip_did(stack, chip));
        for (std::size_t layer = 0; layer < stack.layers.size(); ++layer) {
            count_decisions(result, stack.layers[layer], chip.layers[layer], own.layers[layer]);
            if (!same.layers[layer].score) continue;
            const double score = *same.layers[layer].score;
            largest_score = std::max(largest_score, std::abs(score));
            score_error = std::max(score_error, std::abs(score - *chip.layers[layer].score));
        }
        result.tokens.count(chip.prediction == same.prediction);
        const double error = model::relative_l2(chip.logits, same.logits);
        result.logit_error.add(error);
        result.sum_logit_error += error;
    }
    if (largest_score > 0) result.score_error.add(score_error / largest_score);
    return result;
}

}  // namespace capra::stem
