// What the judge can be asked to do.
#pragma once

#include "mutation/cxx_judge_protocol.hpp"

#include <chrono>
#include <functional>
#include <vector>

namespace capra::mutation::cxx {

/// Runs every test unbroken, each in a process of its own, `jobs` at a time. One that takes longer
/// than the limit has not passed.
Coverage measure_coverage(unsigned jobs, std::chrono::seconds limit);

/// Carries out the orders, `jobs` at a time, and calls `done` for each as it ends. A test that does
/// not end is no answer as long as another one may fail: what kills a mutant must not depend on
/// which test came first.
void carry_out(const std::vector<Order>& orders, unsigned jobs, std::chrono::seconds limit,
               const std::function<void(const Answer&)>& done);

}  // namespace capra::mutation::cxx
