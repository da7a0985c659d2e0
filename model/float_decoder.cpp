#include "model/float_decoder.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

namespace capra::model {
namespace {

Vector rectified(Vector values) {
    for (double& value : values) value = std::max(value, 0.0);
    return values;
}

}  // namespace

/// softmax(q K^T / 4) V Wo over every cached position, the newest included.
Vector FloatDecoder::attention(const Vector& x) const {
    const Vector q = times(x, model_->wq);
    Vector scores(keys_.rows);
    for (std::uint32_t t = 0; t < keys_.rows; ++t) {
        for (std::uint32_t d = 0; d < kWidth; ++d) scores[t] += q[d] * keys_.at(t, d);
        scores[t] *= kAttentionScale;
    }
    return times(times(softmax(std::move(scores)), values_), model_->wo);
}

FloatStep FloatDecoder::attend(std::uint32_t token) {
    FloatStep s{.input = token};
    s.x = embedding(*model_, token).values;
    s.k = times(s.x, model_->wk);
    s.v = times(s.x, model_->wv);
    append_row(keys_, s.k);
    append_row(values_, s.v);
    s.h = plus(s.x, attention(s.x));
    if (model_->has_router()) {
        s.router = times(s.h, model_->wr);
        s.route = argmax(s.router);
    }
    return s;
}

void FloatDecoder::run_experts(FloatStep& s, const Experts& experts) const {
    s.experts = experts;
    Vector y = s.h;
    for (const std::uint32_t e : experts) {
        s.hidden = rectified(times(s.h, model_->w1[e]));
        y = plus(y, times(s.hidden, model_->w2[e]));
        s.sums.push_back(y);
    }
    s.logits = times(y, model_->wout);
    s.token = argmax(s.logits);
}

FloatStep FloatDecoder::step(std::uint32_t token) {
    FloatStep s = attend(token);
    run_experts(s, model_->has_router() ? top_experts(s.router, top_) : Experts{0});
    return s;
}

FloatStep FloatDecoder::step(std::uint32_t token, const Experts& forced) {
    FloatStep s = attend(token);
    run_experts(s, forced);
    return s;
}

std::vector<FloatStep> decode_greedily(const LanguageModel& model, std::uint32_t start,
                                       std::uint32_t steps, std::uint32_t top) {
    FloatDecoder decoder(model, top);
    std::vector<FloatStep> run;
    std::uint32_t token = start;
    for (std::uint32_t i = 0; i < steps; ++i) {
        run.push_back(decoder.step(token));
        token = run.back().token;
    }
    return run;
}

double route_margin(const Vector& router) {
    assert(router.size() >= 2);
    if (!std::all_of(router.begin(), router.end(), [](double v) { return std::isfinite(v); }))
        return std::numeric_limits<double>::quiet_NaN();
    Vector sorted = router;
    std::sort(sorted.begin(), sorted.end());
    const double top = sorted.back();
    const double range = top - sorted.front();
    return range > 0 ? (top - sorted[sorted.size() - 2]) / range : 0;
}

double relative_l2(const Vector& a, const Vector& b) {
    assert(a.size() == b.size());
    double difference = 0;
    double norm = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        difference += (a[i] - b[i]) * (a[i] - b[i]);
        norm += b[i] * b[i];
    }
    return std::sqrt(difference / norm);
}

}  // namespace capra::model
