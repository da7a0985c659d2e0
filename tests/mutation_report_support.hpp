// A small campaign for the tests of its reports: mutants of one line that every format has to
// escape something of.
#pragma once

#include "mutation/report.hpp"
#include "mutation/tally.hpp"

#include <string>
#include <vector>

namespace capra::mutation {

inline Sources sources() {
    return {{"rtl/x.v",
             "module x;\n  if (a < b && \"</script>\") c = `ONE;  // & <so on>\nendmodule\n"}};
}

inline Trial planted(Verdict verdict) {
    return {.mutant = {.id = "rtl/x.v:2:9:relational:" + std::to_string(static_cast<int>(verdict)),
                       .suite = "rtl",
                       .file = "rtl/x.v",
                       .line = 2,
                       .column = 9,
                       .op = "relational",
                       .begin = 18,
                       .end = 19,
                       .original = "<",
                       .replacement = "<="},
            .verdict = verdict,
            .killers = verdict == Verdict::killed
                           ? std::vector<std::string>{"A1", "model_tests/Graphs.law"}
                           : std::vector<std::string>{},
            .detail = "a detail"};
}

/// Every verdict once, in their order.
inline std::vector<Trial> one_of_each() {
    std::vector<Trial> trials;
    for (std::size_t i = 0; i < kVerdicts; ++i) trials.push_back(planted(static_cast<Verdict>(i)));
    return trials;
}

/// A curated mutant that is nowhere in its file.
inline Trial unplaced() {
    return {.mutant = {.id = "chapter/gone",
                       .suite = "chapter",
                       .file = "model/y.cpp",
                       .op = "curated",
                       .original = "gone"},
            .verdict = Verdict::not_applied,
            .detail = "its anchor matches 0 times"};
}

}  // namespace capra::mutation
