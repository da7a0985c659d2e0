#include "stem/float_layers.hpp"

#include "stem/float_table.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace capra::stem {
namespace {

using model::append_row;
using model::plus;
using model::softmax;
using model::times;

double sigmoid(double x) {
    return 1 / (1 + std::exp(-x));
}

Vector silu(Vector values) {
    for (double& value : values) value *= sigmoid(value);
    return values;
}

/// Element-wise.
Vector product(const Vector& a, const Vector& b) {
    Vector result(a.size());
    std::transform(a.begin(), a.end(), b.begin(), result.begin(), std::multiplies<>());
    return result;
}

Vector scaled(Vector values, double factor) {
    for (double& value : values) value *= factor;
    return values;
}

/// Sets the trace's router, experts and gates.
void choose_experts(const Moe& layer, Passage& passage) {
    LayerTrace& trace = passage.trace;
    if (layer.is_hash()) {
        trace.experts = {layer.hash[passage.token]};
        trace.gates = {1};
    } else {
        trace.router = times(trace.h, layer.wr);
        trace.experts = model::top_experts(trace.router, layer.top);
        Vector scores;
        for (const std::uint32_t e : trace.experts) scores.push_back(trace.router[e]);
        trace.gates = softmax(std::move(scores));
    }
    if (!passage.forced.experts.empty()) trace.experts = passage.forced.experts;
}

/// The chosen experts' outputs, weighted by their gates.
Vector gated_experts(const Moe& layer, const LayerTrace& trace) {
    Vector sum(kWidth);
    for (std::size_t i = 0; i < trace.experts.size(); ++i)
        sum = plus(sum, scaled(output(layer.experts[trace.experts[i]], trace.h), trace.gates[i]));
    return sum;
}

}  // namespace

Vector output(const Attention& layer, const Vector& h, KeyValueCache& cache) {
    append_row(cache.keys, times(h, layer.wk));
    append_row(cache.values, times(h, layer.wv));
    const Vector q = times(h, layer.wq);
    Vector scores(cache.keys.rows);
    for (std::uint32_t t = 0; t < cache.keys.rows; ++t) {
        for (std::uint32_t d = 0; d < kHeadWidth; ++d) scores[t] += q[d] * cache.keys.at(t, d);
        scores[t] *= kAttentionScale;
    }
    return times(times(softmax(std::move(scores)), cache.values), layer.wo);
}

Vector output(const Block& block, const Vector& h) {
    return times(product(silu(times(h, block.wg)), times(h, block.wu)), block.wd);
}

Vector output(const StemBlock& layer, Passage& passage) {
    const Vector row = table_row(layer.table, passage);
    const Vector& h = passage.trace.h;
    const Block& block = layer.block;
    if (layer.combine == Combine::gate)
        return times(product(silu(row), times(h, block.wu)), block.wd);
    const Vector gate = silu(times(h, block.wg));
    switch (layer.combine) {
        case Combine::additive:
            return plus(times(gate, block.wd), row);
        case Combine::dagger:
            return times(product(gate, plus(times(h, block.wu), row)), block.wd);
        default:
            return times(product(gate, row), block.wd);
    }
}

Vector output(const Moe& layer, Passage& passage) {
    choose_experts(layer, passage);
    const Vector sum = gated_experts(layer, passage.trace);
    return layer.shared ? plus(sum, output(*layer.shared, passage.trace.h)) : sum;
}

Vector output(const RoutedLayer& layer, Passage& passage) {
    const Vector from_table = output(layer.table, passage);
    LayerTrace& trace = passage.trace;
    const double score = times(trace.h, layer.score)[0] + layer.bias;
    trace.score = score;
    trace.admitted = passage.forced.admitted.value_or(score >= passage.threshold);
    choose_experts(layer.moe, passage);
    if (!trace.admitted) {
        trace.experts.clear();
        trace.gates.clear();
        return from_table;
    }
    return plus(from_table, scaled(gated_experts(layer.moe, trace), sigmoid(score)));
}

}  // namespace capra::stem
