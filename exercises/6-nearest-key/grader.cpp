// Grades exercise 6: an assembler program that names the nearest of four keys.
#include "exercises/program_checks.hpp"
#include "isa/assembler.hpp"
#include "isa/files.hpp"
#include "isa/target.hpp"
#include "sim/model_engine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <random>
#include <vector>

namespace capra::exercise {
namespace {

constexpr std::uint32_t kWidth = 16;
constexpr std::uint32_t kKeys = 4;
constexpr std::uint32_t kKeyAddress = 16;
constexpr std::uint32_t kIndexAddress = 80;
constexpr std::uint32_t kScoreAddress = 81;
constexpr std::uint32_t kEnd = 85;
constexpr int kShift = 11;
constexpr std::uint64_t kMostCycles = 240;
const std::string kCostHint =
    "every LD waits 9 cycles for its first word, and every instruction is fetched and decoded in 2";

using Scores = std::array<std::int32_t, kKeys>;

std::int32_t scaled(std::int32_t sum, int shift) {
    const std::int32_t rounded = shift == 0 ? sum : (sum + (1 << (shift - 1))) >> shift;
    return std::clamp(rounded, -128, 127);
}

/// Scores for keys whose value i stands `step` words behind value i - 1, `apart` words between
/// keys.
Scores scores_of(const std::vector<std::int32_t>& memory, int shift, std::uint32_t apart = kWidth,
                 std::uint32_t step = 1) {
    Scores scores{};
    for (std::uint32_t j = 0; j < kKeys; ++j) {
        std::int32_t sum = 0;
        for (std::uint32_t i = 0; i < kWidth; ++i)
            sum += memory[i] * memory[kKeyAddress + j * apart + i * step];
        scores[j] = scaled(sum, shift);
    }
    return scores;
}

/// Random values, none so large that a score saturates.
MemoryCase drawn(std::mt19937& rng, std::string name) {
    MemoryCase result{std::move(name), std::vector<std::int32_t>(kEnd, 99)};
    std::uniform_int_distribution<std::int32_t> value(-100, 100);
    std::generate_n(result.memory.begin(), kIndexAddress, [&] { return value(rng); });
    return result;
}

std::vector<MemoryCase> cases() {
    std::mt19937 rng(6);
    std::vector<MemoryCase> all = {drawn(rng, "drawn vectors"), drawn(rng, "other drawn vectors")};
    MemoryCase tie = drawn(rng, "keys 1 and 3 are both the query itself");
    for (const std::uint32_t key : {1U, 3U})
        std::copy_n(tie.memory.begin(), kWidth, tie.memory.begin() + kKeyAddress + key * kWidth);
    all.push_back(tie);
    MemoryCase halves{"dot products of +1024 and -1024, half a step",
                      std::vector<std::int32_t>(kEnd, 0)};
    halves.memory[0] = 32;
    for (std::uint32_t j = 0; j < kKeys; ++j)
        halves.memory[kKeyAddress + j * kWidth] = j % 2 == 0 ? -32 : 32;
    all.push_back(halves);
    return all;
}

Scores stored_scores(const std::vector<std::int32_t>& memory) {
    Scores scores{};
    std::copy_n(memory.begin() + kScoreAddress, kKeys, scores.begin());
    return scores;
}

/// What wrong scores look like, if it can be told.
std::string score_hint(const MemoryCase& c, const Scores& got) {
    if (got == scores_of(c.memory, kShift, 1, kKeys))
        return "these are the scores for keys stored column by column; see field bt of MM";
    for (int shift = 0; shift <= 20; ++shift)
        if (got == scores_of(c.memory, shift))
            return fmt::format("these are the dot products divided by 2^{}; see RQ", shift);
    return "docs/isa.md: MM writes accumulators, RQ brings them to int8 in the scratchpad";
}

std::optional<Verdict> check_result(const MemoryCase& c, const std::vector<std::int32_t>& memory) {
    const Scores want = scores_of(c.memory, kShift);
    const Scores got = stored_scores(memory);
    if (got != want)
        return Verdict{.law = "Words 81..84 hold the four scores.",
                       .where = c.name,
                       .expected = fmt::format("{}", fmt::join(want, " ")),
                       .got = fmt::format("{}", fmt::join(got, " ")),
                       .hint = score_hint(c, got)};
    const auto best = std::max_element(want.begin(), want.end()) - want.begin();
    if (memory[kIndexAddress] != best)
        return Verdict{.law = "Word 80 holds the index of the largest score.",
                       .where = c.name,
                       .expected = std::to_string(best),
                       .got = std::to_string(memory[kIndexAddress]),
                       .hint = fmt::format("the scores are {}: which row does your AMAX read?",
                                           fmt::join(want, " "))};
    return check_other_words(c, {kIndexAddress, kEnd}, memory);
}

}  // namespace

Verdict grade_answer(const std::string& path) {
    const isa::Program program = isa::assemble(read_file(path), path);
    const isa::Target target = isa::reference_target();
    const sim::Verification safety = sim::verify(program, target);
    if (const auto verdict = check_safety(safety)) return *verdict;
    if (const auto verdict = check_memory_words(program, kEnd)) return *verdict;
    const std::vector<MemoryCase> all = cases();
    sim::ModelEngine machine(target);
    for (const MemoryCase& c : all)
        if (const auto verdict = check_result(c, machine.run_one(program, c.memory).memory))
            return *verdict;
    if (const auto verdict = check_cost(safety.counters, kMostCycles, kCostHint)) return *verdict;
    if (const auto verdict = check_rtl(program, target, all)) return *verdict;
    return {.passed = true,
            .law = fmt::format("{} cases, {} cycles each, C++ machine and RTL agree", all.size(),
                               safety.counters.total)};
}

}  // namespace capra::exercise
