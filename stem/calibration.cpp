#include "stem/calibration.hpp"

#include "model/language_model.hpp"
#include "model/py_random.hpp"
#include "stem/admission.hpp"
#include "stem/layer_nodes.hpp"

#include <array>
#include <utility>

namespace capra::stem {
namespace {

/// What crosses from one program to another, besides the state, one of each a layer.
constexpr std::array<std::string_view, 3> kSharedByLayer = {"k", "v", "score"};
constexpr std::array<std::string_view, 2> kWeightsByLayer = {"gates", "pair_weights"};

class Calibrator {
  public:
    Calibrator(const Stack& stack, const StepPlan& plan, std::span<const Tokens> texts)
        : stack_(&stack), plan_(&plan), texts_(texts), graphs_(stack, plan) {}

    /// Reads the texts as admitted by the layers' capacities, then wholly, then not at all.
    ProgramRanges run() {
        const auto capacities = capacities_of(*stack_);
        auto loops = observed_loops();
        thresholds_of(loops, texts_, capacities);
        if (!capacities.empty()) {
            read_admitting(true);
            read_admitting(false);
        }
        return std::move(ranges_);
    }

  private:
    void read_admitting(bool all) {
        auto loops = observed_loops();
        read_layered(loops, texts_, [&](std::size_t, const std::vector<double>& scores) {
            return std::vector<bool>(scores.size(), all);
        });
    }

    std::vector<HostLoop> observed_loops() {
        const auto execute = [this](const Segment& segment, const TokenWalk& walk) {
            for (const Segment& each : alternatives(segment.start, walk.position + 1)) {
                const auto& graph = graphs_.graph(each);
                compiler::observe(ranges_[any_context(each)], graph, inputs_of(graph, walk.values));
            }
            return graphs_.evaluate(segment, walk.values);
        };
        return {texts_.size(), HostLoop(*stack_, plan_->dispatch(), execute)};
    }

    const std::vector<Segment>& alternatives(std::uint32_t start, std::uint32_t context) {
        auto& known = alternatives_[{start, context}];
        if (known.empty()) known = plan_->alternatives(start, context);
        return known;
    }

    const Stack* stack_;
    const StepPlan* plan_;
    std::span<const Tokens> texts_;
    SegmentGraphs graphs_;
    ProgramRanges ranges_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Segment>> alternatives_;
};

}  // namespace

Segment any_context(Segment segment) {
    segment.context = 0;
    return segment;
}

std::vector<Tokens> calibration_texts(const Stack& stack, std::uint32_t steps) {
    model::PyRandom rng(stack.seed);
    std::vector<Tokens> texts;
    for (std::uint32_t start = 0; start < kVocabulary; ++start) {
        Tokens text = {start};
        std::uint32_t previous = kNoToken;
        while (text.size() < steps) {
            const std::uint32_t token = text.back();
            text.push_back(stack.rule == Rule::none ? rng.next_u32() % kVocabulary
                                                    : next_token(stack.rule, previous, token));
            previous = token;
        }
        texts.push_back(std::move(text));
    }
    return texts;
}

std::vector<model::Exact> capacities_of(const Stack& stack) {
    std::vector<model::Exact> capacities;
    for (const Layer& layer : stack.layers)
        if (const auto* routed = std::get_if<RoutedLayer>(&layer))
            capacities.push_back(routed->capacity);
    return capacities;
}

std::vector<double> thresholds_of(std::span<HostLoop> loops, std::span<const Tokens> texts,
                                  std::span<const model::Exact> capacities) {
    std::vector<double> thresholds;
    read_layered(loops, texts, [&](std::size_t routed, const std::vector<double>& scores) {
        thresholds.push_back(threshold_for(scores, capacities[routed]));
        std::vector<bool> admitted;
        for (const double score : scores) admitted.push_back(admits(score, thresholds.back()));
        return admitted;
    });
    return thresholds;
}

ProgramRanges calibrate_ranges(const Stack& stack, const StepPlan& plan,
                               std::span<const Tokens> texts) {
    return Calibrator(stack, plan, texts).run();
}

void share_ranges(const Stack& stack, ProgramRanges& ranges) {
    compiler::Ranges shared;
    const auto take = [&](const std::string& key) {
        for (const auto& [segment, own] : ranges)
            if (const auto range = own.find(key)) shared.widen(key, *range);
    };
    take(std::string(kStateTag));
    for (std::uint32_t layer = 0; layer < stack.layers.size(); ++layer) {
        for (const auto what : kSharedByLayer) take(layer_name(layer, what));
        for (const auto what : kWeightsByLayer) shared.widen(layer_name(layer, what), 1);
    }
    for (auto& [segment, own] : ranges)
        for (const auto& [key, range] : shared.all())
            if (own.find(key)) own.widen(key, range);
}

}  // namespace capra::stem
