// Grades exercise 11: the smallest program that fails on a broken machine. Beware: the bug is here.
#include "exercises/verdict.hpp"
#include "isa/assembler.hpp"
#include "isa/codec.hpp"
#include "isa/files.hpp"
#include "isa/target.hpp"
#include "sim/decoded_program.hpp"
#include "sim/exec.hpp"
#include "sim/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace capra::exercise {
namespace {

using isa::Instruction;
using isa::Opcode;

constexpr std::size_t kMostInstructions = 4;

/// The counter of the write address has eight bits: it never carries into the ninth.
constexpr std::uint32_t kPage = 256;

bool goes_wrong(const Instruction& in) {
    return in.op == Opcode::vadd && in.d % kPage + in.n > kPage;
}

void broken_vadd(sim::Memories& mem, const Instruction& in) {
    const std::uint32_t page = in.d / kPage * kPage;
    for (std::uint32_t i = 0; i < in.n; ++i)
        mem.spad[page + (in.d + i) % kPage] =
            sim::saturate(std::int64_t{mem.spad[in.a + i]} + mem.spad[in.b + i]);
}

/// False if the program traps there.
using Execute = bool (*)(sim::Memories&, const Instruction&);

bool execute_broken(sim::Memories& mem, const Instruction& in) {
    if (in.op != Opcode::vadd) return sim::execute(mem, in);
    broken_vadd(mem, in);
    return true;
}

/// Both machines after the same program.
struct Outcome {
    sim::Memories right;
    sim::Memories broken;

    [[nodiscard]] bool fails() const { return right.ext != broken.ext; }

    /// The first word that differs.
    [[nodiscard]] std::string difference() const {
        const auto at = std::mismatch(right.ext.begin(), right.ext.end(), broken.ext.begin());
        return fmt::format("word {}: {} is right, {} came", at.first - right.ext.begin(), *at.first,
                           *at.second);
    }
};

Outcome run(const isa::Program& program, const isa::Target& target) {
    Outcome outcome{sim::Memories(target), sim::Memories(target)};
    const auto memory = isa::initial_memory(program);
    std::copy(memory.begin(), memory.end(), outcome.right.ext.begin());
    outcome.broken = outcome.right;
    const sim::DecodedProgram decoded = sim::decode_program(program, target);
    const auto run_on = [&](sim::Memories& mem, Execute execute) {
        for (const sim::Step& step : decoded.steps)
            if (!execute(mem, step.insn)) return;
    };
    run_on(outcome.right, sim::execute);
    run_on(outcome.broken, execute_broken);
    return outcome;
}

std::vector<Instruction> instructions(const isa::Program& program) {
    std::vector<Instruction> result;
    for (const isa::Word& word : program.code) result.push_back(isa::decode(word).value());
    return result;
}

/// Why a program that does not fail does not.
std::string passing_hint(const isa::Program& program, const Outcome& outcome) {
    if (outcome.right.spad != outcome.broken.spad)
        return "cells of the scratchpad differ, but no ST shows one of them";
    const auto code = instructions(program);
    if (std::any_of(code.begin(), code.end(), goes_wrong))
        return "an instruction does go wrong, but with these values nobody can tell";
    return "no instruction goes wrong any more: put back what you changed last";
}

/// The same program with one element less in every instruction that goes wrong.
isa::Program with_one_less(isa::Program program) {
    for (isa::Word& word : program.code) {
        Instruction in = isa::decode(word).value();
        if (!goes_wrong(in)) continue;
        --in.n;
        word = isa::encode(in);
    }
    return program;
}

std::optional<Verdict> check_safety(const isa::Program& program, const isa::Target& target) {
    const sim::Verification report = sim::verify(program, target);
    if (report.ok()) return std::nullopt;
    return Verdict{.law = "`capra verify` finds nothing wrong with the program.",
                   .where = report.findings.front().text,
                   .hint = "a program that is wrong itself proves nothing about a machine"};
}

}  // namespace

Verdict grade_answer(const std::string& path) {
    const isa::Program program = isa::assemble(read_file(path), path);
    const isa::Target target = isa::reference_target();
    if (const auto verdict = check_safety(program, target)) return *verdict;
    const Outcome outcome = run(program, target);
    if (!outcome.fails())
        return {.law = "The program fails on the broken machine.",
                .got = fmt::format("the same {} words on both", program.memory_words),
                .hint = passing_hint(program, outcome)};
    if (program.code.size() > kMostInstructions)
        return {.law = "It fails with at most four instructions, HALT included.",
                .where = outcome.difference(),
                .got = fmt::format("it fails with {}", program.code.size()),
                .hint = "cut, and see whether it still fails"};
    if (run(with_one_less(program), target).fails())
        return {.law = "It is on the edge: with one element less it no longer fails.",
                .where = outcome.difference(),
                .got = "it still fails"};
    return {.passed = true,
            .law = fmt::format("{} instructions, on the edge; {}", program.code.size(),
                               outcome.difference())};
}

}  // namespace capra::exercise
