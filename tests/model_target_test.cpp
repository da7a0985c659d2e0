// A target is data: everything follows one that differs from the reference in every size, limit
// and cost, and nothing accepts one that no implementation can have.
#include "compiler/compile.hpp"
#include "isa/codec.hpp"
#include "isa/error.hpp"
#include "model/checks.hpp"
#include "sim/fuzz_case.hpp"
#include "sim/machine.hpp"
#include "sim/verify.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

namespace capra::model {
namespace {

using isa::Opcode;
using I = isa::Instruction;

isa::Target wide_target() {
    return {.name = "wide",
            .spad_bytes = 16384,
            .acc_words = 2048,
            .prog_words = 2000,
            .ext_words = 20000,
            .tile_rows = 8,
            .tile_cols = 8,
            .tile_depth = 512,
            .softmax_max = 300,
            .argmax_max = 100,
            .fetch_decode_cycles = 3,
            .ext_latency_cycles = 5,
            .costs = {{Opcode::halt, {}},
                      {Opcode::ld, {{1, &I::n}, {6}}},
                      {Opcode::st, {{2, &I::n}, {1}}},
                      {Opcode::mm, {{1, &I::k}, {2, &I::m, &I::n}, {11}}},
                      {Opcode::rq, {{3, &I::n}}},
                      {Opcode::vadd, {{1, &I::n}, {7}}},
                      {Opcode::sm, {{5, &I::n}, {20}}},
                      {Opcode::amax, {{2, &I::n}, {2}}},
                      {Opcode::rqc, {{3, &I::n}, {1, &I::cols}}},
                      {Opcode::amaxc, {{2, &I::n}, {4}}},
                      {Opcode::lut, {{3, &I::n}, {1}}},
                      {Opcode::vmul, {{2, &I::n}, {5}}},
                      {Opcode::topk, {{3, &I::k, &I::n}, {1, &I::k}}},
                      {Opcode::topkc, {{2, &I::k, &I::n}, {9}}},
                      {Opcode::ldx, {{1, &I::n}, {17}}, 5},
                      {Opcode::ldxw, {{1, &I::n}, {25}}, 11}}};
}

constexpr std::uint32_t kSteps = 9;

ChipRuns wide_runs(const LanguageModel& model, DecoderKind kind) {
    return ChipRuns(compile_model(model, kind, kSteps, wide_target()), kSteps);
}

void expect_verified_as_run(const ChipRuns& chip) {
    for (const auto& decode : chip.runs)
        for (const auto& run : decode.runs) {
            const auto report = sim::verify(*run.program, chip.compiled.target);
            EXPECT_TRUE(report.ok()) << run.program->name;
            EXPECT_EQ(report.end, run.result.status) << run.program->name;
            EXPECT_EQ(report.counters, run.result.counters) << run.program->name;
        }
}

TEST(wide_target, programs_equal_the_integer_interpreter_and_cost_what_the_verifier_says) {
    const auto routed = wide_runs(structured_model(1), DecoderKind::routed);
    const auto dense = wide_runs(structured_model(1), DecoderKind::dense);
    const auto single = wide_runs(tiny_model(1), DecoderKind::single);
    EXPECT_TRUE(all_ok(routed_checks(routed)));
    EXPECT_TRUE(all_ok(handover_checks(routed)));
    EXPECT_TRUE(all_ok(dense_checks(dense, routed)));
    EXPECT_TRUE(all_ok(single_checks(single)));
    for (const auto* chip : {&routed, &dense, &single}) expect_verified_as_run(*chip);
}

TEST(wide_target, decodes_the_same_tokens_at_other_costs) {
    const auto wide = wide_runs(structured_model(1), DecoderKind::routed);
    const ChipRuns reference(compile_model(structured_model(1), DecoderKind::routed, kSteps),
                             kSteps);
    EXPECT_EQ(wide.compiled.target.name, "wide");
    EXPECT_EQ(wide.compiled.contexts[0].program.target, "wide");
    for (std::size_t start = 0; start < wide.runs.size(); ++start)
        EXPECT_EQ(wide.runs[start].tokens, reference.runs[start].tokens);
    // B by hand: 8 tiles of 1 x 8, six of depth 16 and two of depth 32; 4 LD of 1,296 words in
    // all, 2 ST of 17; 21 instructions.
    const auto& b = wide.runs[0].runs[1].result.counters;
    EXPECT_EQ(b.matrix, 8U * (16 + 16 + 11) + 2U * 16);
    EXPECT_EQ(b.dma, 1296U + 4 * 6 + 2 * 17 + 2);
    EXPECT_EQ(b.control, 21U * 3);
}

/// x W for a row count, depth and width that need ragged tiles.
compiler::Graph deep_product() {
    const auto wave = [](std::uint32_t rows, std::uint32_t cols) {
        Matrix m{rows, cols, {}};
        for (std::uint32_t i = 0; i < rows * cols; ++i) m.values.push_back(std::sin(i * i + 1.0));
        return m;
    };
    compiler::GraphBuilder b("deep");
    b.output("out", b.matmul("y", b.input("x", 9, 512), b.weight("w", wave(512, 11))));
    return b.build();
}

TEST(wide_target, multiplies_512_deep_in_8_by_8_tiles) {
    CompiledProgram entry{deep_product(), {}, {}};
    Matrix x{9, 512, {}};
    for (std::uint32_t i = 0; i < 9 * 512; ++i) x.values.push_back(std::cos(i * 0.7));
    entry.ranges = compiler::calibrate(entry.graph, {{{{"x", x}}}});
    EXPECT_THROW(compiler::compile(entry.graph, entry.ranges, isa::reference_target()), Error);
    entry.program = compiler::compile(entry.graph, entry.ranges, wide_target());
    std::vector<std::array<std::uint32_t, 3>> tiles;
    for (const auto& word : entry.program.code)
        if (const auto insn = *isa::decode(word); insn.op == Opcode::mm)
            tiles.push_back({insn.m, insn.n, insn.k});
    EXPECT_EQ(tiles, (std::vector<std::array<std::uint32_t, 3>>{
                         {8, 8, 512}, {8, 3, 512}, {1, 8, 512}, {1, 3, 512}}));
    const auto engine = sim::make_engine("model", wide_target());
    const auto run = run_program(*engine, entry.program, {{"x", x}});
    const auto compared =
        compare_with_interpreter(compiler::quantise(entry.graph, entry.ranges), run);
    EXPECT_EQ(compared.cells, 99U);
    EXPECT_EQ(compared.different, 0U);
}

TEST(wide_target, random_programs_are_defined_and_cost_what_the_verifier_says) {
    const auto target = wide_target();
    const auto engine = sim::make_engine("model", target);
    I largest;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        const auto program = sim::random_program(seed, target);
        ASSERT_TRUE(sim::is_defined(program, target)) << "seed " << seed;
        const auto result = engine->run_one(program, isa::initial_memory(program));
        const bool faulty = result.status.trap == isa::Trap::index_range;
        const auto report =
            sim::verify(program, target, faulty ? std::optional(result.status.pc) : std::nullopt);
        ASSERT_EQ(report.end, result.status) << "seed " << seed;
        ASSERT_EQ(report.counters, result.counters) << "seed " << seed;
        for (std::uint32_t pc = 0; pc < result.trace.size(); ++pc) {
            const auto insn = *isa::decode(program.code[pc]);
            if (insn.op != Opcode::mm) continue;
            largest.m = std::max(largest.m, insn.m);
            largest.n = std::max(largest.n, insn.n);
        }
    }
    EXPECT_EQ(largest.m, 8U) << "the generator draws from the target's limits";
    EXPECT_EQ(largest.n, 8U);
}

TEST(wide_target, its_limits_bound_the_context_and_its_memory_grows_to_fit) {
    auto target = wide_target();
    const auto model = structured_model(1);
    EXPECT_THROW(compile_model(model, DecoderKind::routed, 301, target), Error) << "softmax";
    target.tile_depth = 16;
    EXPECT_THROW(compile_model(model, DecoderKind::routed, 17, target), Error) << "depth";
    target = wide_target();
    EXPECT_EQ(compile_model(model, DecoderKind::dense, 2, target).target.ext_words, 20000U);
    target.ext_words = 3000;
    EXPECT_EQ(compile_model(model, DecoderKind::dense, 2, target).target.ext_words, 8192U);
}

struct Impossible {
    std::string says;
    std::function<void(isa::Target&)> change;
};

const std::vector<Impossible> kImpossible = {
    {"spad_bytes is 1 to 65536, got 0", [](auto& t) { t.spad_bytes = 0; }},
    {"spad_bytes is 1 to 65536, got 65537", [](auto& t) { t.spad_bytes = 65537; }},
    {"acc_words is 1 to 65536, got 65537", [](auto& t) { t.acc_words = 65537; }},
    {"prog_words is 1 to 65535, got 65536", [](auto& t) { t.prog_words = 65536; }},
    {"ext_words is 1 to 16777216, got 16777217", [](auto& t) { t.ext_words = 16777217; }},
    {"tile_rows is 1 to 255, got 256", [](auto& t) { t.tile_rows = 256; }},
    {"tile_cols is 1 to 255, got 0", [](auto& t) { t.tile_cols = 0; }},
    {"tile_depth is 1 to 4095, got 4096", [](auto& t) { t.tile_depth = 4096; }},
    {"softmax_max is 1 to 65535, got 65536", [](auto& t) { t.softmax_max = 65536; }},
    {"argmax_max is 1 to 128, got 129", [](auto& t) { t.argmax_max = 129; }},
    {"fetch_decode_cycles is 1 to", [](auto& t) { t.fetch_decode_cycles = 0; }},
    {"ext_latency_cycles is 1 to", [](auto& t) { t.ext_latency_cycles = 0; }},
    {"0 costs for LDXW", [](auto& t) { t.costs.pop_back(); }},
    {"2 costs for LD", [](auto& t) { t.costs.push_back(t.costs[1]); }},
    {"HALT occupies no unit", [](auto& t) { t.costs[0].terms = {{1}}; }},
    {"ST can cost more cycles",
     [](auto& t) {
         t.costs[2].terms = {{65538, &I::n}};
     }},
    {"MM can cost more cycles",
     [](auto& t) {
         t.costs[3].terms.push_back({0xffffffff, &I::k, &I::m});
     }},
};

std::string refusal(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return "accepted";
}

TEST(Target, one_that_no_implementation_can_have_is_refused_by_name_and_field) {
    for (const auto& impossible : kImpossible) {
        auto target = wide_target();
        impossible.change(target);
        const auto message = refusal([&] { (void)target.validate(); });
        EXPECT_EQ(message.rfind("target 'wide': " + impossible.says, 0), 0U) << message;
    }
}

TEST(Target, the_largest_that_can_be_is_accepted) {
    auto target = wide_target();
    target.spad_bytes = target.acc_words = 65536;
    target.prog_words = target.softmax_max = 65535;
    target.ext_words = 1U << 24;
    target.tile_rows = target.tile_cols = 255;
    target.tile_depth = 4095;
    target.argmax_max = 128;
    target.costs[2].terms = {{65537, &I::n}};  // 65537 * 65535 = 2^32 - 1
    EXPECT_EQ(&target.validate(), &target);
    EXPECT_NO_THROW((void)isa::reference_target().validate());
}

TEST(Target, compiler_machine_and_verifier_refuse_an_impossible_one) {
    auto target = isa::reference_target();
    target.argmax_max = 129;  // an index of 128 would wrap
    const std::string expected = "target 'reference': argmax_max is 1 to 128, got 129";
    const auto model = structured_model(1);
    const auto graph = deep_product();
    EXPECT_EQ(refusal([&] { (void)compile_model(model, DecoderKind::routed, 1, target); }),
              expected);
    EXPECT_EQ(
        refusal([&] {
            (void)compiler::compile(
                graph,
                compiler::calibrate(graph, {{{{"x", {9, 512, std::vector<double>(9 * 512, 1)}}}}}),
                target);
        }),
        expected);
    EXPECT_EQ(refusal([&] { sim::Machine machine(target); }), expected);
    EXPECT_EQ(refusal([&] { (void)sim::verify({}, target); }), expected);
}

}  // namespace
}  // namespace capra::model
