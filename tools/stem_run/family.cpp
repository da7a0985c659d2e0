#include "tools/stem_run/family.hpp"

#include "isa/error.hpp"
#include "stem/builders.hpp"
#include "stem/work.hpp"
#include "tools/capacities.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace capra::tools {

namespace {

stem::StackPrograms compiled(const FamilyMember& member, std::string_view kind, std::uint32_t steps,
                             stem::Dispatch dispatch) {
    return stem::compile_stack(member.stack(kind), steps, isa::reference_target(),
                               {.dispatch = dispatch});
}

/// The layers of a stack whose cost is shown.
std::vector<std::uint32_t> feed_forward(const stem::Stack& stack) {
    std::vector<std::uint32_t> layers;
    for (std::uint32_t i = 0; i < stack.layers.size(); ++i)
        if (!std::holds_alternative<stem::Attention>(stack.layers[i])) layers.push_back(i);
    return layers;
}

}  // namespace

stem::Stack FamilyMember::stack(std::string_view kind) const {
    return is_pattern ? stem::make_pattern_stack(name, kind, 1, capacities)
                      : stem::make_stack(name, kind, 1);
}

stem::Dispatch FamilyMember::dispatch() const {
    return name == "on_chip" ? stem::Dispatch::on_chip : stem::Dispatch::host;
}

FamilyMember pattern_member(const std::string& pattern,
                            const std::vector<std::string>& capacities) {
    FamilyMember member{pattern, true, read_capacities(capacities)};
    if (member.capacities.empty() && pattern.find('R') != std::string::npos)
        member.capacities = {{1, 2}};
    if (feed_forward(member.stack("structured")).empty())
        throw Error(
            fmt::format("pattern '{}': attention alone answers no token; it needs a layer "
                        "of S, E, R or D",
                        pattern));
    return member;
}

FamilyDecode::FamilyDecode(FamilyMember shown, stem::StackPrograms programs, std::uint32_t steps,
                           std::uint32_t start, const stem::Hooks& hooks)
    : member(std::move(shown)), checked(std::move(programs), stem::kCheckedSteps) {
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
    const stem::Stack& stack = checked.programs.stack;
    std::uint64_t words = 0;
    for (const std::uint32_t layer : feed_forward(stack))
        words += stem::weights_stored({.layers = {stack.layers[layer]}});
    return words;
}

WorkPerToken FamilyDecode::work() const {
    stem::Work sum;
    for (const std::uint32_t layer : feed_forward(checked.programs.stack))
        for (const auto& each : run.runs) sum += stem::layer_work(*each.program, layer);
    const auto steps = static_cast<double>(run.steps.size());
    return {static_cast<double>(sum.macs) / steps, static_cast<double>(sum.weights_read) / steps};
}

std::vector<FamilyMember> chosen_decoders(const std::vector<std::string>& asked) {
    std::vector<FamilyMember> decoders;
    for (const std::string name : kFamily)
        if (asked.empty() || name == kFamily.front() ||
            std::find(asked.begin(), asked.end(), name) != asked.end())
            decoders.push_back({name});
    return decoders;
}

FamilyDecodes decode_family(const std::vector<FamilyMember>& members, std::uint32_t steps,
                            std::uint32_t start, const FamilyProgress& progress) {
    FamilyDecodes decodes;
    for (const FamilyMember& member : members) {
        progress(member.name);
        decodes.push_back(std::make_unique<FamilyDecode>(
            member,
            compiled(member, "structured", std::max(steps, stem::kCheckedSteps), member.dispatch()),
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
        const FamilyMember& member = decode->member;
        progress(member.name);
        add(stem::stack_checks(decode->checked));
        if (member.dispatch() == stem::Dispatch::on_chip)
            add(stem::dispatch_checks(
                decode->checked,
                {compiled(member, "structured", stem::kCheckedSteps, stem::Dispatch::host),
                 stem::kCheckedSteps}));
        const stem::StackRuns random(
            compiled(member, "random", model::kRandomSteps, member.dispatch()),
            model::kRandomSteps);
        stem::Agreement agreement;
        for (const stem::StackRun& run : random.runs)
            agreement += stem::compare_with_float(random.programs.stack, random.thresholds, run);
        add(stem::float_checks("random_" + member.name, agreement,
                               feed_forward(random.programs.stack).size()));
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
        tasks.push_back({decode->name(), decode->checked.programs.target,
                         model::jobs_of(decode->run.runs), decode->run.total().total});
    return tasks;
}

}  // namespace capra::tools
