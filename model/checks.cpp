#include "model/checks.hpp"

#include <algorithm>

namespace capra::model {
namespace {

void append(Checks& all, Checks more) {
    all.insert(all.end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
}

}  // namespace

bool all_ok(const Checks& checks) {
    return !checks.empty() &&
           std::all_of(checks.begin(), checks.end(), [](const Check& c) { return c.ok; });
}

Checks run_all_checks(const Progress& progress) {
    Checks all;
    progress("float models");
    const auto structured = structured_model(1);
    append(all, structured_float_checks(structured));
    append(all, random_float_checks());
    progress("decodes from every start");
    const ChipRuns routed(compile_model(structured, DecoderKind::routed, kCheckedSteps),
                          kCheckedSteps);
    const ChipRuns dense(compile_model(structured, DecoderKind::dense, kCheckedSteps),
                         kCheckedSteps);
    const ChipRuns single(compile_model(tiny_model(1), DecoderKind::single, kCheckedSteps),
                          kCheckedSteps);
    progress("chip against float and against the integer interpreter");
    append(all, routed_checks(routed));
    append(all, handover_checks(routed));
    append(all, dense_checks(dense, routed));
    append(all, single_checks(single));
    append(all, dispatch_checks(routed.compiled));
    append(all, cost_checks(single, routed, dense));
    progress("routes on random models, seeds 1 to 30");
    append(all, random_chip_checks(measure_random_models(1, 3, kRandomSteps),
                                   measure_random_models(4, 30, kRandomSteps)));
    return all;
}

}  // namespace capra::model
