// Lock-step itself: a core with one planted fault, and the difference that must be reported.
#include "sim/lockstep.hpp"

#include "sim/verify.hpp"
#include "tests/sim_support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace capra::sim {
namespace {

using isa::Opcode;

const isa::Target& reference() {
    static const isa::Target target = isa::reference_target();
    return target;
}

/// What a fault may change on its way out of the core.
struct Fault {
    std::function<void(std::size_t step, Retire&)> retire;
    std::function<void(std::size_t steps, Memories&)> memories;  ///< after so many steps
    std::size_t stray_external = 0;  ///< a word beyond the program's memory that it writes
    std::function<void(Status&, Counters&)> end;
    std::size_t stop_before = 1000;  ///< the core stops instead of retiring this step
    std::size_t extra_retires = 0;
    std::int32_t first_word = 0;  ///< added to external word 0 when it is loaded
};

/// A core that is the C++ machine, but for its fault.
class FaultyCore : public RtlCore {
  public:
    explicit FaultyCore(Fault fault) : fault_(std::move(fault)), machine_(reference()) {}

    void load(const isa::Program& program, std::span<const std::int32_t> memory) override {
        decoded_ = decode_program(program, reference());
        std::vector<std::int32_t> words(memory.begin(), memory.end());
        words.at(0) += fault_.first_word;
        machine_.load_memory(words);
        machine_.begin();
        next_ = 0;
    }
    void start(std::uint64_t limit) override { limit_ = limit; }
    bool next_retire(Retire& retire) override {
        if (next_ == fault_.stop_before) return false;
        if (next_ >= decoded_.steps.size()) {
            if (next_ >= decoded_.steps.size() + fault_.extra_retires) return false;
            ++next_;
            return true;
        }
        const auto done = machine_.step(decoded_, next_);
        if (!done) return false;
        retire = *done;
        if (fault_.retire) fault_.retire(next_, retire);
        ++next_;
        return true;
    }
    void run_to_stop() override {}
    [[nodiscard]] Status status() const override { return end().first; }
    [[nodiscard]] Counters counters() const override { return end().second; }
    [[nodiscard]] std::span<const std::int8_t> scratchpad() const override { return seen().spad; }
    [[nodiscard]] std::span<const std::int32_t> accumulators() const override { return seen().acc; }
    [[nodiscard]] std::span<const std::int32_t> external_memory() const override {
        return seen().ext;
    }
    [[nodiscard]] std::size_t external_end() const override {
        return std::max(machine_.external_end(), fault_.stray_external + 1);
    }

    std::uint64_t limit_ = 0;

  private:
    [[nodiscard]] const Memories& seen() const {
        seen_ = machine_.memories();
        if (fault_.memories) fault_.memories(next_, seen_);
        return seen_;
    }
    [[nodiscard]] std::pair<Status, Counters> end() const {
        std::pair<Status, Counters> result = {decoded_.end, machine_.counters()};
        if (fault_.end) fault_.end(result.first, result.second);
        return result;
    }

    Fault fault_;
    Machine machine_;
    DecodedProgram decoded_;
    std::size_t next_ = 0;
    mutable Memories seen_{reference()};
};

const isa::Program& short_program() {
    static const isa::Program program =
        program_of({{.op = Opcode::ld, .d = 5, .x = 0, .n = 3},
                    {.op = Opcode::vadd, .d = 5, .a = 5, .b = 5, .n = 3},
                    {.op = Opcode::st, .a = 5, .x = 8, .n = 3},
                    {.op = Opcode::halt}},
                   16);
    return program;
}
const std::vector<std::int32_t> kImage = {1, 2, 3};

std::optional<Divergence> run(Fault fault) {
    FaultyCore core(std::move(fault));
    Lockstep lockstep(reference(), core);
    ReplayReport report;
    return lockstep.run(0, {&short_program(), kImage}, report);
}

void expect_difference(Fault fault, const std::string& line) {
    const auto divergence = run(std::move(fault));
    ASSERT_TRUE(divergence.has_value()) << line;
    EXPECT_EQ(to_string(*divergence), "program 0 (test), instruction " + line);
}

/// Row `index` of three, on a core that sees an index of `more` more.
std::optional<Divergence> run_indexed(std::int32_t index, std::int32_t more) {
    const isa::Program program = program_of(
        {{.op = Opcode::ldxw, .d = 0, .x = 1, .w = 0, .rows = 3, .n = 1}, {.op = Opcode::halt}});
    FaultyCore core({.first_word = more});
    Lockstep lockstep(reference(), core);
    ReplayReport report;
    const std::vector<std::int32_t> image = {index};
    return lockstep.run(0, {&program, image}, report);
}

TEST(SimLockstep, a_trap_of_only_one_side_is_a_difference) {
    const auto core_traps = run_indexed(2, 1);
    ASSERT_TRUE(core_traps.has_value());
    EXPECT_EQ(core_traps->expected, "an instruction retires");
    const auto core_goes_on = run_indexed(3, -1);
    ASSERT_TRUE(core_goes_on.has_value());
    EXPECT_EQ(core_goes_on->expected, "it traps");
    EXPECT_EQ(core_goes_on->got, "pc 0 retires");
}

TEST(SimLockstep, a_core_without_fault_is_equal) {
    EXPECT_FALSE(run({}).has_value());
}

TEST(SimLockstep, a_core_may_take_twice_the_cycles_of_the_program) {
    FaultyCore core({});
    Lockstep lockstep(reference(), core);
    ReplayReport report;
    lockstep.run(0, {&short_program(), kImage}, report);
    EXPECT_EQ(report.cycles, 33U);
    EXPECT_EQ(core.limit_, 2 * 33U + 100);
}

TEST(SimLockstep, pc_unit_and_cycle_of_each_retired_instruction_are_compared) {
    const auto at = [](std::size_t step, auto change) {
        return Fault{.retire = [=](std::size_t i, Retire& r) {
            if (i == step) change(r);
        }};
    };
    expect_difference(at(0, [](Retire& r) { r.pc = 1; }),
                      "0: LD d=5 n=3 x=0; cycle 14: pc 0: expected 0, got 1");
    expect_difference(at(1, [](Retire& r) { r.unit = isa::Unit::dma; }),
                      "1: VADD d=5 a=5 b=5 n=3; cycle 24: unit 0: expected 3, got 1");
    expect_difference(at(2, [](Retire& r) { r.cycle += 1; }),
                      "2: ST a=5 n=3 x=8; cycle 31: cycle 0: expected 31, got 32");
    expect_difference(at(3, [](Retire& r) { r.cycle -= 1; }),
                      "3: HALT; cycle 33: cycle 0: expected 33, got 32");
}

/// A fault that shows in the memories once `steps` instructions have retired.
Fault from(std::size_t steps, std::function<void(Memories&)> change) {
    return {.memories = [=](std::size_t done, Memories& memories) {
        if (done >= steps) change(memories);
    }};
}

TEST(SimLockstep, every_cell_an_instruction_wrote_is_compared) {
    expect_difference(from(1, [](Memories& m) { m.spad[7] = 99; }),
                      "0: LD d=5 n=3 x=0; cycle 14: spad 7: expected 3, got 99");
    expect_difference(from(1, [](Memories& m) { m.ext[10] = 99; }),
                      "2: ST a=5 n=3 x=8; cycle 31: ext 10: expected 6, got 99");
}

/// The core may hold anything before a program, but no instruction may change another's cells.
TEST(SimLockstep, a_cell_nothing_wrote_keeps_what_it_held) {
    EXPECT_FALSE(run(from(0, [](Memories& m) {
                     m.spad[8] = 99;
                     m.acc[8] = 99;
                 })).has_value());
    expect_difference(from(2, [](Memories& m) { m.spad[8191] = 99; }),
                      "1: VADD d=5 a=5 b=5 n=3; cycle 24: spad 8191: expected 0, got 99");
    expect_difference(from(3, [](Memories& m) { m.acc[1023] = -1; }),
                      "2: ST a=5 n=3 x=8; cycle 31: acc 1023: expected 0, got -1");
    expect_difference(from(3, [](Memories& m) { m.spad[6] = 3; }),
                      "2: ST a=5 n=3 x=8; cycle 31: spad 6: expected 4, got 3");
}

TEST(SimLockstep, a_write_after_the_last_retire_is_seen) {
    // Asked again at the end, the core shows another value than after its last instruction.
    const auto divergence = run({.memories = [looks = 0](std::size_t step, Memories& m) mutable {
        if (step == 4 && ++looks > 2) m.spad[100] = 1;
    }});
    ASSERT_TRUE(divergence.has_value());
    EXPECT_EQ(divergence->what, "spad");
    EXPECT_EQ(divergence->element, 100U);
}

TEST(SimLockstep, external_memory_beyond_the_programs_own_is_compared) {
    Fault fault = from(3, [](Memories& m) { m.ext[5000] = 7; });
    fault.stray_external = 5000;
    expect_difference(fault, "3: HALT; cycle 33: memory 5000: expected 0, got 7");
}

TEST(SimLockstep, stopping_early_and_not_stopping_are_differences) {
    expect_difference({.stop_before = 2},
                      "2: ST a=5 n=3 x=8; cycle 31: state 0: expected an "
                      "instruction retires, got stopped at pc 3");
    expect_difference({.extra_retires = 1},
                      "3: HALT; cycle 33: state 0: expected the program has ended, got pc 0 "
                      "retires");
}

TEST(SimLockstep, status_and_each_counter_at_the_end_are_compared) {
    const auto end = [](auto change) {
        return Fault{.end = [=](Status& s, Counters& c) { change(s, c); }};
    };
    expect_difference(end([](Status& s, Counters&) { s.state = State::trapped; }),
                      "3: HALT; cycle 33: state 0: expected 2, got 3");
    expect_difference(end([](Status& s, Counters&) { s.trap = isa::Trap::overlap; }),
                      "3: HALT; cycle 33: code 0: expected 0, got 7");
    expect_difference(end([](Status& s, Counters&) { s.pc = 9; }),
                      "3: HALT; cycle 33: pc 0: expected 3, got 9");
    const std::array counters = {&Counters::total, &Counters::matrix, &Counters::dma,
                                 &Counters::vector, &Counters::control};
    const std::array values = {33, 0, 17, 8, 8};
    for (std::size_t i = 0; i < counters.size(); ++i)
        expect_difference(end([&](Status&, Counters& c) { c.*counters[i] += 1; }),
                          "3: HALT; cycle 33: counter " + std::to_string(i) + ": expected " +
                              std::to_string(values[i]) + ", got " + std::to_string(values[i] + 1));
}

TEST(SimLockstep, memory_at_the_end_is_compared_beyond_what_was_written) {
    expect_difference(from(4, [](Memories& m) { m.ext[9] = 99; }),
                      "3: HALT; cycle 33: memory 9: expected 4, got 99");
    expect_difference(from(0, [](Memories& m) { m.ext[15] = 99; }),
                      "3: HALT; cycle 33: memory 15: expected 0, got 99");
}

/// The machine has no other to be compared with; what verification predicts of a run it can miss.
TEST(SimLockstep, the_machine_is_compared_with_its_static_verification) {
    Reference ref(reference());
    ref.load(0, {&short_program(), kImage});
    const Status end = ref.machine.run(ref.decoded);
    const Verification right = verify(short_program(), reference());
    EXPECT_FALSE(ref.compare_prediction(right, end, 4).has_value());
    const auto what = [&](const Verification& predicted, std::uint64_t retires) {
        const auto divergence = ref.compare_prediction(predicted, end, retires);
        return divergence ? divergence->what : "";
    };
    EXPECT_EQ(what(right, 3), "retires");
    Verification wrong = right;
    wrong.counters.vector += 1;
    EXPECT_EQ(what(wrong, 4), "counter");
    wrong = right;
    wrong.end.pc += 1;
    EXPECT_EQ(what(wrong, 4), "pc");
    const Job job{&short_program(), kImage};
    const ReplayReport report = replay("model", reference(), {&job, 1});
    EXPECT_TRUE(report.pass());
    EXPECT_EQ(report.against, "its static verification");
    EXPECT_EQ(report.retires, 4U);
    EXPECT_EQ(report.cells, 0U) << "no cell was compared";
}

/// A core that never ends, and one that reaches for memory that is not there.
template <typename Exception>
class BrokenCore : public FaultyCore {
  public:
    BrokenCore() : FaultyCore({}) {}
    bool next_retire(Retire&) override { throw Exception("broken"); }
};

TEST(SimLockstep, a_fault_of_the_core_is_a_difference_at_the_instruction_being_run) {
    BrokenCore<CycleLimit> core;
    Lockstep lockstep(reference(), core);
    ReplayReport report;
    try {
        lockstep.run(0, {&short_program(), kImage}, report);
        FAIL();
    } catch (const CycleLimit& fault) {
        EXPECT_EQ(to_string(lockstep.divergence_of(fault)),
                  "program 0 (test), instruction 0: LD d=5 n=3 x=0; cycle 0: fault 0: expected "
                  "none, got broken");
    }
    BrokenCore<RtlFault> faulty;
    Lockstep other(reference(), faulty);
    EXPECT_THROW(other.run(0, {&short_program(), kImage}, report), RtlFault);
}

}  // namespace
}  // namespace capra::sim
