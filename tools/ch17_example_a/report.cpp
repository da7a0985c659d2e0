#include "tools/ch17_example_a/report.hpp"

#include "isa/table.hpp"
#include "isa/thousands.hpp"
#include "tools/rounded.hpp"

#include <fmt/format.h>

namespace capra::tools {
namespace {

/// "+0.16": two decimals with their sign.
std::string signed_text(double value) {
    return fmt::format("{:+.2f}", rounded(value, 2));
}

/// One line of a table of programs: a figure of each.
template <typename Figure>
void print_figures(std::string_view name, std::string_view meaning, const ExampleA& example,
                   Figure figure) {
    fmt::print("   {:<13} {:<40}", name, meaning);
    for (const auto& program : example.programs) fmt::print(" {:>8}", figure(program));
    fmt::print("\n");
}

/// A line of the decodes: a value for each step.
void print_sequence(std::string_view host, std::string_view what,
                    const std::vector<std::uint32_t>& values) {
    fmt::print("   {:<11} {:<7}", host, what);
    for (const auto value : values) fmt::print("{:>3}", value);
    fmt::print("\n");
}

std::vector<std::uint32_t> experts_run(const model::DecodeRun& run) {
    std::vector<std::uint32_t> experts;
    for (const auto& step : run.steps) experts.push_back(step.experts.front());
    return experts;
}

constexpr const char* kStepLine = "   {:<27} {:<42} {:>8} {:>12}\n";

/// The rows of one expert's hidden layer. The chip uses these values and does not store them.
void print_hidden(const model::FloatStep& f) {
    const auto active = model::active_units(f.hidden, kActiveUnit);
    auto name = fmt::format("u = relu(h W1_{})", f.experts.front());
    for (const auto& unit : active) {
        fmt::print(kStepLine, name,
                   fmt::format("hidden unit {}; units above {}: {} of {}", unit.index, kActiveUnit,
                               active.size(), f.hidden.size()),
                   fmt::format("{:.2f}", rounded(unit.value, 2)), "not stored");
        name.clear();
    }
}

/// What is computed for the token, in order, with the values that are single numbers.
void print_formulas(const model::FloatStep& f, const model::ChipStep& chip) {
    constexpr const char* kBelow = "below";
    fmt::print(kStepLine, "computed", "meaning", "float", "chip");
    fmt::print(kStepLine, "x", fmt::format("embedding: {} numbers for the token", f.x.size()),
               kBelow, kBelow);
    fmt::print(kStepLine, "h = x + Attention(x)", "hidden state: the token in its context", kBelow,
               kBelow);
    for (std::size_t e = 0; e < f.router.size(); ++e)
        fmt::print(kStepLine, e == 0 ? "r = h Wr" : "", fmt::format("router score of expert {}", e),
                   signed_text(f.router[e]), signed_text(chip.router[e]));
    fmt::print(kStepLine, "e = argmax r", "route: the expert with the largest score", f.route,
               chip.route);
    print_hidden(f);
    fmt::print(kStepLine, fmt::format("logits = (h + u W2_{}) Wout", f.experts.front()),
               "one score for each possible next token", kBelow, kBelow);
    fmt::print(kStepLine, "argmax logits", "next token: the one with the largest logit", f.token,
               chip.token);
    const auto answer = model::successor(f.input);
    fmt::print(kStepLine, "", fmt::format("the rule: (5 x {} + 3) mod 16", f.input), answer,
               answer);
}

/// Instructions by name, HALT last as in a program, then their sum.
void print_instructions(const ExampleA& example) {
    const auto count = [&](const isa::InstructionRow& row) {
        print_figures(row.mnemonic, row.title, example, [&](const ShownProgram& program) {
            const auto found = program.anatomy.histogram.find(std::string(row.mnemonic));
            return found == program.anatomy.histogram.end() ? 0 : found->second;
        });
    };
    for (const auto& row : isa::kTable)
        if (row.op != isa::Opcode::halt) count(row);
    count(isa::row_of(isa::Opcode::halt));
    print_figures("all", "instructions", example, [](const ShownProgram& program) {
        std::uint32_t sum = 0;
        for (const auto& entry : program.anatomy.histogram) sum += entry.second;
        return sum;
    });
}

void print_counters(const ExampleA& example) {
    const auto cycles = [&](std::string_view name, std::string_view meaning,
                            std::uint64_t sim::Counters::*counter) {
        print_figures(name, meaning, example,
                      [&](auto& p) { return thousands(p.counters.*counter); });
    };
    cycles("total", "cycles, the sum of the four below", &sim::Counters::total);
    cycles("matrix", "multiplying matrices", &sim::Counters::matrix);
    cycles("dma", "direct memory access: load and store", &sim::Counters::dma);
    cycles("vector", "everything on rows: RQ, VADD, SM, AMAX", &sim::Counters::vector);
    cycles("control", "fetch and decode every instruction", &sim::Counters::control);
}

}  // namespace

void print_introduction(const ExampleA& example) {
    fmt::print(
        "Example A: one token at a time through a mixture of experts\n\n"
        "The model reads a token t (0 to 15) and predicts the next one by the rule (5t + 3) mod "
        "16.\n"
        "It has {0} experts, small networks that each know the rule for a quarter of the tokens:\n"
        "expert e for those with t mod {0} = e. A router scores the experts for each token, and "
        "only\n"
        "the one with the largest score runs. \"float\" is the model in double precision, \"chip\" "
        "is\n"
        "Capra, which computes with 8-bit integers.\n\n",
        example.compiled.model.experts);
}

void print_router_table(const ExampleA& example) {
    fmt::print(
        "1. The router: the score of each expert for each token, read alone (float). The largest\n"
        "   score decides the route; the margin is how far ahead it is, from 0 (tie) to 1.\n\n"
        "   token  t mod 4");
    for (std::uint32_t e = 0; e < example.compiled.model.experts; ++e)
        fmt::print("{:>10}", fmt::format("expert {}", e));
    fmt::print("  route  margin\n");
    for (const auto& step : example.first_steps) {
        fmt::print("   {:>5}  {:>7}", step.input,
                   model::group_of(step.input, example.compiled.model.experts));
        for (const double score : step.router) fmt::print("{:>10}", signed_text(score));
        fmt::print("  {:>5}  {:>6.2f}\n", step.route, model::route_margin(step.router));
    }
    fmt::print("\n");
}

void print_followed_token(const ExampleA& example) {
    const auto& f = example.followed();
    const auto& chip = example.chip_step;
    fmt::print(
        "2. Token {}, step by step: what is computed, in this order, in float and on the chip. W "
        "names\n"
        "   a matrix of weights, relu turns negative values into 0, argmax is the place of the\n"
        "   largest value, and units are the values between an expert's two matrices.\n\n",
        f.input);
    print_formulas(f, chip);
    fmt::print(
        "\n   The values called \"below\": rows 0 to 15 are the elements of x and of h, and the "
        "tokens\n"
        "   that the logits score.\n\n"
        "   row {:>9} {:>9} {:>9} {:>9} {:>13} {:>13}\n",
        "x float", "x chip", "h float", "h chip", "logits float", "logits chip");
    for (std::uint32_t i = 0; i < model::kVocabulary; ++i)
        fmt::print("   {:>3} {:>9} {:>9} {:>9} {:>9} {:>13.1f} {:>13.1f}\n", i, signed_text(f.x[i]),
                   signed_text(example.chip_x[i]), signed_text(f.h[i]), signed_text(chip.h[i]),
                   rounded(f.logits[i], 1), rounded(chip.logits[i], 1));
    fmt::print("\n");
}

void print_forced_experts(const ExampleA& example) {
    fmt::print(
        "3. Forced experts: the next token each expert predicts when the router is overruled\n"
        "   (float). * marks the answer of the rule. A wrong expert does not know the token and\n"
        "   returns it unchanged.\n\n   token  rule");
    for (std::uint32_t e = 0; e < example.compiled.model.experts; ++e)
        fmt::print("{:>10}", fmt::format("expert {}", e));
    fmt::print("\n");
    for (std::uint32_t t = 0; t < example.forced.size(); ++t) {
        const auto answer = model::successor(t);
        fmt::print("   {:>5}  {:>4}", t, answer);
        for (const auto token : example.forced[t])
            fmt::print("{:>10}", fmt::format("{}{}", token == answer ? "*" : "", token));
        fmt::print("\n");
    }
    fmt::print("\n");
}

void print_dispatch(const ExampleA& example) {
    fmt::print(
        "4. A mistake in the host: {} steps on the chip from token 0. After program A the host "
        "must\n"
        "   start the program of the routed expert (dispatch). The wrong host starts the one "
        "after\n"
        "   it, route + 1 mod {}.\n\n",
        kExampleSteps, example.compiled.model.experts);
    std::vector<std::uint32_t> steps;
    for (std::uint32_t i = 1; i <= kExampleSteps; ++i) steps.push_back(i);
    print_sequence("", "step", steps);
    const auto print_host = [](std::string_view host, const model::DecodeRun& run) {
        print_sequence(host, "route", run.routes);
        print_sequence("", "expert", experts_run(run));
        print_sequence("", "token", {run.tokens.begin() + 1, run.tokens.end()});
    };
    print_host("right host", example.right);
    print_host("wrong host", example.off_by_one);
    fmt::print("\n");
}

void print_programs(const ExampleA& example) {
    fmt::print(
        "5. Two programs: how often each instruction stands in them, what they move and what they\n"
        "   cost. A8 is attention and router with 8 tokens in context, B1 is expert 1. A tile is "
        "a\n"
        "   part of a matrix product, up to 4 x 4 elements. To requantise is to scale numbers to "
        "8\n"
        "   bits again, such as the 32-bit sums that MM leaves. Saturation cuts a sum to "
        "-128..127.\n\n"
        "   {:<13} {:<40}",
        "instruction", "what it does");
    for (const auto& program : example.programs) fmt::print(" {:>8}", program.name);
    fmt::print("\n");
    print_instructions(example);
    fmt::print("\n");
    print_figures("words loaded", "from external memory, an int8 value each", example,
                  [](auto& p) { return thousands(p.anatomy.words_loaded); });
    print_figures("words stored", "to external memory", example,
                  [](auto& p) { return thousands(p.anatomy.words_stored); });
    fmt::print("\n");
    print_counters(example);
}

}  // namespace capra::tools
