#include "exercises/verdict.hpp"

#include "isa/error.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <exception>

namespace capra::exercise {
namespace {

/// Lines behind the first are indented under their label.
std::string labelled(const std::string& label, const std::string& text) {
    if (text.empty()) return "";
    std::string result = fmt::format("  {:<9} ", label + ":");
    for (const char c : text) {
        result += c;
        if (c == '\n') result += std::string(12, ' ');
    }
    return result + "\n";
}

void limit_time() {
    const rlimit cpu{kCpuSeconds, kCpuSeconds + 1};
    setrlimit(RLIMIT_CPU, &cpu);
    alarm(kClockSeconds);
}

Verdict guarded(const std::function<Verdict()>& grade) {
    try {
        return grade();
    } catch (const Error& error) {
        return {.law = "The answer is free of errors.", .got = error.what()};
    } catch (const std::exception& error) {
        return {.law = "An answer ends without an exception.", .got = error.what()};
    } catch (...) {
        return {.law = "An answer ends without an exception.", .got = "one of an unknown type"};
    }
}

}  // namespace

std::string to_text(const Verdict& verdict) {
    return fmt::format("{}: {}\n", verdict.passed ? "PASSED" : "NOT PASSED", verdict.law) +
           labelled("where", verdict.where) + labelled("expected", verdict.expected) +
           labelled(verdict.passed ? "measured" : "got", verdict.got) +
           labelled("hint", verdict.hint);
}

int report(const std::function<Verdict()>& grade) {
    limit_time();
    const Verdict verdict = guarded(grade);
    fmt::print("{}", to_text(verdict));
    return std::fflush(stdout) == 0 && verdict.passed ? 0 : 1;
}

}  // namespace capra::exercise
