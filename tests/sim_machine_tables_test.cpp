// Tables, gates and routes on the C++ machine against values worked by hand, which the RTL benches
// hold as well.
#include "tests/sim_machine_support.hpp"

namespace capra::sim {
namespace {

TEST(SimMachine, lut_takes_the_byte_for_an_unsigned_entry) {
    Values in = {0, 1, 127, -128, -1};
    // Entry e holds 7e + 3: 892 = 3 * 256 + 124, 899 = 3 * 256 + 131, 1788 = 7 * 256 - 4.
    for (std::int32_t e = 0; e < 256; ++e) in.push_back(7 * e + 3);
    const Instruction lut{.op = Opcode::lut, .d = 300, .a = 0, .b = 5, .n = 5};
    EXPECT_EQ(run(in, {lut}, 300, 5), (Values{3, 10, 124, 131 - 256, -4}));
    const Instruction in_place{.op = Opcode::lut, .d = 0, .a = 0, .b = 5, .n = 2};
    EXPECT_EQ(run(in, {in_place}, 0, 4), (Values{3, 10, 127, -128}));
}

Values multiply(const Values& a, const Values& b, Instruction vmul) {
    Values in = a;
    in.insert(in.end(), b.begin(), b.end());
    vmul.op = Opcode::vmul;
    vmul.d = 100;
    vmul.b = static_cast<std::uint32_t>(a.size());
    vmul.n = static_cast<std::uint32_t>(a.size());
    return run(in, {vmul}, 100, vmul.n);
}

TEST(SimMachine, vmul_rounds_half_up_and_saturates_at_both_ends) {
    EXPECT_EQ(multiply({9, -9, 16, -128, -128}, {-7, -7, 8, -128, 127}, {.mult = 1}),
              (Values{-63, 63, 127, 127, -128}));
    // 1.5, -1.5, -0.5; 2^14 / 2^8 is not halved: 16384 / 2 saturates.
    EXPECT_EQ(multiply({3, 3, 1, -128}, {1, -1, -1, -128}, {.mult = 1, .shift = 1}),
              (Values{2, -1, 0, 127}));
    EXPECT_EQ(multiply({-128, -128}, {-128, 127}, {.mult = 1, .shift = 7}), (Values{127, -127}));
    // 10000 * (2^31 - 1) / 2^38 = 78.1
    EXPECT_EQ(multiply({100, 100}, {100, -100}, {.mult = 0x7fffffff, .shift = 38}),
              (Values{78, -78}));
    EXPECT_EQ(multiply({-128}, {127}, {.mult = 0x7fffffff, .shift = 63}), (Values{0}));
}

TEST(SimMachine, vmul_may_broadcast_one_cell) {
    EXPECT_EQ(multiply({1, 2, 3}, {5, 6, 7}, {.mult = 1}), (Values{5, 12, 21}));
    EXPECT_EQ(multiply({1, 2, 3}, {5, 6, 7}, {.mult = 1, .bcast = 1}), (Values{5, 10, 15}));
}

TEST(SimMachine, topk_ranks_by_value_and_equal_ones_by_index) {
    const auto topk = [](const Values& in, std::uint32_t k) {
        const auto n = static_cast<std::uint32_t>(in.size());
        return run(in, {{.op = Opcode::topk, .d = 150, .a = 0, .k = k, .n = n}}, 150, 2 * k);
    };
    EXPECT_EQ(topk({-128}, 1), (Values{0, -128}));
    EXPECT_EQ(topk({1, -5, 3}, 2), (Values{2, 0, 3, 1}));
    EXPECT_EQ(topk({-1, 127, -128, 5}, 4), (Values{1, 3, 0, 2, 127, 5, -1, -128}));
    EXPECT_EQ(topk({5, 9, 5, 9}, 3), (Values{1, 3, 0, 9, 9, 5}));
    EXPECT_EQ(topk({9, 5, 9, 5}, 4), (Values{0, 2, 1, 3, 9, 9, 5, 5}));
    EXPECT_EQ(topk({-128, -128, -128}, 3), (Values{0, 1, 2, -128, -128, -128}));
    Values ramp(128);
    Values falling(256);
    for (std::int32_t i = 0; i < 128; ++i) {
        ramp[static_cast<std::size_t>(i)] = i;
        falling[static_cast<std::size_t>(i)] = falling[static_cast<std::size_t>(i) + 128] = 127 - i;
    }
    EXPECT_EQ(topk(ramp, 128), falling);
}

TEST(SimMachine, topkc_ranks_exact_products_and_rounds_what_it_writes) {
    const auto topkc = [](const Values& x, const Values& multipliers, std::uint32_t k,
                          std::uint32_t shift) {
        Values table;
        for (const std::int32_t m : multipliers) {
            table.push_back(m & 0xff);
            table.push_back(m >> 8);
        }
        const Instruction insn{.op = Opcode::topkc,
                               .d = 200,
                               .a = 40,
                               .b = 100,
                               .k = k,
                               .n = static_cast<std::uint32_t>(x.size()),
                               .shift = shift};
        return with_accumulators(x, table, insn, 200, 2 * k);
    };
    EXPECT_EQ(topkc({5, 7, 6}, {10, 7, 8}, 2, 0), (Values{0, 1, 50, 49}));
    EXPECT_EQ(topkc({5, 17, 6}, {10, 3, 8}, 2, 1), (Values{1, 0, 26, 25}));  // 25.5, 25
    EXPECT_EQ(topkc({2, 6, 5}, {30, 10, 12}, 3, 0), (Values{0, 1, 2, 60, 60, 60}));
    EXPECT_EQ(topkc({-5, -7, -6}, {10, 7, 8}, 2, 1), (Values{2, 1, -24, -24}));  // -24, -24.5
    EXPECT_EQ(topkc({2, 2, -2}, {32767, 32768, 65535}, 2, 9), (Values{1, 0, 127, 127}));
    EXPECT_EQ(topkc({-100, -50}, {2, 3}, 2, 0), (Values{1, 0, -128, -128}));
    EXPECT_EQ(topkc({101, 100, 102}, {1, 1, 1}, 2, 5), (Values{2, 0, 3, 3}))
        << "equal when rounded, and not equal";
    EXPECT_EQ(topkc({-128}, {65535}, 1, 63), (Values{0, 0}));
}

/// Rows of two from external word 20: 100 + 2r and 101 + 2r, mod 2^8. Row r begins at 20 + 2r.
Values table_image(Values index) {
    index.resize(20);
    for (std::int32_t i = 0; i < 560; ++i) index.push_back(100 + i);
    return index;
}

/// Result of one indexed load to scratchpad 10 with `index` at scratchpad 0 and external word 0.
struct IndexedRun {
    Result result;
    Values row;
};
IndexedRun load_row(const Values& index, Instruction insn) {
    insn.d = 10, insn.x = 20, insn.n = 2;
    const isa::Program program = program_of({{.op = Opcode::ld, .d = 0, .x = 0, .n = 12},
                                             insn,
                                             {.op = Opcode::st, .a = 10, .x = 18, .n = 2},
                                             {.op = Opcode::halt}},
                                            600);
    ModelEngine engine(isa::reference_target());
    IndexedRun run{.result = engine.run_one(program, table_image(index)), .row = {}};
    run.row = {run.result.memory.begin() + 18, run.result.memory.begin() + 20};
    return run;
}

TEST(SimMachine, ldx_takes_its_row_from_one_byte_or_two_low_byte_first) {
    const auto row = [](const Values& index, std::uint32_t rows, std::uint32_t wide) {
        const IndexedRun run =
            load_row(index, {.op = Opcode::ldx, .a = 0, .rows = rows, .wide = wide});
        EXPECT_EQ(run.result.status, (Status{State::halted, isa::Trap::none, 3}));
        // LD 21, LDX 15, ST 4, four times fetch and decode.
        EXPECT_EQ(run.result.counters, (Counters{48, 0, 40, 0, 8}));
        return run.row;
    };
    EXPECT_EQ(row({0, 9}, 1, 0), (Values{100, 101}));
    EXPECT_EQ(row({12, 9}, 13, 0), (Values{124, 125}));
    EXPECT_EQ(row({-1, 9}, 256, 0), (Values{98, 99}));  // row 255: 610 = 2 * 256 + 98
    EXPECT_EQ(row({12, 0}, 13, 1), (Values{124, 125}));
    EXPECT_EQ(row({5, 1}, 262, 1), (Values{110, 111}));  // row 261: 622 = 2 * 256 + 110
}

TEST(SimMachine, ldxw_takes_its_row_from_a_word) {
    for (const std::int32_t r : {0, 12, 261}) {
        const IndexedRun run = load_row({7, r}, {.op = Opcode::ldxw, .w = 1, .rows = 262});
        EXPECT_EQ(run.row[0], static_cast<std::int8_t>(100 + 2 * r));
        EXPECT_EQ(run.result.counters, (Counters{54, 0, 46, 0, 8}));
    }
}

TEST(SimMachine, an_index_of_no_row_traps_and_loads_nothing) {
    const auto expect_trap = [](const Values& index, const Instruction& insn,
                                std::uint64_t fault_cycles) {
        const IndexedRun run = load_row(index, insn);
        EXPECT_EQ(run.result.status, (Status{State::trapped, isa::Trap::index_range, 1}));
        // LD 21 and what the index takes, twice fetch and decode; nothing after it retires.
        EXPECT_EQ(run.result.counters, (Counters{25 + fault_cycles, 0, 21 + fault_cycles, 0, 4}));
        EXPECT_EQ(run.result.trace.size(), 1U);
        EXPECT_EQ(run.row, (Values{0, 0}));
    };
    expect_trap({12}, {.op = Opcode::ldx, .rows = 12}, 4);
    expect_trap({-1}, {.op = Opcode::ldx, .rows = 255}, 4);
    expect_trap({5, 1}, {.op = Opcode::ldx, .rows = 261, .wide = 1}, 4);
    expect_trap({0, -128}, {.op = Opcode::ldx, .rows = 262, .wide = 1}, 4);
    expect_trap({12}, {.op = Opcode::ldxw, .rows = 12}, 10);
    expect_trap({65536}, {.op = Opcode::ldxw, .rows = 262}, 10);
    expect_trap({-1}, {.op = Opcode::ldxw, .rows = 262}, 10);
}

TEST(SimMachine, a_run_after_a_fault_knows_nothing_of_it) {
    const isa::Program program = program_of({{.op = Opcode::ld, .d = 0, .x = 0, .n = 1},
                                             {.op = Opcode::ldx, .x = 1, .rows = 2, .n = 1},
                                             {.op = Opcode::halt}},
                                            3);
    ModelEngine engine(isa::reference_target());
    EXPECT_EQ(engine.run_one(program, Values{2}).status.state, State::trapped);
    EXPECT_EQ(engine.run_one(program, Values{1}).status.state, State::halted);
}

TEST(SimMachine, a_gate_multiplies_the_cells_it_names_and_no_cell_behind_them) {
    // a at 3, b at 6, results from 9 on, where 77 stands.
    EXPECT_EQ(run({90, 91, 92, 1, 2, 3, 5, 6, 7, 77, 77, 77, 77},
                  {{.op = Opcode::vmul, .d = 9, .a = 3, .b = 6, .n = 3, .mult = 1}}, 9, 4),
              (Values{5, 12, 21, 77}));
}

TEST(SimMachine, an_indexed_load_writes_its_row_and_no_cell_behind_it) {
    const Values in = {1, 90, 91, 77, 77, 77, 7, 8, 9, 10, 11};
    const Instruction ldx{.op = Opcode::ldx, .d = 3, .a = 0, .x = 6, .rows = 2, .n = 2};
    const Instruction ldxw{.op = Opcode::ldxw, .d = 3, .x = 6, .w = 0, .rows = 2, .n = 2};
    EXPECT_EQ(run(in, {ldx}, 3, 3), (Values{9, 10, 77}));
    EXPECT_EQ(run(in, {ldxw}, 3, 3), (Values{9, 10, 77}));
}

TEST(SimMachine, a_fault_ends_a_run_that_is_not_traced_as_well) {
    const isa::Target target = isa::reference_target();
    const isa::Program program = program_of({{.op = Opcode::ld, .d = 0, .x = 0, .n = 1},
                                             {.op = Opcode::ldx, .x = 1, .rows = 2, .n = 1},
                                             {.op = Opcode::st, .a = 0, .x = 1, .n = 1},
                                             {.op = Opcode::halt}},
                                            3);
    Machine machine(target);
    machine.load_memory(Values{2});
    EXPECT_EQ(machine.run(decode_program(program, target)),
              (Status{State::trapped, isa::Trap::index_range, 1}));
    EXPECT_EQ(machine.memories().ext[1], 0) << "nothing behind it is executed";
}

}  // namespace
}  // namespace capra::sim
