#include "stem/calibration.hpp"

#include "model/language_model.hpp"
#include "model/py_random.hpp"
#include "stem/admission.hpp"
#include "stem/layer_nodes.hpp"

#include <array>
#include <set>

namespace capra::stem {
namespace {

/// What crosses from one program to another, besides the state, one of each a layer.
constexpr std::array<std::string_view, 3> kSharedByLayer = {"k", "v", "score"};
constexpr std::array<std::string_view, 2> kWeightsByLayer = {"gates", "pair_weights"};

class Calibrator {
  public:
    Calibrator(const Stack& stack, const StepPlan& plan, std::span<const Tokens> texts)
        : stack_(&stack), plan_(&plan), texts_(texts), graphs_(stack, plan) {}

    ProgramRanges run() {
        read_all([this](const Segment& segment, const TokenWalk& walk) {
            return observe(segment, walk.values);
        });
        find_unreached();
        if (!unreached_.empty())
            read_all([this](const Segment& segment, const TokenWalk& walk) {
                explore(segment.start, walk, walk.values);
                return graphs_.evaluate(segment, walk.values);
            });
        return std::move(ranges_);
    }

  private:
    Values observe(const Segment& segment, const Values& given) {
        const auto& graph = graphs_.graph(segment);
        compiler::observe(ranges_[any_context(segment)], graph, inputs_of(graph, given));
        return graphs_.evaluate(segment, given);
    }

    /// The texts as admitted by the layers' capacities, then wholly, then not at all.
    void read_all(const Execute& execute) {
        const auto capacities = capacities_of(*stack_);
        auto loops = loops_of(execute);
        thresholds_of(loops, texts_, capacities);
        if (capacities.empty()) return;
        for (const bool all : {true, false}) {
            auto again = loops_of(execute);
            read_layered(again, texts_, [&](std::size_t, const std::vector<double>& scores) {
                return std::vector<bool>(scores.size(), all);
            });
        }
    }

    std::vector<HostLoop> loops_of(const Execute& execute) {
        return {texts_.size(), HostLoop(*stack_, plan_->dispatch(), execute)};
    }

    void find_unreached() {
        std::uint32_t longest = 0;
        for (const Tokens& text : texts_)
            longest = std::max(longest, static_cast<std::uint32_t>(text.size()));
        for (const Segment& segment : plan_->segments(longest))
            if (!ranges_.contains(any_context(segment))) unreached_.insert(any_context(segment));
    }

    /// Runs what no run reached from this decision on.
    void explore(std::uint32_t start, const TokenWalk& walk, const Values& given) {
        for (const std::uint32_t choice : plan_->choices(start)) {
            const auto segment = plan_->segment(start, choice, walk.hashed, walk.position + 1);
            if (!unreached_.contains(any_context(segment))) continue;
            Values values = observe(segment, given);
            const auto end = plan_->end(start, choice);
            if (!end) continue;
            values.insert(given.begin(), given.end());
            explore(static_cast<std::uint32_t>(*end) + 1, walk, values);
        }
    }

    const Stack* stack_;
    const StepPlan* plan_;
    std::span<const Tokens> texts_;
    SegmentGraphs graphs_;
    ProgramRanges ranges_;
    std::set<Segment> unreached_;
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
        for (const double score : scores) admitted.push_back(score >= thresholds.back());
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
