// Grades exercise 14: tables of activation functions, by double precision and on the machine.
#include "exercises/14-activation-table/exercise.hpp"
#include "isa/assembler.hpp"
#include "sim/model_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace capra::exercise {
namespace {

constexpr int kLowest = -128;
constexpr int kHighest = 127;
constexpr double kHalf = 0.5 + 1e-9;  ///< steps that an entry may be off, halves either way

double sigmoid(double v) {
    return 1 / (1 + std::exp(-v));
}

double silu(double v) {
    return v * sigmoid(v);
}

double gelu(double v) {
    return v / 2 * (1 + std::erf(v / std::sqrt(2)));
}

struct Case {
    std::string name;
    Activation function;
    double x_scale = 0;
    double y_scale = 0;

    /// The function in steps of the output, for an input in steps.
    [[nodiscard]] double steps(int input) const { return function(input * x_scale) / y_scale; }
};

const std::vector<Case>& cases() {
    static const std::vector<Case> all = {
        {"sigmoid, 1/16 to 1/127", sigmoid, 1.0 / 16, 1.0 / 127},
        {"sigmoid of a gate with bias 2, 3/64 to 1/127", [](double v) { return sigmoid(v + 2); },
         3.0 / 64, 1.0 / 127},
        {"silu, 1/16 to 1/16", silu, 1.0 / 16, 1.0 / 16},
        {"silu, 1/8 to 1/16", silu, 1.0 / 8, 1.0 / 16},
        {"gelu, 1/40 to 1/32", gelu, 1.0 / 40, 1.0 / 32},
        {"tanh, 1/32 to 1/160", [](double v) { return std::tanh(v); }, 1.0 / 32, 1.0 / 160}};
    return all;
}

/// Entry i as a function of the signed value of byte i.
template <typename Entry>
Table table_of(const Entry& entry) {
    Table table{};
    for (int i = 0; i < 256; ++i) table[i] = static_cast<std::int8_t>(entry(i < 128 ? i : i - 256));
    return table;
}

int nearest(double steps) {
    return static_cast<int>(std::clamp(std::floor(steps + 0.5), double{kLowest}, double{kHighest}));
}

/// The entry that wraps round where the right one saturates.
int wrapped(double steps) {
    return static_cast<std::int8_t>(std::lround(steps));
}

struct Mistake {
    std::function<int(const Case&, int input)> entry;
    std::string hint;
};

const std::vector<Mistake>& mistakes() {
    static const std::vector<Mistake> all = {
        {[](const Case& c, int v) { return nearest(c.steps(v < 0 ? v + 128 : v - 128)); },
         "entry 0 was made for -128: entries 0..127 belong to 0..127, the negative values follow"},
        {[](const Case& c, int v) { return nearest(c.steps(v < 0 ? v + 256 : v)); },
         "entries 128..255 were made for inputs 128..255; the bytes are signed"},
        {[](const Case& c, int v) { return nearest(c.function(v * c.y_scale) / c.x_scale); },
         "the two scales are swapped"},
        {[](const Case& c, int v) { return nearest(c.function(v) / c.y_scale); },
         "the input was taken for a real number: it is in steps"},
        {[](const Case& c, int v) { return static_cast<int>(std::trunc(c.steps(v))); },
         "the fraction was cut off, and not rounded"},
        {[](const Case& c, int v) { return wrapped(c.steps(v)); },
         "what does not fit into eight bits came out with another sign: it must saturate"},
        {[](const Case& c, int v) { return std::max(nearest(c.steps(v)), -kHighest); },
         "int8 reaches down to -128"}};
    return all;
}

std::string hint_for(const Case& c, const Table& got) {
    if (got == Table{}) return "every entry is 0: a real value of 1 is many steps of y_scale";
    for (const Mistake& mistake : mistakes())
        if (got == table_of([&](int v) { return mistake.entry(c, v); })) return mistake.hint;
    return "an input of v steps is v * x_scale, a result r is r / y_scale steps";
}

/// How far the entry of this input is from the function, as far as eight bits reach.
double error_of(const Case& c, int input, int entry) {
    return std::fabs(entry - std::clamp(c.steps(input), double{kLowest}, double{kHighest}));
}

std::optional<Verdict> check(const Case& c, const Table& got) {
    for (int i = 0; i < 256; ++i) {
        const int input = i < 128 ? i : i - 256;
        if (error_of(c, input, got[i]) <= kHalf) continue;
        return Verdict{.law = "An entry is half a step off at most, or it is saturated.",
                       .where = fmt::format("{}: entry {}, for the input {} = {:.4f}", c.name, i,
                                            input, input * c.x_scale),
                       .expected = fmt::format("{:.4f} = {:.2f} steps",
                                               c.function(input * c.x_scale), c.steps(input)),
                       .got = std::to_string(got[i]),
                       .hint = hint_for(c, got)};
    }
    return std::nullopt;
}

/// What LUT makes of the inputs -128..127 on the C++ machine.
std::vector<std::int32_t> looked_up(const Table& table) {
    constexpr std::uint32_t kTableAddress = 256;
    const isa::Program program = isa::assemble(
        ".memory 512\nLD d=0 n=512 x=0\nLUT d=0 a=0 b=256 n=256\nST a=0 n=256 x=0\nHALT\n",
        "table");
    std::vector<std::int32_t> memory(kTableAddress + table.size());
    for (int v = kLowest; v <= kHighest; ++v) memory[v - kLowest] = v;
    std::copy(table.begin(), table.end(), memory.begin() + kTableAddress);
    return sim::ModelEngine(isa::reference_target()).run_one(program, memory).memory;
}

std::string measured(const Case& c, const Table& table) {
    const auto values = looked_up(table);
    double worst = 0;
    int saturated = 0;
    for (int v = kLowest; v <= kHighest; ++v) {
        worst = std::max(worst, error_of(c, v, values[v - kLowest]));
        saturated += c.steps(v) > kHighest + 0.5 || c.steps(v) < kLowest - 0.5 ? 1 : 0;
    }
    return fmt::format("\n{:6.3f} {:5} {}", worst, saturated, c.name);
}

}  // namespace

Verdict grade(const decltype(answer)& candidate) {
    std::string results;
    for (const Case& c : cases()) {
        const Table table = candidate(c.function, c.x_scale, c.y_scale);
        if (const auto verdict = check(c, table)) return *verdict;
        results += measured(c, table);
    }
    return {.passed = true,
            .law = "every entry of six tables",
            .got =
                "with LUT on the machine, the largest error in steps,\nand how many of 256 "
                "inputs saturate:" +
                results};
}

}  // namespace capra::exercise
