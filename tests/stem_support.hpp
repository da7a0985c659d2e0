// What tests of the STEM family share.
#pragma once

#include "isa/error.hpp"
#include "stem/admission.hpp"
#include "stem/builders.hpp"
#include "stem/float_stack.hpp"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

namespace capra::stem {

/// A stack and the thresholds of its routed layers.
struct Model {
    Stack stack;
    Vector thresholds;

    explicit Model(Stack s)
        : stack(std::move(s)), thresholds(calibrated_thresholds(stack, calibration_text(stack))) {}
    Model(std::string_view decoder, std::string_view kind, std::uint32_t seed)
        : Model(make_stack(decoder, kind, seed)) {}

    [[nodiscard]] FloatStack decoder() const { return FloatStack(stack, thresholds); }
};

/// By how much the logit of `token` leads all others, as a share of the logits' range; negative if
/// it does not.
inline double lead(const Vector& logits, std::uint32_t token) {
    const auto [low, high] = std::minmax_element(logits.begin(), logits.end());
    Vector others = logits;
    others.erase(others.begin() + token);
    return (logits[token] - *std::max_element(others.begin(), others.end())) / (*high - *low);
}

/// The call ends in an Error whose text holds `part`.
template <typename Call>
void expect_refused(Call call, const std::string& part) {
    try {
        call();
        ADD_FAILURE() << "accepted; expected: " << part;
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
}

/// The feed-forward layer of a stack of two.
inline constexpr std::size_t kFeedForward = 1;

}  // namespace capra::stem
