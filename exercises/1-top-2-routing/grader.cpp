// Grades exercise 1: which programs were started, on which words, and what was made of the results.
#include "exercises/1-top-2-routing/exercise.hpp"
#include "exercises/memory.hpp"
#include "model/chip_decoder.hpp"
#include "sim/model_engine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace capra::exercise {
namespace {

constexpr std::uint32_t kExperts = 4;
constexpr std::uint32_t kSingleSteps = 4;
constexpr std::uint32_t kDecodedSteps = 24;

/// Scores that tell the usual mistakes apart; the first is as plain as can be.
constexpr std::array<std::int32_t, kExperts> kScores[] = {
    {30, 90, 20, 10}, {-90, -20, -50, -128}, {7, 40, 3, 40}, {5, 60, 9, 9}, {0, 0, 0, 0},
};

const isa::Symbol& input(const isa::Program& program, std::string_view name) {
    return isa::find_symbol(program, isa::SymbolKind::input, name);
}

/// Watches one step.
class Overseer {
  public:
    Overseer(const model::CompiledModel& compiled, const Attended& attended, std::string where)
        : compiled_(compiled),
          attended_(attended),
          where_(std::move(where)),
          machine_(compiled.target) {
        const std::vector<double> scores(attended.router.begin(), attended.router.end());
        right_ = model::top_experts(scores, 2);
    }

    /// The step if there is no mistake in it; throws the first one.
    Step grade(const decltype(answer)& candidate) {
        const Chip chip{
            [this](std::uint32_t e) -> const isa::Program& {
                return program_of(compiled_.experts, e);
            },
            [this](std::uint32_t e) -> const isa::Program& {
                return program_of(compiled_.second_experts, e);
            },
            [this](const isa::Program& p, const Memory& memory) { return run(p, memory); }};
        const Step got = candidate(chip, attended_);
        check_result(got);
        return got;
    }

  private:
    [[noreturn]] void wrong(Verdict verdict) const {
        verdict.where =
            fmt::format("{}, router scores {}{}{}", where_, fmt::join(attended_.router, " "),
                        verdict.where.empty() ? "" : "; ", verdict.where);
        throw FirstMistake{verdict};
    }

    const isa::Program& program_of(const std::vector<model::CompiledProgram>& programs,
                                   std::uint32_t e) const {
        if (e >= programs.size())
            wrong({.law = "There are experts 0..3.", .got = fmt::format("expert {}", e)});
        return programs[e].program;
    }

    Ran run(const isa::Program& program, const Memory& memory) {
        if (runs_ == 2) wrong({.law = "A step runs two expert programs.", .got = "a third run"});
        const auto& programs = runs_ == 0 ? compiled_.experts : compiled_.second_experts;
        const auto at = std::find_if(programs.begin(), programs.end(), [&](const auto& entry) {
            return entry.program.name == program.name;
        });
        if (at == programs.end())
            wrong({.law = "The first expert's program makes y, the second's takes it.",
                   .where = runs_ == 0 ? "first run" : "second run",
                   .got = program.name,
                   .hint = "a first program ends with y, a second one begins with it"});
        check_expert(static_cast<std::uint32_t>(at - programs.begin()));
        check_memory(at->program, memory);
        ++runs_;
        const auto result = machine_.run_one(at->program, memory);
        cycles_ += result.counters.total;
        const std::string_view output = runs_ == 1 ? "y" : "token";
        const auto cells =
            cells_of(result.memory, isa::find_symbol(at->program, isa::SymbolKind::output, output));
        if (runs_ == 1) y_ = cells;
        if (runs_ == 2) token_ = static_cast<std::uint32_t>(cells.front());
        return {result.memory, result.counters.total};
    }

    void check_expert(std::uint32_t got) const {
        const std::uint32_t want = right_[runs_];
        if (got == want) return;
        wrong({.law = runs_ == 0 ? "The first expert has the highest score."
                                 : "The second expert has the highest score of the others.",
               .where = runs_ == 0 ? "first run" : "second run",
               .expected = fmt::format("expert {}", want),
               .got = fmt::format("expert {}", got),
               .hint = expert_hint(got, want)});
    }

    [[nodiscard]] std::string expert_hint(std::uint32_t got, std::uint32_t want) const {
        if (runs_ == 1 && got == right_[0]) return "this expert has run already: it is added twice";
        if (attended_.router[got] == attended_.router[want])
            return "both have the same score: then the lower index comes first";
        const auto top = *std::max_element(attended_.router.begin(), attended_.router.end());
        if (top < 0) return "all scores are below zero: what is the largest one compared with?";
        if (runs_ == 1 && got == (right_[0] + 1) % kExperts)
            return "this is the neighbour of the first: look at the scores, not at the index";
        return "router[e] is the score of expert e";
    }

    void check_memory(const isa::Program& program, const Memory& got) const {
        Memory want = isa::initial_memory(program);
        const auto place = [&](std::string_view name, const Memory& cells) {
            std::copy(cells.begin(), cells.end(), want.begin() + input(program, name).address);
        };
        place("h", attended_.h);
        if (runs_ == 1) place("y", y_);
        if (got == want) return;
        const std::string run = runs_ == 0 ? "first run" : "second run";
        if (got.size() != want.size())
            wrong({.law = "External memory has the program's memory_words.",
                   .where = run,
                   .expected = std::to_string(want.size()),
                   .got = std::to_string(got.size())});
        if (cells_of(got, input(program, "h")) != attended_.h)
            wrong({.law = "Both programs are given the h that A stored.",
                   .where = run,
                   .expected = fmt::format("{}", fmt::join(attended_.h, " ")),
                   .got = fmt::format("{}", fmt::join(cells_of(got, input(program, "h")), " "))});
        if (runs_ == 1) check_y(cells_of(got, input(program, "y")));
        wrong({.law = "All but the inputs is as initial_memory made it.", .where = run});
    }

    void check_y(const Memory& got) const {
        if (got == y_) return;
        std::string hint = "copy the 16 cells as they are: both programs have one scale for y";
        if (std::all_of(got.begin(), got.end(), [](int cell) { return cell == 0; }))
            hint = "it is empty";
        if (got == attended_.h) hint = "this is h: what the first expert added is lost";
        wrong({.law = "The second program is given the y that the first one stored.",
               .where = "second run",
               .expected = fmt::format("{}", fmt::join(y_, " ")),
               .got = fmt::format("{}", fmt::join(got, " ")),
               .hint = hint});
    }

    void check_result(const Step& got) const {
        if (runs_ != 2)
            wrong({.law = "A step runs two expert programs.",
                   .got = fmt::format("{} run{}", runs_, runs_ == 1 ? "" : "s")});
        if (got.token != token_)
            wrong({.law = "The token is what the second program stored.",
                   .expected = std::to_string(token_),
                   .got = std::to_string(got.token)});
        if (got.cycles != attended_.cycles + cycles_)
            wrong({.law = "The cycles are those of A and of both expert programs.",
                   .expected = std::to_string(attended_.cycles + cycles_),
                   .got = std::to_string(got.cycles),
                   .hint = cycles_hint(got.cycles)});
    }

    [[nodiscard]] std::string cycles_hint(std::uint64_t got) const {
        if (got == cycles_) return "A is missing";
        if (got < attended_.cycles + cycles_ && got > attended_.cycles)
            return "one of the expert programs is missing";
        return "";
    }

    const model::CompiledModel& compiled_;
    const Attended& attended_;
    std::string where_;
    sim::ModelEngine machine_;
    model::Experts right_;
    std::size_t runs_ = 0;
    Memory y_;
    std::uint32_t token_ = 0;
    std::uint64_t cycles_ = 0;  ///< of the expert programs so far
};

model::CompiledModel compiled_top2(const model::LanguageModel& language_model,
                                   std::uint32_t steps) {
    return model::compile_model(language_model, model::DecoderKind::routed, steps,
                                isa::reference_target(), {.top = 2});
}

/// What A stored, of the program that a decoder ran last.
Attended attended_by(const model::ChipDecoder& decoder) {
    const auto& run = decoder.runs().back();
    const auto stored = [&](std::string_view name) {
        return cells_of(run.result.memory,
                        isa::find_symbol(*run.program, isa::SymbolKind::output, name));
    };
    return {stored("router"), stored("h"), run.result.counters.total};
}

/// Single steps: real hidden states, with the scores above and with their own.
void check_single_steps(const decltype(answer)& candidate) {
    const auto compiled = compiled_top2(model::random_model(1), kSingleSteps);
    sim::ModelEngine engine(compiled.target);
    model::ChipDecoder decoder(compiled, engine);
    (void)decoder.attend(3);
    Attended attended = attended_by(decoder);
    const auto own = attended.router;
    for (const auto& scores : kScores) {
        attended.router.assign(scores.begin(), scores.end());
        (void)Overseer(compiled, attended, "a single step").grade(candidate);
    }
    attended.router = own;
    for (std::uint32_t step = 1; step <= kSingleSteps; ++step) {
        const Step got = Overseer(compiled, attended, fmt::format("random model, step {}", step))
                             .grade(candidate);
        if (step == kSingleSteps) return;
        (void)decoder.attend(got.token);
        attended = attended_by(decoder);
    }
}

/// A decode of the structured model; returns the cycles that the student counted, which are right.
std::uint64_t check_decode(const decltype(answer)& candidate) {
    const auto compiled = compiled_top2(model::structured_model(1), kDecodedSteps);
    sim::ModelEngine engine(compiled.target);
    model::ChipDecoder decoder(compiled, engine);
    std::uint64_t cycles = 0;
    std::uint32_t token = 0;
    for (std::uint32_t step = 1; step <= kDecodedSteps; ++step) {
        (void)decoder.attend(token);
        const Attended attended = attended_by(decoder);
        const Step got =
            Overseer(compiled, attended, fmt::format("structured model, step {}", step))
                .grade(candidate);
        token = got.token;
        cycles += got.cycles;
    }
    return cycles;
}

}  // namespace

Verdict grade(const decltype(answer)& candidate) {
    try {
        check_single_steps(candidate);
        const std::uint64_t cycles = check_decode(candidate);
        return {.passed = true,
                .law = "two experts, best first, y handed over, every cycle counted",
                .got = fmt::format("{} cycles for {} steps of the structured model", cycles,
                                   kDecodedSteps)};
    } catch (const FirstMistake& mistake) {
        return mistake.verdict;
    }
}

}  // namespace capra::exercise
