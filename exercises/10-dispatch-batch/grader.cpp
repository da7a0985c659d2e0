// Grades exercise 10: which token ran in which program, what came back, and what it cost.
#include "exercises/10-dispatch-batch/exercise.hpp"
#include "exercises/memory.hpp"
#include "model/chip_decoder.hpp"
#include "sim/decoded_program.hpp"
#include "sim/model_engine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <optional>
#include <random>

namespace capra::exercise {
namespace {

using Tokens = std::vector<std::uint32_t>;

constexpr std::uint32_t kExperts = 4;
constexpr std::array<std::uint32_t, 3> kRows = {1, 2, 4};
constexpr std::uint32_t kSteps = 6;
/// Tokens of each expert in each batch.
constexpr std::array<std::uint32_t, kExperts> kBatches[] = {
    {1, 1, 1, 1}, {3, 0, 1, 4}, {5, 2, 6, 0}, {0, 0, 7, 0}};

/// The programs, and tokens to make batches of.
struct Material {
    model::CompiledModel compiled;
    std::array<std::vector<model::CompiledProgram>, kRows.size()> programs;  // [rows][expert]
    std::array<std::vector<Routed>, kExperts> tokens;                        // no h twice
};

Memory stored(const isa::Program& program, const model::Vector& h) {
    const double scale = isa::find_symbol(program, isa::SymbolKind::input, "h").scale;
    Memory cells;
    for (const double value : h) cells.push_back(compiler::quantise_value(value, scale));
    return cells;
}

Material make_material() {
    Material m{
        model::compile_model(model::random_model(1, kExperts), model::DecoderKind::routed, kSteps),
        {},
        {}};
    for (std::size_t i = 0; i < kRows.size(); ++i)
        m.programs[i] = model::compile_expert_rows(m.compiled, kRows[i]);
    sim::ModelEngine engine(m.compiled.target);
    for (std::uint32_t start = 0; start < model::kVocabulary; ++start)
        for (const auto& step : model::decode(m.compiled, engine, kSteps, start).steps) {
            const Routed token{step.route, stored(m.programs[0][step.route].program, step.h)};
            auto& group = m.tokens[step.route];
            const auto same = [&](const Routed& other) { return other.h == token.h; };
            if (std::none_of(group.begin(), group.end(), same)) group.push_back(token);
        }
    return m;
}

/// A batch with that many tokens of each expert, mixed.
std::vector<Routed> make_batch(const Material& m,
                               const std::array<std::uint32_t, kExperts>& counts) {
    std::vector<Routed> batch;
    for (std::uint32_t e = 0; e < kExperts; ++e) {
        assert(counts[e] <= m.tokens[e].size());
        batch.insert(batch.end(), m.tokens[e].begin(), m.tokens[e].begin() + counts[e]);
    }
    std::mt19937 rng(10);
    for (std::size_t i = batch.size(); i > 1; --i) std::swap(batch[i - 1], batch[rng() % i]);
    return batch;
}

/// Watches one batch being dispatched.
class Overseer {
  public:
    Overseer(const Material& m, const std::vector<Routed>& batch)
        : m_(m), batch_(batch), machine_(m.compiled.target), runs_of_token_(batch.size()) {}

    Verdict grade(const decltype(answer)& candidate) {
        const Experts experts{
            kExperts,
            [this](std::uint32_t e, std::uint32_t rows) -> const isa::Program& {
                return program(e, rows);
            },
            [this](const isa::Program& p, const Memory& memory) { return run(p, memory); }};
        try {
            const Tokens got = candidate(experts, batch_);
            if (auto v = check_all_ran()) return *v;
            if (auto v = check_tokens(got)) return *v;
            if (auto v = check_cost()) return *v;
        } catch (const FirstMistake& mistake) {
            return mistake.verdict;
        }
        return {.passed = true};
    }

    [[nodiscard]] std::uint64_t cycles() const {
        std::uint64_t sum = 0;
        for (const std::uint64_t c : cycles_of_expert_) sum += c;
        return sum;
    }

  private:
    const isa::Program& program(std::uint32_t e, std::uint32_t rows) const {
        const auto at = std::find(kRows.begin(), kRows.end(), rows);
        if (e >= kExperts || at == kRows.end())
            throw FirstMistake{{.law = "There are programs of experts 0..3 for 1, 2 and 4 rows.",
                                .got = fmt::format("expert {}, {} rows", e, rows)}};
        return m_.programs[static_cast<std::size_t>(at - kRows.begin())][e].program;
    }

    /// Which of our programs the student's is: expert and rows.
    std::pair<std::uint32_t, std::uint32_t> identify(const isa::Program& p) const {
        for (std::uint32_t e = 0; e < kExperts; ++e)
            for (const std::uint32_t rows : kRows)
                if (program(e, rows).name == p.name) return {e, rows};
        throw FirstMistake{{.law = "Only the experts' programs are run.", .got = p.name}};
    }

    Memory run(const isa::Program& p, const Memory& memory) {
        const auto [expert, rows] = identify(p);
        const isa::Program& ours = program(expert, rows);
        const Memory constants = isa::initial_memory(ours);
        if (memory.size() != constants.size())
            throw FirstMistake{{.law = "External memory has the program's memory_words.",
                                .where = p.name,
                                .expected = std::to_string(constants.size()),
                                .got = std::to_string(memory.size())}};
        check_constants(ours, constants, memory);
        note_rows(ours, expert, rows, memory);
        const sim::Result result = machine_.run_one(ours, memory);
        cycles_of_expert_[expert] += result.counters.total;
        ++programs_of_expert_[expert];
        return result.memory;
    }

    static void check_constants(const isa::Program& p, const Memory& want, const Memory& got) {
        const auto& h = isa::find_symbol(p, isa::SymbolKind::input, "h");
        for (std::uint32_t word = 0; word < want.size(); ++word) {
            const bool is_input = word >= h.address && word < h.address + h.rows * h.cols;
            if (!is_input && want[word] != got[word])
                throw FirstMistake{{.law = "All but h is as initial_memory made it.",
                                    .where = fmt::format("{}, external word {}", p.name, word),
                                    .expected = std::to_string(want[word]),
                                    .got = std::to_string(got[word])}};
        }
    }

    void note_rows(const isa::Program& p, std::uint32_t expert, std::uint32_t rows,
                   const Memory& memory) {
        const auto& h = isa::find_symbol(p, isa::SymbolKind::input, "h");
        bool useful = false;
        for (std::uint32_t r = 0; r < rows; ++r) {
            const auto first = memory.begin() + h.address + r * h.cols;
            const auto found = std::find_if(batch_.begin(), batch_.end(), [&](const Routed& t) {
                return std::equal(t.h.begin(), t.h.end(), first);
            });
            if (found == batch_.end()) continue;
            const auto index = static_cast<std::size_t>(found - batch_.begin());
            if (found->expert != expert) throw FirstMistake{wrong_expert(index, p, r)};
            useful = true;
            runs_of_token_[index].push_back(programs_run_);
        }
        if (!useful) throw FirstMistake{no_token(p, expert)};
        ++programs_run_;
    }

    [[nodiscard]] std::size_t tokens_of(std::uint32_t expert) const {
        return static_cast<std::size_t>(std::count_if(
            batch_.begin(), batch_.end(), [&](const Routed& t) { return t.expert == expert; }));
    }

    [[nodiscard]] Verdict no_token(const isa::Program& p, std::uint32_t expert) const {
        return {.law = "Every program that runs has a token of the batch.",
                .where = p.name,
                .got = "no row of its h is the h of a token",
                .hint = tokens_of(expert) == 0
                            ? "no token of this batch chose that expert"
                            : "row r of h begins r * cols words behind its address"};
    }

    [[nodiscard]] Verdict wrong_expert(std::size_t index, const isa::Program& p,
                                       std::uint32_t row) const {
        return {.law = "Every token goes to the expert that its router chose.",
                .where = fmt::format("token {} of the batch, in row {} of {}", index, row, p.name),
                .expected = fmt::format("expert {}", batch_[index].expert),
                .got = fmt::format("expert {}", identify(p).first)};
    }

    [[nodiscard]] std::optional<Verdict> check_all_ran() const {
        for (std::size_t i = 0; i < batch_.size(); ++i) {
            auto runs = runs_of_token_[i];
            // A token that fills up rows which are left over is still in one program.
            runs.erase(std::unique(runs.begin(), runs.end()), runs.end());
            if (runs.size() == 1) continue;
            return Verdict{
                .law = "Every token runs once.",
                .where = fmt::format("token {} of the batch (expert {})", i, batch_[i].expert),
                .got = runs.empty() ? "it never ran" : fmt::format("it ran {} times", runs.size())};
        }
        return std::nullopt;
    }

    [[nodiscard]] std::optional<Verdict> check_tokens(const Tokens& got) {
        Tokens want;
        for (const Routed& token : batch_) want.push_back(predict(token));
        if (got == want) return std::nullopt;
        Verdict verdict{.law = "The predictions come back in the order of the batch.",
                        .expected = fmt::format("{}", fmt::join(want, " ")),
                        .got = fmt::format("{}", fmt::join(got, " "))};
        const auto wrong = std::mismatch(want.begin(), want.end(), got.begin(), got.end());
        verdict.where = fmt::format("token {} of the batch", wrong.first - want.begin());
        const bool permuted =
            got.size() == want.size() && std::is_permutation(got.begin(), got.end(), want.begin());
        verdict.hint = permuted ? "they are all there, in another order"
                                : "row r predicts the r-th word from the address of `token`";
        return verdict;
    }

    std::uint32_t predict(const Routed& token) {
        const isa::Program& p = program(token.expert, 1);
        Memory memory = isa::initial_memory(p);
        const auto& h = isa::find_symbol(p, isa::SymbolKind::input, "h");
        std::copy(token.h.begin(), token.h.end(), memory.begin() + h.address);
        memory = machine_.run_one(p, memory).memory;
        const auto& output = isa::find_symbol(p, isa::SymbolKind::output, "token");
        return static_cast<std::uint32_t>(memory[output.address]);
    }

    /// The fewest cycles that take this many tokens of one expert, whoever is in which program.
    [[nodiscard]] std::uint64_t least_cycles(std::uint32_t expert, std::size_t tokens) const {
        std::vector<std::uint64_t> least(tokens + 1, std::numeric_limits<std::uint64_t>::max());
        least[0] = 0;
        for (std::size_t n = 1; n <= tokens; ++n)
            for (const std::uint32_t rows : kRows) {
                const auto code = sim::decode_program(program(expert, rows), m_.compiled.target);
                const std::size_t rest = n > rows ? n - rows : 0;
                least[n] = std::min(least[n], least[rest] + sim::total_cycles(code));
            }
        return least[tokens];
    }

    [[nodiscard]] std::optional<Verdict> check_cost() const {
        for (std::uint32_t e = 0; e < kExperts; ++e) {
            const std::size_t tokens = tokens_of(e);
            const std::uint64_t least = least_cycles(e, tokens);
            if (cycles_of_expert_[e] == least) continue;
            return Verdict{.law = "No other dispatch takes fewer cycles.",
                           .where = fmt::format("expert {}, {} tokens in {} programs", e, tokens,
                                                programs_of_expert_[e]),
                           .expected = fmt::format("{} cycles", least),
                           .got = fmt::format("{} cycles", cycles_of_expert_[e])};
        }
        return std::nullopt;
    }

    const Material& m_;
    const std::vector<Routed>& batch_;
    sim::ModelEngine machine_;
    std::vector<std::vector<std::uint32_t>> runs_of_token_;  ///< numbers of the programs it was in
    std::uint32_t programs_run_ = 0;
    std::array<std::uint64_t, kExperts> cycles_of_expert_{};
    std::array<std::uint32_t, kExperts> programs_of_expert_{};
};

}  // namespace

Verdict grade(const decltype(answer)& candidate) {
    const Material material = make_material();
    std::string costs;
    for (const auto& counts : kBatches) {
        const std::string name =
            fmt::format("the batch with {} tokens for experts 0 to 3", fmt::join(counts, ", "));
        const auto batch = make_batch(material, counts);
        Overseer overseer(material, batch);
        Verdict verdict = overseer.grade(candidate);
        if (!verdict.passed) {
            verdict.where = name + (verdict.where.empty() ? "" : ", ") + verdict.where;
            return verdict;
        }
        costs += fmt::format("\n{:6} cycles, {}", overseer.cycles(), name);
    }
    return {.passed = true,
            .law = "experts, order and cost of every batch",
            .got = "four batches" + costs};
}

}  // namespace capra::exercise
