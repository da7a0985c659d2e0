// Grades exercise 8: the numbers of a quantised layer, and what the machine makes of them.
#include "exercises/8-quantise-layer/exercise.hpp"
#include "isa/assembler.hpp"
#include "sim/model_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

namespace capra::exercise {
namespace {

constexpr std::uint32_t kInputs = 16;
constexpr std::uint32_t kOutputs = 4;
constexpr double kInt8Max = 127;
constexpr double kSameScale = 1e-12;              ///< relative
constexpr double kSameRatio = 1.0 / (1U << 31U);  ///< relative
constexpr std::uint32_t kMaxShift = 63;

struct Case {
    std::string name;
    Layer layer;
};

double largest(const std::vector<double>& values) {
    double result = 0;
    for (const double v : values) result = std::max(result, std::fabs(v));
    return result;
}

/// Normal weights, so scaled that the largest magnitude is `range`.
Layer drawn(std::mt19937& rng, double range, double x_range, double y_range) {
    std::normal_distribution<double> normal;
    Layer layer{kInputs, kOutputs, {}, x_range, y_range};
    for (std::uint32_t i = 0; i < kInputs * kOutputs; ++i) layer.weights.push_back(normal(rng));
    const double factor = range / largest(layer.weights);
    for (double& w : layer.weights) w *= factor;
    return layer;
}

/// Weights of whole and half steps: the largest is 127.
Layer half_steps() {
    Layer layer{kInputs, kOutputs, {}, kInt8Max, 16 * kInt8Max * kInt8Max};
    for (std::uint32_t i = 0; i < kInputs * kOutputs; ++i)
        layer.weights.push_back(i == 0 ? kInt8Max : (i % 4 < 2 ? -0.5 * i : 0.5 * i));
    return layer;
}

std::vector<Case> cases() {
    std::mt19937 rng(8);
    // One step of the sum is a hair less than one step of y.
    const double hair_below = kInt8Max * (1 - std::ldexp(1.0, -40));
    return {{"an ordinary layer", drawn(rng, 0.8, 2, 6)},
            {"small weights", drawn(rng, 1e-3, 2, 0.02)},
            {"large x and y", drawn(rng, 0.5, 3e4, 1e5)},
            {"weights that are whole and half steps", half_steps()},
            {"a y that is much larger than x W", drawn(rng, 0.1, 1, 1e6)},
            {"a y that is much smaller than x W", drawn(rng, 90, 50, 10)},
            {"a ratio of exactly 1", drawn(rng, kInt8Max, kInt8Max, kInt8Max)},
            {"a ratio a hair below 1", drawn(rng, hair_below, kInt8Max, kInt8Max)}};
}

bool near(double a, double b, double relative) {
    return std::fabs(a - b) <= relative * std::fabs(b);
}

std::optional<Verdict> check_scale(const std::string& name, double got, double range) {
    if (near(got, range / kInt8Max, kSameScale)) return std::nullopt;
    Verdict verdict{.law = "A scale makes the largest magnitude 127 steps.",
                    .where = name,
                    .expected = fmt::format("{:.9g}", range / kInt8Max),
                    .got = fmt::format("{:.9g}", got)};
    if (near(got, range / 128, kSameScale))
        verdict.hint = "with 128 steps the largest value would be stored as 128, which is no int8";
    else if (near(got, 2 * range / 255, kSameScale) || near(got, range / 255, kSameScale))
        verdict.hint = "255 steps from -range to range put 0 between two of them";
    else if (near(got, kInt8Max / range, kSameScale))
        verdict.hint = "that is steps per unit: a scale is the real value of one step";
    return verdict;
}

std::optional<Verdict> check_weight(double steps, std::int32_t got, std::uint32_t i) {
    const auto want = static_cast<std::int32_t>(std::floor(steps + 0.5));
    if (got == want) return std::nullopt;
    Verdict verdict{
        .law = "Weights are rounded to the nearest step, halves up.",
        .where = fmt::format("row {}, column {}: {:.6g} steps", i / kOutputs, i % kOutputs, steps),
        .expected = std::to_string(want),
        .got = std::to_string(got)};
    if (std::fabs(steps - std::trunc(steps)) == 0.5 && got == std::lround(steps))
        verdict.hint = "std::round and std::lround take halves away from zero";
    else if (got == static_cast<std::int32_t>(steps))
        verdict.hint = "a conversion to an integer cuts the fraction off";
    else if (got == static_cast<std::int32_t>(std::floor(steps)))
        verdict.hint = "floor alone rounds down";
    return verdict;
}

/// What a wrong ratio is, if it can be told.
std::string ratio_hint(const QuantisedLayer& q, double got, double want) {
    constexpr double kClose = 1e-3;
    if (near(got, 1 / want, kClose)) return "that is the ratio upside down";
    if (near(got, q.w_scale / q.y_scale, kClose)) return "the scale of x is missing";
    if (near(got, q.x_scale / q.y_scale, kClose)) return "the scale of the weights is missing";
    if (near(got, q.x_scale * q.w_scale, kClose)) return "the scale of y is missing";
    if (near(got, 2 * want, kClose) || near(got, want / 2, kClose))
        return "it is off by a factor of 2: did mult reach 2^31, and who changed shift?";
    if (near(got, want, 0.1))
        return fmt::format("close, but not within 2^-31: mult = {} uses {} of its 31 bits", q.mult,
                           q.mult == 0 ? 0 : std::ilogb(q.mult) + 1);
    return "sum * x_scale * w_scale is real; divided by y_scale it is steps of y";
}

std::optional<Verdict> check_requant(const QuantisedLayer& q) {
    const std::string pair = fmt::format("mult {}, shift {}", q.mult, q.shift);
    if (q.mult >= 1U << 31U || q.shift > kMaxShift)
        return Verdict{.law = "mult and shift fit the fields of RQ.",
                       .expected = "mult below 2147483648, shift at most 63",
                       .got = pair,
                       .hint = "a ratio a hair below a power of two rounds mult up to 2^31"};
    const double want = q.x_scale * q.w_scale / q.y_scale;
    const double got = std::ldexp(q.mult, -static_cast<int>(q.shift));
    if (near(got, want, kSameRatio)) return std::nullopt;
    return Verdict{.law = "mult / 2^shift is the ratio of a step of the sum to a step of y.",
                   .expected = fmt::format("{:.12g}", want),
                   .got = fmt::format("{:.12g} ({})", got, pair),
                   .hint = ratio_hint(q, got, want)};
}

std::optional<Verdict> check_numbers(const Layer& layer, const QuantisedLayer& q) {
    if (auto v = check_scale("x_scale", q.x_scale, layer.x_range)) return v;
    if (auto v = check_scale("w_scale", q.w_scale, largest(layer.weights))) return v;
    if (auto v = check_scale("y_scale", q.y_scale, layer.y_range)) return v;
    if (q.weights.size() != layer.weights.size())
        return Verdict{.law = "Every weight has its integer.",
                       .expected = fmt::format("{} weights", layer.weights.size()),
                       .got = fmt::format("{} weights", q.weights.size())};
    for (std::uint32_t i = 0; i < q.weights.size(); ++i)
        if (auto v = check_weight(layer.weights[i] / q.w_scale, q.weights[i], i)) return v;
    return check_requant(q);
}

/// The largest |y of the machine - real y| over y_range, for one drawn x.
double chip_error(const Layer& layer, const QuantisedLayer& q, std::mt19937& rng) {
    const isa::Program program = isa::assemble(
        fmt::format(".memory 84\nLD d=0 n=80 x=0\n"
                    "MM d=0 a=0 b=16 k=16 m=1 n=4 sa=16 sb=4 sd=4\n"
                    "RQ acc=1 d=80 a=0 n=4 mult={} shift={}\nST a=80 n=4 x=80\nHALT\n",
                    q.mult, q.shift),
        "layer");
    std::uniform_real_distribution<double> value(-layer.x_range, layer.x_range);
    std::vector<std::int32_t> memory;
    std::vector<double> y(kOutputs);
    for (std::uint32_t i = 0; i < kInputs; ++i) {
        const double x = value(rng);
        memory.push_back(static_cast<std::int32_t>(std::floor(x / q.x_scale + 0.5)));
        for (std::uint32_t j = 0; j < kOutputs; ++j) y[j] += x * layer.weights[i * kOutputs + j];
    }
    memory.insert(memory.end(), q.weights.begin(), q.weights.end());
    const auto after = sim::ModelEngine(isa::reference_target()).run_one(program, memory).memory;
    double worst = 0;
    for (std::uint32_t j = 0; j < kOutputs; ++j) {
        const double real = std::clamp(y[j], -layer.y_range, layer.y_range);
        worst = std::max(worst, std::fabs(after[80 + j] * q.y_scale - real) / layer.y_range);
    }
    return worst;
}

}  // namespace

Verdict grade(const decltype(answer)& candidate) {
    std::string errors;
    std::mt19937 rng(88);
    for (const Case& c : cases()) {
        const QuantisedLayer q = candidate(c.layer);
        if (auto verdict = check_numbers(c.layer, q)) {
            verdict->where = c.name + (verdict->where.empty() ? "" : ", ") + verdict->where;
            return *verdict;
        }
        errors += fmt::format("\n{:5.2f} % {}", 100 * chip_error(c.layer, q, rng), c.name);
    }
    return {.passed = true,
            .law = "scales, weights and RQ of every layer",
            .got = "on the machine, the largest error in percent of y's range:" + errors};
}

}  // namespace capra::exercise
