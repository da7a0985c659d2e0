// What a campaign found out about one mutant.
#pragma once

#include "mutation/mutant.hpp"

#include <string>
#include <vector>

namespace capra::mutation {

struct Trial {
    Mutant mutant;
    Verdict verdict = Verdict::survived;
    std::vector<std::string> killers;  ///< names of the checks that saw it, the first one first
    std::string detail;  ///< one line: the difference seen, or why it is equivalent or not built
};

/// True if a check noticed it.
inline bool was_seen(const Trial& trial) {
    return trial.verdict == Verdict::killed || trial.verdict == Verdict::timeout;
}

}  // namespace capra::mutation
