#include "mutation/cxx_runtime.hpp"

#include <unistd.h>

#include <limits>

namespace capra_mut {

std::uint32_t selected = 0;
std::uint64_t steps = 0;
std::uint64_t step_limit = std::numeric_limits<std::uint64_t>::max();
bool reached[kMostMutants + 1] = {};
bool not_built[kMostMutants + 1] = {};

void (*before_stop)() = nullptr;

void stop() {
    if (before_stop != nullptr) before_stop();
    ::_exit(kStopped);
}

}  // namespace capra_mut
