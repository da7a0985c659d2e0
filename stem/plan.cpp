#include "stem/plan.hpp"

#include "isa/error.hpp"
#include "isa/printable.hpp"
#include "model/ledger.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace capra::stem {
namespace {

struct NamedDecoder {
    std::string_view name;
    LayerPlan layer;  ///< after the attention
    Rule rule = Rule::successor;
};

const std::vector<NamedDecoder>& decoders() {
    static const std::vector<NamedDecoder> all{
        {"dense", {.letter = 'D'}},
        {"top2", {.letter = 'E', .shared = true}},
        {"stem_mult", {.letter = 'S'}},
        {"stem_add", {.letter = 'S', .combine = Combine::additive}},
        {"stem_dagger", {.letter = 'S', .combine = Combine::dagger}},
        {"stem_gate", {.letter = 'S', .combine = Combine::gate}},
        {"hash", {.letter = 'E', .top = 1, .hash = true}},
        {"bigram", {.letter = 'S', .address = Address::bigram}, Rule::bigram},
        {"split", {.letter = 'S', .address = Address::token_and_bigram}, Rule::bigram},
        {"product_key", {.letter = 'S', .address = Address::product_key}},
        {"routed_C50", {.letter = 'R', .combine = Combine::additive, .capacity = {1, 2}}},
        {"routed_C25", {.letter = 'R', .combine = Combine::additive, .capacity = {1, 4}}},
        {"on_chip", {.letter = 'E', .top = 1}},
    };
    return all;
}

}  // namespace

std::vector<std::string_view> decoder_names() {
    std::vector<std::string_view> names;
    for (const NamedDecoder& decoder : decoders()) names.push_back(decoder.name);
    return names;
}

StackPlan decoder_plan(std::string_view name) {
    const auto found =
        std::find_if(decoders().begin(), decoders().end(),
                     [&](const NamedDecoder& decoder) { return decoder.name == name; });
    if (found == decoders().end())
        throw Error(fmt::format("stem: no decoder '{}'; there are {}", printable(name),
                                fmt::join(decoder_names(), ", ")));
    return {.name = std::string(name), .rule = found->rule, .layers = {{}, found->layer}};
}

StackPlan pattern_plan(std::string_view pattern, std::span<const model::Exact> capacities) {
    model::check_layers(pattern, capacities);
    StackPlan plan{.name = std::string(pattern)};
    std::size_t routed = 0;
    for (const char letter : pattern) {
        LayerPlan layer{.letter = letter, .shared = letter == 'E'};
        if (letter == 'R') {
            layer.combine = Combine::additive;
            layer.capacity = capacities[capacities.size() == 1 ? 0 : routed++];
        }
        plan.layers.push_back(layer);
    }
    return plan;
}

}  // namespace capra::stem
