#include "stem/step_plan.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace capra::stem {
namespace {

void add_table_cut(std::vector<Cut>& cuts, std::uint32_t layer, const TableRows& table) {
    if (std::holds_alternative<ProductKeyRows>(table))
        cuts.push_back({.kind = Cut::Kind::rows, .layer = layer});
}

void add_expert_cuts(std::vector<Cut>& cuts, std::uint32_t layer, std::uint32_t first,
                     std::uint32_t top) {
    for (std::uint32_t rank = first; rank < top; ++rank)
        cuts.push_back({.kind = Cut::Kind::expert, .layer = layer, .rank = rank});
}

void add_cuts(std::vector<Cut>& cuts, std::uint32_t index, const Layer& layer, Dispatch dispatch) {
    if (const auto* table = table_of(layer)) add_table_cut(cuts, index, *table);
    const auto* moe = moe_of(layer);
    if (moe == nullptr) return;
    if (std::holds_alternative<RoutedLayer>(layer)) {
        cuts.push_back({.kind = Cut::Kind::admission, .layer = index});
        add_expert_cuts(cuts, index, 1, moe->top);
    } else if (!moe->is_hash() && dispatch == Dispatch::host) {
        add_expert_cuts(cuts, index, 0, moe->top);
    }
}

}  // namespace

std::string_view dispatch_name(Dispatch dispatch) {
    return dispatch == Dispatch::host ? "host" : "on-chip";
}

StepPlan::StepPlan(const Stack& stack, Dispatch dispatch) : dispatch_(dispatch) {
    const Moe none;
    for (const Layer& layer : stack.layers) {
        const Moe& moe = moe_of(layer) == nullptr ? none : *moe_of(layer);
        add_cuts(cuts_, static_cast<std::uint32_t>(attends_.size()), layer, dispatch);
        attends_.push_back(std::holds_alternative<Attention>(layer));
        hash_.push_back(moe.hash);
        experts_.push_back(static_cast<std::uint32_t>(moe.experts.size()));
    }
}

std::optional<std::size_t> StepPlan::end(std::uint32_t start, std::uint32_t choice) const {
    std::size_t next = start;
    if (choice == kSkip)
        while (next < cuts_.size() && cuts_[next].layer == cuts_[start - 1].layer) ++next;
    if (next == cuts_.size()) return std::nullopt;
    return next;
}

StepPlan::Inside StepPlan::inside(std::uint32_t start, std::uint32_t choice) const {
    const auto last = end(start, choice);
    const auto first = start == 0 ? 0 : cuts_[start - 1].layer + 1;
    // Nothing lies inside between two decisions of one layer.
    return {first, std::max(first, last ? cuts_[*last].layer
                                        : static_cast<std::uint32_t>(attends_.size()))};
}

Experts StepPlan::hashed(std::uint32_t token) const {
    Experts experts;
    for (const auto& hash : hash_) experts.push_back(hash.empty() ? 0 : hash[token]);
    return experts;
}

Segment StepPlan::segment(std::uint32_t start, std::uint32_t choice, const Experts& hashed,
                          std::uint32_t context) const {
    Segment segment{.start = start, .choice = choice};
    const auto [first, last] = inside(start, choice);
    for (std::uint32_t layer = first; layer < last; ++layer) {
        if (attends_[layer]) segment.context = context;
        if (!hash_[layer].empty()) segment.hashed.push_back(hashed[layer]);
    }
    return segment;
}

std::vector<std::uint32_t> StepPlan::choices(std::uint32_t start) const {
    if (start == 0 || cuts_[start - 1].kind == Cut::Kind::rows) return {0};
    const Cut& cut = cuts_[start - 1];
    std::vector<std::uint32_t> result;
    for (std::uint32_t e = 0; e < experts_[cut.layer]; ++e) result.push_back(e);
    if (cut.kind == Cut::Kind::admission) result.push_back(kSkip);
    return result;
}

std::vector<Segment> StepPlan::alternatives(std::uint32_t start, std::uint32_t context) const {
    std::set<Segment> all;
    for (const std::uint32_t choice : choices(start))
        for (std::uint32_t token = 0; token < kVocabulary; ++token)
            all.insert(segment(start, choice, hashed(token), context));
    return {all.begin(), all.end()};
}

std::vector<Segment> StepPlan::segments(std::uint32_t steps) const {
    std::set<Segment> all;
    for (std::uint32_t start = 0; start <= cuts_.size(); ++start)
        for (std::uint32_t context = 1; context <= steps; ++context)
            for (Segment& segment : alternatives(start, context)) all.insert(std::move(segment));
    return {all.begin(), all.end()};
}

std::string StepPlan::name(const Segment& segment) const {
    std::string name = "step";
    if (segment.start > 0) {
        const Cut& cut = cuts_[segment.start - 1];
        name = fmt::format("l{}_", cut.layer);
        if (cut.kind == Cut::Kind::rows)
            name += "rows";
        else if (segment.choice == kSkip)
            name += "skip";
        else
            name += fmt::format("e{}", segment.choice);
        if (cut.rank > 0) name += fmt::format("_rank{}", cut.rank);
    }
    for (const std::uint32_t expert : segment.hashed) name += fmt::format("_h{}", expert);
    if (segment.context > 0) name += fmt::format("_T{}", segment.context);
    return name;
}

}  // namespace capra::stem
