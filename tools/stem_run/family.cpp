#include "tools/stem_run/family.hpp"

#include "stem/builders.hpp"
#include "stem/work.hpp"

#include <algorithm>

namespace capra::tools {

namespace {

/// Every decoder is attention and one feed-forward layer.
constexpr std::uint32_t kFeedForward = 1;

stem::Dispatch dispatch_of(std::string_view decoder) {
    return decoder == "on_chip" ? stem::Dispatch::on_chip : stem::Dispatch::host;
}

/// A stack of seed 1.
stem::StackPrograms compiled(const std::string& decoder, std::string_view kind, std::uint32_t steps,
                             stem::Dispatch dispatch) {
    return stem::compile_stack(stem::make_stack(decoder, kind, 1), steps, isa::reference_target(),
                               {.dispatch = dispatch});
}

}  // namespace

FamilyDecode::FamilyDecode(std::string decoder, stem::StackPrograms programs, std::uint32_t steps,
                           std::uint32_t start, const stem::Hooks& hooks)
    : name(std::move(decoder)), checked(std::move(programs), stem::kCheckedSteps) {
    const auto engine = sim::make_engine("model", checked.programs.target);
    run = stem::decode(checked.programs, *engine, steps, start, {checked.thresholds, hooks});
}

bool FamilyDecode::follows_rule() const {
    std::uint32_t previous = stem::kNoToken;
    for (std::size_t i = 0; i + 1 < run.tokens.size(); ++i) {
        if (run.tokens[i + 1] !=
            stem::next_token(checked.programs.stack.rule, previous, run.tokens[i]))
            return false;
        previous = run.tokens[i];
    }
    return true;
}

std::uint64_t FamilyDecode::weights_stored() const {
    return stem::weights_stored({.layers = {checked.programs.stack.layers[kFeedForward]}});
}

WorkPerToken FamilyDecode::work() const {
    stem::Work sum;
    for (const auto& each : run.runs) sum += stem::layer_work(*each.program, kFeedForward);
    const auto steps = static_cast<double>(run.steps.size());
    return {static_cast<double>(sum.macs) / steps, static_cast<double>(sum.weights_read) / steps};
}

std::vector<std::string> chosen_decoders(const std::vector<std::string>& asked) {
    std::vector<std::string> decoders;
    for (const std::string name : kFamily)
        if (asked.empty() || name == kFamily.front() ||
            std::find(asked.begin(), asked.end(), name) != asked.end())
            decoders.push_back(name);
    return decoders;
}

FamilyDecodes decode_family(const std::vector<std::string>& decoders, std::uint32_t steps,
                            std::uint32_t start, const FamilyProgress& progress) {
    FamilyDecodes decodes;
    for (const std::string& name : decoders) {
        progress(name);
        decodes.push_back(std::make_unique<FamilyDecode>(
            name,
            compiled(name, "structured", std::max(steps, stem::kCheckedSteps), dispatch_of(name)),
            steps, start));
    }
    return decodes;
}

model::Checks check_family(const FamilyDecodes& decodes, const FamilyProgress& progress) {
    model::Checks checks;
    const auto add = [&](const model::Checks& more) {
        checks.insert(checks.end(), more.begin(), more.end());
    };
    for (const auto& decode : decodes) {
        progress(decode->name);
        add(stem::stack_checks(decode->checked));
        if (dispatch_of(decode->name) == stem::Dispatch::on_chip)
            add(stem::dispatch_checks(
                decode->checked,
                {compiled(decode->name, "structured", stem::kCheckedSteps, stem::Dispatch::host),
                 stem::kCheckedSteps}));
        const stem::StackRuns random(
            compiled(decode->name, "random", model::kRandomSteps, dispatch_of(decode->name)),
            model::kRandomSteps);
        stem::Agreement agreement;
        for (const stem::StackRun& run : random.runs)
            agreement += stem::compare_with_float(random.programs.stack, random.thresholds, run);
        add(stem::float_checks("random_" + decode->name, agreement));
    }
    return checks;
}

double ratio_to(const FamilyDecode& dense, const FamilyDecode& decode) {
    return static_cast<double>(decode.run.total().total) /
           static_cast<double>(dense.run.total().total);
}

std::vector<ReplayTask> replay_tasks(const FamilyDecodes& decodes) {
    std::vector<ReplayTask> tasks;
    for (const auto& decode : decodes)
        tasks.push_back({decode->name, decode->checked.programs.target,
                         model::jobs_of(decode->run.runs), decode->run.total().total});
    return tasks;
}

}  // namespace capra::tools
