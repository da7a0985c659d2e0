#include "sim/rtl_messages.hpp"

#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

namespace {

/// A model is evaluated, and its errors are looked at, on one thread.
thread_local std::string messages;

}  // namespace

int capra_rtl_print(const char* format, ...) {
    std::array<char, 1024> line;
    va_list arguments;
    va_start(arguments, format);
    const int length = std::vsnprintf(line.data(), line.size(), format, arguments);
    va_end(arguments);
    messages += line.data();
    return length;
}

/// Called by Verilator when a model cannot be simulated at all (it does not converge).
void vl_fatal(const char* file, int line, const char* scope, const char* message);
void vl_fatal(const char* file, int line, const char* /*scope*/, const char* message) {
    std::fprintf(stderr, "%s%s:%d: %s\n", messages.c_str(), file, line, message);
    std::abort();
}

namespace capra::sim {

std::string take_rtl_messages() {
    std::string first = messages.substr(0, messages.find('\n'));
    messages.clear();
    return first;
}

}  // namespace capra::sim
