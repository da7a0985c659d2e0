#include "isa/thousands.hpp"
#include "tools/stem_run/report.hpp"

#include <fmt/format.h>

namespace capra::tools {
namespace {

std::string of(const stem::Share& share) {
    return fmt::format("{} of {}", share.same, share.all);
}

std::string name_of(const RoutedStudy& study) {
    return fmt::format("{} {}", study.decoder, study.kind);
}

void print_dial(const RoutedStudy& study) {
    for (const stem::DialPoint& point : study.dial)
        fmt::print("   {:<21} {:>4} {:>11} {:>11} {:>9.1f} % {:>10}\n", name_of(study),
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
        "   for a random one other texts than those of the calibration.\n\n",
        stem::kCheckedSteps);
    fmt::print("   {:<21} {:>4} {:>19} {:>26}\n", "", "", "admitted by", "the same");
    fmt::print("   {:<21} {:>4} {:>9} {:>9} {:>12} {:>13}\n", "model", "C", "choice", "threshold",
               "admissions", "predictions");
    for (const RoutedStudy& study : studies)
        fmt::print("   {:<21} {:>4} {:>9} {:>9} {:>12} {:>13}\n", name_of(study),
                   to_string(study.capacity), study.admission.by_choice,
                   study.admission.by_threshold, of(study.admission.admissions),
                   of(study.admission.predictions));
    fmt::print(
        "\n   The capacity dial: thresholds are calibrated again, programs and weights\n"
        "   stay. Right: predictions that are the rule's. Logits: mean relative L2 from\n"
        "   C = 1. In a structured model tokens that need experts score about 3, others\n"
        "   about 1; a threshold admits all or none of equal scores.\n\n");
    fmt::print("   {:<21} {:>4} {:>11} {:>11} {:>11} {:>10}\n", "model", "C", "admitted", "right",
               "logits", "cycles");
    for (const RoutedStudy& study : studies) print_dial(study);
    fmt::print("\n");
}

void print_dispatch(const Studies& studies) {
    if (studies.dispatch.empty()) return;
    fmt::print(
        "5. Dispatch: the same top-1 experts, started by the host in a second program, or\n"
        "   loaded by the chip (LDX) in one. One scale a weight in both. Words: moved\n"
        "   between external memory and scratchpad; host words: written and read by the\n"
        "   host.\n\n");
    fmt::print("   {:<8} {:>8} {:>12} {:>7} {:>7} {:>9} {:>9} {:>10}\n", "by", "programs",
               "instructions", "step 1", "last", "cycles", "words", "host words");
    for (const stem::DispatchCost& cost : studies.dispatch) print_way(cost);
    fmt::print("\n   Tokens decoded: {}.\n", studies.same_tokens() ? "the same" : "NOT the same");
}

}  // namespace capra::tools
