#include "exercises/verdict.hpp"

#include "isa/error.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <sstream>

namespace capra::exercise {
namespace {

constexpr std::size_t kColumns = 80;
constexpr std::size_t kIndent = 12;

/// The text with a line break instead of the last space that fits, where a line is too long. A line
/// that begins with a space is part of a table and stays as it is.
std::string wrapped(const std::string& text, std::size_t columns) {
    std::string result;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        while (line.size() > columns && line.front() != ' ') {
            const std::size_t space = line.rfind(' ', columns);
            if (space == std::string::npos) break;
            result += line.substr(0, space) + '\n';
            line.erase(0, space + 1);
        }
        result += line + '\n';
    }
    result.pop_back();
    return result;
}

/// Lines behind the first are indented under their label.
std::string labelled(const std::string& label, const std::string& text) {
    if (text.empty()) return "";
    std::string result = fmt::format("  {:<{}}", label + ":", kIndent - 2);
    for (const char c : wrapped(text, kColumns - kIndent)) {
        result += c;
        if (c == '\n') result += std::string(kIndent, ' ');
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
    const std::string outcome = verdict.passed ? "PASSED: " : "NOT PASSED: ";
    return wrapped(outcome + verdict.law, kColumns) + "\n" + labelled("where", verdict.where) +
           labelled("expected", verdict.expected) +
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
