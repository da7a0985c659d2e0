// An assertion of the RTL that fails while a program runs is a difference like any other: with its
// program and instruction, and without ending the process.
#include "sim/lockstep.hpp"
#include "sim/verilated_harness.hpp"
#include "tests/sim_support.hpp"

#include <gtest/gtest.h>
#include <verilated_funcs.h>

#include <array>

namespace capra::sim {
namespace {

using isa::Opcode;

const isa::Target kTarget = isa::reference_target();

/// The arrays of Verilator's memories.
template <typename T, std::size_t Words>
struct FakeMemory {
    T m_storage[Words] = {};
};

/// Stands for a Verilated top: it is running from start_i on, retires nothing, and in the third
/// cycle an assertion fails in it, as Verilator lets one fail.
struct FakeTop {
    explicit FakeTop(VerilatedContext*) {}
    void final() {}
    void eval() {
        if (clk_i == 0 || rst_i != 0) return;
        if (start_i != 0) cycle_ = 0;
        state_o = 1;
        if (++cycle_ != 3) return;
        VL_PRINTF_MT("ASSERT FAILED fake_top.planted\n");
        VL_STOP_MT("fake_top.v", 7, "");
    }

    struct Root {
        FakeMemory<std::uint8_t, 8192> capra_top__DOT__u_spad__DOT__mem;
        FakeMemory<std::uint32_t, 1024> capra_top__DOT__u_acc__DOT__mem;
    };
    Root root;
    Root* rootp = &root;

    std::uint8_t clk_i = 0, rst_i = 0, start_i = 0, prog_we_i = 0, ext_rvalid_i = 0;
    std::uint16_t prog_addr_i = 0, prog_len_i = 0;
    std::array<std::uint32_t, 4> prog_data_i{};
    std::uint32_t ext_words_i = 0, ext_rdata_i = 0;
    std::uint8_t ext_re_o = 0, ext_we_o = 0, state_o = 0, code_o = 0;
    std::uint32_t ext_addr_o = 0, ext_wdata_o = 0;
    std::uint16_t pc_o = 0, retire_pc_o = 0;
    std::uint8_t retire_valid_o = 0, retire_unit_o = 0;
    std::uint64_t retire_cycle_o = 0;
    std::uint64_t total_o = 0, matrix_o = 0, dma_o = 0, vector_o = 0, control_o = 0;

  private:
    unsigned cycle_ = 100;
};

const isa::Program kProgram =
    program_of({{.op = Opcode::ld, .d = 0, .x = 0, .n = 8}, {.op = Opcode::halt}});

/// The fault of a run as a difference, or what else came of it.
std::string fault_of(Lockstep& lockstep) {
    ReplayReport report;
    try {
        return lockstep.run(0, {&kProgram, {}}, report) ? "a difference" : "equal";
    } catch (const RtlFault& fault) {
        return to_string(lockstep.divergence_of(fault));
    }
}

constexpr const char* kPlanted =
    "program 0 (test), instruction 0: LD d=0 n=8 x=0; cycle 0: fault 0: expected none, got ASSERT "
    "FAILED fake_top.planted";

TEST(CosimAssertion, one_that_fails_is_a_fault_at_the_instruction_being_run) {
    VerilatedHarness<FakeTop> core(kTarget, {});
    Lockstep lockstep(kTarget, core);
    EXPECT_EQ(fault_of(lockstep), kPlanted);
    EXPECT_EQ(fault_of(lockstep), kPlanted) << "the first fault is forgotten";
}

/// Verilator charges errors to a context of the thread, the last one made unless told otherwise.
TEST(CosimAssertion, one_core_s_fault_is_not_another_s) {
    VerilatedHarness<FakeTop> core(kTarget, {});
    const auto sound = make_verilated_core(kTarget);
    Lockstep broken(kTarget, core);
    Lockstep lockstep(kTarget, *sound);
    EXPECT_EQ(fault_of(broken), kPlanted);
    EXPECT_EQ(fault_of(lockstep), "equal");
    EXPECT_EQ(fault_of(broken), kPlanted);
}

}  // namespace
}  // namespace capra::sim
