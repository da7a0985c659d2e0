// Drives a Verilated capra_top. A template over Verilator's class, so that every build of the RTL
// (the plain one, one with planted faults) is driven by the same code.
#pragma once

#include "sim/external_memory.hpp"
#include "sim/rtl_core.hpp"
#include "sim/rtl_messages.hpp"
#include "sim/rtl_target.hpp"
#include "sim/verilated_core.hpp"

#include <fmt/format.h>
#include <verilated.h>

#include <cstdint>
#include <iterator>
#include <memory>
#include <span>

namespace capra::sim {

template <typename Top>
class VerilatedHarness : public RtlCore {
  public:
    VerilatedHarness(const isa::Target& target, ResetRandomness randomness)
        : target_(target), memory_(target) {
        check_rtl_target(target);
        context_.fatalOnError(false);  // an assertion that fails is ours to report, see tick()
        context_.randReset(randomness.mode);
        context_.randSeed(randomness.seed);
        top_ = std::make_unique<Top>(&context_);
        top_->clk_i = 0;
        top_->start_i = 0;
        top_->prog_we_i = 0;
        top_->ext_rvalid_i = 0;
        top_->ext_rdata_i = 0;
        top_->ext_words_i = target.ext_words;
        top_->rst_i = 1;
    }
    ~VerilatedHarness() override {
        // The model takes itself out of the thread's context, whichever that is: it must be its
        // own.
        enter();
        top_->final();
        top_.reset();
    }

    void load(const isa::Program& program, std::span<const std::int32_t> memory) override {
        if (program.code.size() > target_.prog_words)
            throw Error(
                fmt::format("program {}: {} instructions do not fit the program memory of {}",
                            program.name, program.code.size(), target_.prog_words));
        memory_.load(memory);
        enter();
        forget_errors();
        reset();
        top_->prog_we_i = 1;
        for (std::uint32_t i = 0; i < program.code.size(); ++i) {
            const isa::Word& word = program.code[i];
            top_->prog_addr_i = static_cast<std::uint16_t>(i);
            top_->prog_data_i[0] = static_cast<std::uint32_t>(word.lo);
            top_->prog_data_i[1] = static_cast<std::uint32_t>(word.lo >> 32);
            top_->prog_data_i[2] = static_cast<std::uint32_t>(word.hi);
            top_->prog_data_i[3] = static_cast<std::uint32_t>(word.hi >> 32);
            tick();
        }
        top_->prog_we_i = 0;
        // A full memory ends where it ends, whatever the length says.
        const bool is_full = program.code.size() == target_.prog_words;
        top_->prog_len_i = is_full ? 0xffff : static_cast<std::uint16_t>(program.code.size());
    }

    void start(std::uint64_t cycle_limit) override {
        enter();
        cycles_left_ = cycle_limit;
        top_->start_i = 1;
        tick();
        top_->start_i = 0;
    }

    bool next_retire(Retire& retire) override {
        enter();
        while (running()) {
            tick_within_limit();
            // The retire port speaks in the cycle after an instruction's last one, when all its
            // writes have reached the memories; the core may have stopped with it.
            if (top_->retire_valid_o != 0) {
                retire = {top_->retire_pc_o, top_->retire_cycle_o,
                          static_cast<isa::Unit>(top_->retire_unit_o)};
                return true;
            }
        }
        return false;
    }

    void run_to_stop() override {
        enter();
        while (running()) tick_within_limit();
    }

    [[nodiscard]] Status status() const override {
        return {static_cast<State>(top_->state_o), static_cast<isa::Trap>(top_->code_o),
                top_->pc_o};
    }

    [[nodiscard]] Counters counters() const override {
        return {top_->total_o, top_->matrix_o, top_->dma_o, top_->vector_o, top_->control_o};
    }

    [[nodiscard]] std::span<const std::int8_t> scratchpad() const override {
        const auto& cells = top_->rootp->capra_top__DOT__u_spad__DOT__mem.m_storage;
        return {reinterpret_cast<const std::int8_t*>(cells), std::size(cells)};
    }
    [[nodiscard]] std::span<const std::int32_t> accumulators() const override {
        const auto& cells = top_->rootp->capra_top__DOT__u_acc__DOT__mem.m_storage;
        return {reinterpret_cast<const std::int32_t*>(cells), std::size(cells)};
    }
    [[nodiscard]] std::span<const std::int32_t> external_memory() const override {
        return memory_.words();
    }
    [[nodiscard]] std::size_t external_end() const override { return memory_.end(); }

  protected:
    [[nodiscard]] Top& top() { return *top_; }

  private:
    void tick() {
        const ExternalResponse& due = memory_.due();
        top_->ext_rvalid_i = due.valid ? 1 : 0;
        if (due.valid) top_->ext_rdata_i = static_cast<std::uint32_t>(due.data);
        top_->clk_i = 0;
        top_->eval();
        // A core in reset asks for nothing, whatever its outputs say before the first clock edge.
        const bool listening = top_->rst_i == 0;
        memory_.accept({.read = listening && top_->ext_re_o != 0,
                        .write = listening && top_->ext_we_o != 0,
                        .address = top_->ext_addr_o,
                        .data = top_->ext_wdata_o});
        top_->clk_i = 1;
        top_->eval();
        if (context_.gotError()) throw RtlFault(take_rtl_messages());
    }

    /// Errors are charged to the context of the thread, which has to be this core's.
    void enter() { Verilated::threadContextp(&context_); }

    void forget_errors() {
        context_.gotError(false);
        context_.gotFinish(false);
        take_rtl_messages();
    }

    void tick_within_limit() {
        if (cycles_left_-- == 0)
            throw CycleLimit(
                fmt::format("still running at pc {}, long after the end was due", top_->pc_o));
        tick();
    }

    void reset() {
        top_->rst_i = 1;
        tick();
        top_->rst_i = 0;
    }

    [[nodiscard]] bool running() const {
        return top_->state_o == static_cast<std::uint8_t>(State::running);
    }

    isa::Target target_;
    VerilatedContext context_;
    std::unique_ptr<Top> top_;
    ExternalMemory memory_;
    std::uint64_t cycles_left_ = 0;
};

}  // namespace capra::sim
