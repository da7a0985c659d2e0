#include "stem/float_stack.hpp"

#include "isa/error.hpp"

#include <fmt/format.h>

namespace capra::stem {

FloatStack::FloatStack(const Stack& stack, const Vector& thresholds) : stack_(&stack) {
    std::size_t routed = 0;
    for (const Layer& layer : stack.layers) {
        Place place;
        if (std::holds_alternative<RoutedLayer>(layer)) {
            if (routed < thresholds.size()) place.threshold = thresholds[routed];
            ++routed;
        }
        places_.push_back(place);
    }
    if (routed != thresholds.size())
        throw Error(
            fmt::format("stem: {} thresholds given for {} R layers", thresholds.size(), routed));
}

Vector FloatStack::layer_output(const Layer& layer, Place& place, Passage& passage) {
    if (const auto* attention = std::get_if<Attention>(&layer))
        return output(*attention, passage.trace.h, place.cache);
    if (const auto* dense = std::get_if<DenseBlock>(&layer))
        return output(dense->block, passage.trace.h);
    if (const auto* moe = std::get_if<Moe>(&layer)) return output(*moe, passage);
    if (const auto* stem = std::get_if<StemBlock>(&layer)) return output(*stem, passage);
    return output(std::get<RoutedLayer>(layer), passage);
}

StackStep FloatStack::step(std::uint32_t token, const Overrides& overrides) {
    if (token >= kVocabulary)
        throw Error(fmt::format("stem: token {} is outside 0..{}", token, kVocabulary - 1));
    check_overrides(*stack_, overrides);
    StackStep step{.input = token};
    const auto first = stack_->emb.values.begin() + std::ptrdiff_t{token} * kWidth;
    step.h = {first, first + kWidth};
    for (std::size_t i = 0; i < places_.size(); ++i) {
        const auto forced = overrides.find(i);
        Passage passage{.previous = previous_,
                        .token = token,
                        .threshold = places_[i].threshold,
                        .forced = forced == overrides.end() ? Override{} : forced->second,
                        .trace = {.h = step.h}};
        step.h = model::plus(step.h, layer_output(stack_->layers[i], places_[i], passage));
        step.layers.push_back(std::move(passage.trace));
    }
    step.logits = model::times(step.h, stack_->wout);
    step.prediction = model::argmax(step.logits);
    previous_ = token;
    return step;
}

std::vector<StackStep> read_tokens(const Stack& stack, const Vector& thresholds,
                                   std::span<const std::uint32_t> tokens) {
    FloatStack decoder(stack, thresholds);
    std::vector<StackStep> steps;
    for (const std::uint32_t token : tokens) steps.push_back(decoder.step(token));
    return steps;
}

std::vector<StackStep> decode_greedily(const Stack& stack, const Vector& thresholds,
                                       std::uint32_t start, std::uint32_t steps) {
    FloatStack decoder(stack, thresholds);
    std::vector<StackStep> run;
    for (std::uint32_t token = start; run.size() < steps; token = run.back().prediction)
        run.push_back(decoder.step(token));
    return run;
}

}  // namespace capra::stem
