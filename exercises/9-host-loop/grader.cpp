// Grades exercise 9: every run of the student's loop is compared with the project's own host.
#include "exercises/9-host-loop/exercise.hpp"
#include "exercises/memory.hpp"
#include "model/chip_decoder.hpp"
#include "sim/model_engine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

namespace capra::exercise {
namespace {

constexpr std::uint32_t kSteps = 10;
constexpr std::uint32_t kStarts[] = {0, 7};

const isa::Symbol* symbol_at(const isa::Program& program, std::size_t word) {
    for (const isa::Symbol& symbol : program.symbols)
        if (word >= symbol.address && word < symbol.address + symbol.rows * symbol.cols)
            return &symbol;
    return nullptr;
}

/// The student's decode beside the right one.
class Overseer {
  public:
    Overseer(const model::CompiledModel& compiled, const model::DecodeRun& right)
        : compiled_(compiled), right_(right), machine_(compiled.target) {
        for (const auto& context : compiled.contexts) programs_.push_back(context.program);
    }

    Verdict grade(const decltype(answer)& candidate) {
        const Chip chip{programs_,
                        [this](const isa::Program& program, const Memory& memory) {
                            return run(program, memory);
                        },
                        [this](std::uint32_t token) { return embedding(token); }};
        try {
            return check_tokens(candidate(chip, right_.tokens.front(), kSteps));
        } catch (const FirstMistake& mistake) {
            return mistake.verdict;
        }
    }

  private:
    [[nodiscard]] std::string step_name() const {
        return fmt::format("decode from token {}, step {}", right_.tokens.front(), step_ + 1);
    }

    [[noreturn]] void wrong(Verdict verdict) const {
        verdict.where = step_name() + (verdict.where.empty() ? "" : ", ") + verdict.where;
        throw FirstMistake{verdict};
    }

    std::vector<double> embedding(std::uint32_t token) const {
        if (token >= model::kVocabulary)
            wrong({.law = "Embeddings are asked for tokens 0..15.", .got = std::to_string(token)});
        return model::embedding(compiled_.model, token).values;
    }

    Memory run(const isa::Program& program, const Memory& memory) {
        if (step_ == kSteps)
            wrong({.law = "Every step runs one program.",
                   .got = fmt::format("one more run after {} steps", kSteps)});
        const isa::Program& expected = programs_[step_];
        if (program.name != expected.name)
            wrong({.law = "The program of step t attends to t positions.",
                   .expected = expected.name,
                   .got = program.name,
                   .hint = "programs[T - 1] is for T positions, the new one included"});
        check_image(memory);
        ++step_;
        return machine_.run_one(expected, memory).memory;
    }

    void check_image(const Memory& got) const {
        const Memory& want = right_.runs[step_].image;
        if (got.size() != want.size())
            wrong({.law = "External memory has the program's memory_words.",
                   .expected = std::to_string(want.size()),
                   .got = std::to_string(got.size())});
        const auto word = static_cast<std::size_t>(
            std::mismatch(want.begin(), want.end(), got.begin()).first - want.begin());
        if (word != want.size()) explain_cell(want, got, word);
    }

    [[noreturn]] void explain_cell(const Memory& want, const Memory& got, std::size_t word) const {
        Verdict verdict{.where = fmt::format("external word {}", word),
                        .expected = std::to_string(want[word]),
                        .got = std::to_string(got[word])};
        const isa::Symbol* symbol = symbol_at(programs_[step_], word);
        if (symbol == nullptr || symbol->kind != isa::SymbolKind::input) {
            verdict.law = "All but the inputs is as initial_memory made it.";
            verdict.hint = "weights lie there; a row too many may reach over them";
            wrong(verdict);
        }
        const auto cell = static_cast<std::uint32_t>(word - symbol->address);
        verdict.where = fmt::format("{}, row {}, column {} (external word {})", symbol->name,
                                    cell / symbol->cols, cell % symbol->cols, word);
        if (symbol->name == "x") {
            verdict.law = "x is the embedding of the token, quantised with the scale of x.";
            verdict.hint = x_hint(*symbol, cells_of(got, *symbol));
        } else {
            verdict.law = fmt::format("{} holds the rows of the earlier steps, the oldest first.",
                                      symbol->name);
            verdict.hint = cache_hint(*symbol, cells_of(got, *symbol), cells_of(want, *symbol));
        }
        wrong(verdict);
    }

    [[nodiscard]] std::string x_hint(const isa::Symbol& symbol, const Memory& got) const {
        for (std::uint32_t token = 0; token < model::kVocabulary; ++token) {
            const Memory other = quantised(token, symbol.scale);
            if (other == got)
                return fmt::format("this is the embedding of token {}, the token to read is {}",
                                   token, right_.steps[step_].input);
        }
        const Memory right = quantised(right_.steps[step_].input, symbol.scale);
        const bool near = std::equal(right.begin(), right.end(), got.begin(),
                                     [](int a, int b) { return std::abs(a - b) <= 1; });
        if (near) return "it is off by one step of the scale: round half up, also below zero";
        return "stored = floor(real / scale + 1/2), within -128..127";
    }

    [[nodiscard]] Memory quantised(std::uint32_t token, double scale) const {
        Memory result;
        for (const double value : model::embedding(compiled_.model, token).values)
            result.push_back(compiler::quantise_value(value, scale));
        return result;
    }

    /// Which rows of the earlier steps the student's cache really holds.
    [[nodiscard]] std::string cache_hint(const isa::Symbol& symbol, const Memory& got,
                                         const Memory& want) const {
        if (std::all_of(got.begin(), got.end(), [](int cell) { return cell == 0; }))
            return "it is empty";
        const bool keys = symbol.name == "k_cache";
        const std::string other = keys ? "v_cache" : "k_cache";
        const Memory& image = right_.runs[step_].image;
        const auto& there = isa::find_symbol(programs_[step_], isa::SymbolKind::input, other);
        if (got == cells_of(image, there)) return fmt::format("this is what {} should hold", other);
        std::string rows;
        for (std::uint32_t r = 0; r < symbol.rows; ++r)
            rows += " " + row_name(got, want, r, symbol.cols);
        return "its rows are those of step" + rows;
    }

    static std::string row_name(const Memory& got, const Memory& want, std::uint32_t row,
                                std::uint32_t cols) {
        const auto mine = got.begin() + row * cols;
        for (std::uint32_t r = 0; r * cols < want.size(); ++r)
            if (std::equal(mine, mine + cols, want.begin() + r * cols))
                return std::to_string(r + 1);
        return "?";
    }

    Verdict check_tokens(const std::vector<std::uint32_t>& got) {
        if (step_ != kSteps)
            wrong({.law = "Every step runs one program.",
                   .expected = fmt::format("{} runs", kSteps),
                   .got = fmt::format("{} runs", step_)});
        if (got == right_.tokens) return {.passed = true};
        return {.law = "The tokens are the start and what each step's program predicted.",
                .where = fmt::format("decode from token {}", right_.tokens.front()),
                .expected = fmt::format("{}", fmt::join(right_.tokens, " ")),
                .got = fmt::format("{}", fmt::join(got, " "))};
    }

    const model::CompiledModel& compiled_;
    const model::DecodeRun& right_;
    sim::ModelEngine machine_;
    std::vector<isa::Program> programs_;
    std::uint32_t step_ = 0;  ///< runs so far
};

/// One feed-forward block with the weights of the random model, whose embeddings, other than those
/// of the tiny model, tell one rounding from another.
model::LanguageModel one_block_model() {
    model::LanguageModel model = model::random_model(1);
    model.kind = model::ModelKind::tiny;
    model.experts = 1;
    model.wr = {};
    model.w1.resize(1);
    model.w2.resize(1);
    return model;
}

}  // namespace

Verdict grade(const decltype(answer)& candidate) {
    const auto compiled =
        model::compile_model(one_block_model(), model::DecoderKind::single, kSteps);
    sim::ModelEngine engine(compiled.target);
    for (const std::uint32_t start : kStarts) {
        const model::DecodeRun right = model::decode(compiled, engine, kSteps, start);
        const Verdict verdict = Overseer(compiled, right).grade(candidate);
        if (!verdict.passed) return verdict;
    }
    return {.passed = true,
            .law = fmt::format("two decodes of {} steps: every program, every word it was given, "
                               "every token",
                               kSteps)};
}

}  // namespace capra::exercise
