#include "exercises/program_checks.hpp"

#include "sim/replay.hpp"

#include <fmt/format.h>

namespace capra::exercise {

std::optional<Verdict> check_safety(const sim::Verification& report) {
    if (report.ok()) return std::nullopt;
    const std::string& text = report.findings.front().text;
    Verdict verdict{.law = "`capra verify` finds nothing wrong with the program.", .where = text};
    if (text.find("which nothing wrote") != std::string::npos)
        verdict.hint = "what is in a cell that nothing wrote is not known on a real chip";
    return verdict;
}

std::optional<Verdict> check_memory_words(const isa::Program& program, std::uint32_t end) {
    if (program.memory_words >= end) return std::nullopt;
    return Verdict{.law = "The program's memory holds all that the task sheet puts into it.",
                   .expected = fmt::format(".memory {} or more", end),
                   .got = fmt::format(".memory {}", program.memory_words)};
}

std::optional<Verdict> check_cost(const sim::Counters& counters, std::uint64_t most,
                                  const std::string& hint) {
    if (counters.total <= most) return std::nullopt;
    return Verdict{
        .law = fmt::format("The program takes at most {} cycles.", most),
        .got = fmt::format("{} = matrix {} + dma {} + vector {} + control {}", counters.total,
                           counters.matrix, counters.dma, counters.vector, counters.control),
        .hint = hint};
}

std::optional<Verdict> check_other_words(const MemoryCase& c, Words results,
                                         const std::vector<std::int32_t>& after) {
    for (std::uint32_t word = 0; word < after.size(); ++word) {
        const bool result = word >= results.first && word < results.end;
        const std::int32_t before = word < c.memory.size() ? c.memory[word] : 0;
        if (!result && after[word] != before)
            return Verdict{
                .law = fmt::format("No word but {}..{} changes.", results.first, results.end - 1),
                .where = fmt::format("{}, word {}", c.name, word),
                .expected = std::to_string(before),
                .got = std::to_string(after[word])};
    }
    return std::nullopt;
}

std::optional<Verdict> check_rtl(const isa::Program& program, const isa::Target& target,
                                 const std::vector<MemoryCase>& cases) {
    std::vector<sim::Job> jobs;
    for (const MemoryCase& c : cases) jobs.push_back({&program, c.memory});
    const sim::ReplayReport rtl = sim::replay("verilator", target, jobs);
    if (rtl.pass()) return std::nullopt;
    return Verdict{.law = "The RTL does what the C++ machine does.",
                   .got = sim::to_string(*rtl.divergence)};
}

}  // namespace capra::exercise
