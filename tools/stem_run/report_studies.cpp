#include "isa/thousands.hpp"
#include "tools/stem_run/report.hpp"
#include "tools/stem_run/row_name.hpp"

#include <fmt/format.h>

namespace capra::tools {
namespace {

std::string of(const stem::Share& share) {
    return fmt::format("{} of {}", share.same, share.all);
}

std::string name_of(const RoutedStudy& study) {
    return row_name(fmt::format("{} {}", study.decoder, study.kind), 21);
}

/// The column is for one; a schedule stands in the JSON.
std::string capacity_of(const RoutedStudy& study) {
    const std::string capacities = study.capacities();
    return capacities.find(',') == std::string::npos ? capacities : "own";
}

void print_dial(const RoutedStudy& study) {
    for (const stem::DialPoint& point : study.dial)
        fmt::print("{} {:>4} {:>11} {:>11} {:>9.1f} % {:>10}\n", name_of(study),
                   to_string(point.capacity), of(point.admitted),
                   point.right.all > 0 ? of(point.right) : "-", 100 * point.logit_distance,
                   thousands(point.cycles));
}

void print_way(const stem::DispatchCost& cost) {
    fmt::print("   {:<8} {:>8} {:>12} {:>7} {:>7} {:>9} {:>9} {:>10}\n",
               stem::dispatch_name(cost.dispatch), cost.programs, thousands(cost.instructions),
               thousands(cost.step_1_cycles), thousands(cost.last_step_cycles),
               thousands(cost.cycles), thousands(cost.words_moved), thousands(cost.host_words));
}

}  // namespace

void print_routed(const std::vector<RoutedStudy>& studies) {
    if (studies.empty()) return;
    fmt::print(
        "4. The routed layer. Expert choice waits for a whole text and admits the\n"
        "   ceil(C T) of its T tokens with the highest scores; a threshold decides token\n"
        "   by token, by the chip's own int8 score. Constructed and random models, none\n"
        "   of them trained. 16 texts of {} tokens: for a structured model by its rule,\n"
        "   for a random one other texts than those of the calibration. C is that of each\n"
        "   routed layer; own: a schedule.\n\n",
        stem::kCheckedSteps);
    fmt::print("   {:<21} {:>4} {:>19} {:>26}\n", "", "", "admitted by", "the same");
    fmt::print("   {:<21} {:>4} {:>9} {:>9} {:>12} {:>13}\n", "model", "C", "choice", "threshold",
               "admissions", "predictions");
    for (const RoutedStudy& study : studies)
        fmt::print("{} {:>4} {:>9} {:>9} {:>12} {:>13}\n", name_of(study), capacity_of(study),
                   study.admission.by_choice, study.admission.by_threshold,
                   of(study.admission.admissions), of(study.admission.predictions));
    fmt::print(
        "\n   The capacity dial: thresholds are calibrated again, programs and weights\n"
        "   stay. Right: predictions that are the rule's. Logits: mean relative L2 from\n"
        "   C = 1. In a structured layer tokens that need experts score about 3, others\n"
        "   about 1, but for a rounding, and a threshold takes all or none of equals.\n"
        "   Where several layers have a share of the tokens each, the dial has a slope.\n\n");
    fmt::print("   {:<21} {:>4} {:>11} {:>11} {:>11} {:>10}\n", "model", "C", "admitted", "right",
               "logits", "cycles");
    for (const RoutedStudy& study : studies) print_dial(study);
    fmt::print("\n");
}

void print_dispatch(const Studies& studies) {
    if (studies.dispatch.empty()) return;
    fmt::print(
        "{}. Dispatch: the same top-1 experts, started by the host in a second program,\n"
        "   or loaded by the chip (LDX) in one. One scale a weight in both, or they would\n"
        "   not compare; a scale a column, which section 3 has for all weights but the\n"
        "   chip's experts, takes more cycles. Words: moved between external memory and\n"
        "   scratchpad; host words: written and read by the host.\n\n",
        studies.routed.empty() ? 4 : 5);
    fmt::print("   {:<8} {:>8} {:>12} {:>7} {:>7} {:>9} {:>9} {:>10}\n", "by", "programs",
               "instructions", "step 1", "last", "cycles", "words", "host words");
    for (const stem::DispatchCost& cost : studies.dispatch) print_way(cost);
    fmt::print("\n   Tokens decoded: {}.\n", studies.same_tokens() ? "the same" : "NOT the same");
}

}  // namespace capra::tools
