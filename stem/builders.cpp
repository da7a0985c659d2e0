#include "stem/builders.hpp"

#include "isa/error.hpp"
#include "isa/printable.hpp"
#include "stem/random.hpp"
#include "stem/structured.hpp"

#include <fmt/format.h>

namespace capra::stem {
namespace {

Stack built(const StackPlan& plan, std::string_view kind, std::uint32_t seed) {
    if (kind == "structured") return structured_stack(plan, seed);
    if (kind == "random") return random_stack(plan, seed);
    throw Error(fmt::format("stem: no kind '{}'; there are structured, random", printable(kind)));
}

}  // namespace

Stack make_stack(std::string_view decoder, std::string_view kind, std::uint32_t seed) {
    return built(decoder_plan(decoder), kind, seed);
}

Stack make_pattern_stack(std::string_view pattern, std::string_view kind, std::uint32_t seed,
                         std::span<const model::Exact> capacities) {
    return built(pattern_plan(pattern, capacities), kind, seed);
}

}  // namespace capra::stem
