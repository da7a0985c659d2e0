// What a Verilated model has to say (an assertion that failed) is kept instead of printed, so that
// it can be part of the fault. Verilator's runtime is compiled with this as its printf.
#pragma once

#include <string>

/// Verilator's printf: appends to the messages of this thread.
extern "C" int capra_rtl_print(const char* format, ...) __attribute__((format(printf, 1, 2)));

namespace capra::sim {

/// The first line the models of this thread have printed since the last call.
std::string take_rtl_messages();

}  // namespace capra::sim
