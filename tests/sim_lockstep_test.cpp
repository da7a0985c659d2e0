// Lock-step itself: a core with one planted fault, and the difference that must be reported.
#include "sim/lockstep.hpp"

#include "sim/effect.hpp"
#include "tests/sim_support.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace capra::sim {
namespace {

using isa::Opcode;

const isa::Target kTarget = isa::reference_target();

/// What a fault may change on its way out of the core.
struct Fault {
    std::function<void(std::size_t step, Retire&)> retire;
    std::function<void(isa::Space, std::uint32_t cell, std::int32_t&)> cell;
    std::function<void(Status&, Counters&)> end;
    std::size_t stop_before = 1000;  ///< the core stops instead of retiring this step
    std::size_t extra_retires = 0;
};

/// A core that is the C++ machine, but for its fault.
class FaultyCore : public RtlCore {
  public:
    explicit FaultyCore(Fault fault) : fault_(std::move(fault)), machine_(kTarget) {}

    void load(const isa::Program& program, std::span<const std::int32_t> memory) override {
        decoded_ = decode_program(program, kTarget);
        machine_.load_memory(memory);
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
        retire = machine_.step(decoded_, next_);
        if (fault_.retire) fault_.retire(next_, retire);
        ++next_;
        return true;
    }
    void run_to_stop() override {}
    [[nodiscard]] Status status() const override { return end().first; }
    [[nodiscard]] Counters counters() const override { return end().second; }
    [[nodiscard]] std::int32_t cell(isa::Space space, std::uint32_t index) const override {
        std::int32_t value = read_cell(machine_.memories(), space, index);
        if (fault_.cell) fault_.cell(space, index, value);
        return value;
    }
    [[nodiscard]] std::span<const std::int32_t> external_memory() const override {
        memory_ = machine_.memories().ext;
        if (fault_.cell) fault_.cell(isa::Space::ext, 9, memory_[9]);
        return memory_;
    }

    std::uint64_t limit_ = 0;

  private:
    [[nodiscard]] std::pair<Status, Counters> end() const {
        std::pair<Status, Counters> result = {decoded_.end, machine_.counters()};
        if (fault_.end) fault_.end(result.first, result.second);
        return result;
    }

    Fault fault_;
    Machine machine_;
    DecodedProgram decoded_;
    std::size_t next_ = 0;
    mutable std::vector<std::int32_t> memory_;
};

const isa::Program kProgram = program_of({{.op = Opcode::ld, .d = 5, .x = 0, .n = 3},
                                          {.op = Opcode::vadd, .d = 5, .a = 5, .b = 5, .n = 3},
                                          {.op = Opcode::st, .a = 5, .x = 8, .n = 3},
                                          {.op = Opcode::halt}},
                                         16);
const std::vector<std::int32_t> kImage = {1, 2, 3};

std::optional<Divergence> run(Fault fault) {
    FaultyCore core(std::move(fault));
    Lockstep lockstep(kTarget, core);
    ReplayReport report;
    return lockstep.run(0, {&kProgram, kImage}, report);
}

void expect_difference(Fault fault, const std::string& line) {
    const auto divergence = run(std::move(fault));
    ASSERT_TRUE(divergence.has_value()) << line;
    EXPECT_EQ(to_string(*divergence), "program 0 (test), instruction " + line);
}

TEST(SimLockstep, a_core_without_fault_is_equal) {
    EXPECT_FALSE(run({}).has_value());
}

TEST(SimLockstep, a_core_may_take_twice_the_cycles_of_the_program) {
    FaultyCore core({});
    Lockstep lockstep(kTarget, core);
    ReplayReport report;
    lockstep.run(0, {&kProgram, kImage}, report);
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

TEST(SimLockstep, every_cell_an_instruction_wrote_is_compared) {
    const auto wrong = [](isa::Space space, std::uint32_t cell) {
        return Fault{.cell = [=](isa::Space s, std::uint32_t c, std::int32_t& value) {
            if (s == space && c == cell) value = 99;
        }};
    };
    expect_difference(wrong(isa::Space::spad, 7),
                      "0: LD d=5 n=3 x=0; cycle 14: spad 7: expected 3, got 99");
    expect_difference(wrong(isa::Space::ext, 10),
                      "2: ST a=5 n=3 x=8; cycle 31: ext 10: expected 6, got 99");
    EXPECT_FALSE(run(wrong(isa::Space::spad, 8)).has_value()) << "a cell nothing wrote";
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
    // Cell 9 is seen as 99 only when the whole memory is looked at.
    const auto divergence =
        run({.cell = [looks = 0](isa::Space s, std::uint32_t c, std::int32_t& value) mutable {
            if (s == isa::Space::ext && c == 9 && ++looks > 1) value = 99;
        }});
    ASSERT_TRUE(divergence.has_value());
    EXPECT_EQ(to_string(*divergence),
              "program 0 (test), instruction 3: HALT; cycle 33: memory 9: "
              "expected 4, got 99");
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
    Lockstep lockstep(kTarget, core);
    ReplayReport report;
    try {
        lockstep.run(0, {&kProgram, kImage}, report);
        FAIL();
    } catch (const CycleLimit& fault) {
        EXPECT_EQ(to_string(lockstep.divergence_of(fault)),
                  "program 0 (test), instruction 0: LD d=5 n=3 x=0; cycle 0: fault 0: expected "
                  "none, got broken");
    }
    BrokenCore<RtlFault> faulty;
    Lockstep other(kTarget, faulty);
    EXPECT_THROW(other.run(0, {&kProgram, kImage}, report), RtlFault);
}

}  // namespace
}  // namespace capra::sim
