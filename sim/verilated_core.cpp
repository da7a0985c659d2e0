#include "sim/verilated_core.hpp"

#include "isa/error.hpp"

#include <Vcapra_top.h>
#include <Vcapra_top___024root.h>
#include <fmt/format.h>
#include <verilated.h>

#include <algorithm>
#include <array>
#include <vector>

namespace capra::sim {
namespace {

/// No instruction of the ISA takes longer: the longest LD moves 65,535 words.
constexpr std::uint64_t kNoProgressCycles = 2'000'000;

/// The external memory of the reference profile: one request a cycle, answered a fixed number of
/// cycles later.
class ExternalMemory {
  public:
    explicit ExternalMemory(const isa::Target& target)
        : words_(target.ext_words, 0), responses_(target.ext_latency_cycles) {}

    void load(std::span<const std::int32_t> image) {
        if (image.size() > words_.size())
            throw Error(fmt::format("a memory image of {} words does not fit external memory of {}",
                                    image.size(), words_.size()));
        std::copy(image.begin(), image.end(), words_.begin());
        if (dirty_ > image.size())
            std::fill(words_.begin() + static_cast<std::ptrdiff_t>(image.size()),
                      words_.begin() + static_cast<std::ptrdiff_t>(dirty_), 0);
        dirty_ = image.size();
        std::fill(responses_.begin(), responses_.end(), Response{});
    }

    /// Before the clock edge of a cycle: what was asked for `latency` cycles ago.
    void answer(Vcapra_top& top) const {
        const Response& due = responses_[slot_];
        top.ext_rvalid_i = due.valid ? 1 : 0;
        if (due.valid) top.ext_rdata_i = static_cast<std::uint32_t>(due.data);
    }

    /// In the same cycle, after the outputs settled: takes the new request. A core in reset has
    /// none, whatever its outputs say before the first clock edge.
    void accept(const Vcapra_top& top) {
        const bool listening = top.rst_i == 0;
        Response& slot = responses_[slot_];
        slot.valid = listening && top.ext_re_o != 0;
        if (slot.valid) slot.data = words_[checked(top.ext_addr_o)];
        if (listening && top.ext_we_o != 0) {
            words_[checked(top.ext_addr_o)] = static_cast<std::int32_t>(top.ext_wdata_o);
            dirty_ = std::max<std::size_t>(dirty_, std::size_t{top.ext_addr_o} + 1);
        }
        if (++slot_ == responses_.size()) slot_ = 0;
    }

    [[nodiscard]] std::span<const std::int32_t> words() const { return words_; }

  private:
    struct Response {
        bool valid = false;
        std::int32_t data = 0;
    };

    [[nodiscard]] std::uint32_t checked(std::uint32_t address) const {
        if (address >= words_.size())
            throw Error(
                fmt::format("the RTL accessed external word {} of {}", address, words_.size()));
        return address;
    }

    std::vector<std::int32_t> words_;
    std::vector<Response> responses_;
    std::size_t slot_ = 0;
    std::size_t dirty_ = 0;
};

}  // namespace

struct VerilatedCore::Impl {
    Impl(const isa::Target& wanted, ResetRandomness randomness) : target(wanted), memory(wanted) {
        context.randReset(randomness.mode);
        context.randSeed(randomness.seed);
        top = std::make_unique<Vcapra_top>(&context);
        top->clk_i = 0;
        top->start_i = 0;
        top->prog_we_i = 0;
        top->ext_rvalid_i = 0;
        top->ext_rdata_i = 0;
        top->ext_words_i = target.ext_words;
        reset();
    }

    ~Impl() { top->final(); }

    void tick() {
        memory.answer(*top);
        top->clk_i = 0;
        top->eval();
        memory.accept(*top);
        top->clk_i = 1;
        top->eval();
    }

    void reset() {
        top->rst_i = 1;
        tick();
        top->rst_i = 0;
    }

    [[nodiscard]] bool running() const {
        return top->state_o == static_cast<std::uint8_t>(State::running);
    }

    isa::Target target;
    VerilatedContext context;
    std::unique_ptr<Vcapra_top> top;
    ExternalMemory memory;
};

VerilatedCore::VerilatedCore(const isa::Target& target, ResetRandomness randomness)
    : impl_(std::make_unique<Impl>(target, randomness)) {}
VerilatedCore::~VerilatedCore() = default;

void VerilatedCore::load(const isa::Program& program, std::span<const std::int32_t> memory) {
    if (program.code.size() > impl_->target.prog_words)
        throw Error(fmt::format("program {}: {} instructions do not fit the program memory of {}",
                                program.name, program.code.size(), impl_->target.prog_words));
    impl_->memory.load(memory);
    impl_->reset();
    Vcapra_top& top = *impl_->top;
    top.prog_we_i = 1;
    for (std::uint32_t i = 0; i < program.code.size(); ++i) {
        const isa::Word& word = program.code[i];
        top.prog_addr_i = static_cast<std::uint16_t>(i);
        top.prog_data_i[0] = static_cast<std::uint32_t>(word.lo);
        top.prog_data_i[1] = static_cast<std::uint32_t>(word.lo >> 32);
        top.prog_data_i[2] = static_cast<std::uint32_t>(word.hi);
        top.prog_data_i[3] = static_cast<std::uint32_t>(word.hi >> 32);
        impl_->tick();
    }
    top.prog_we_i = 0;
    top.prog_len_i = static_cast<std::uint16_t>(program.code.size());
}

void VerilatedCore::start() {
    impl_->top->start_i = 1;
    impl_->tick();
    impl_->top->start_i = 0;
}

bool VerilatedCore::next_retire(Retire& retire) {
    Vcapra_top& top = *impl_->top;
    for (std::uint64_t cycles = 0; cycles < kNoProgressCycles; ++cycles) {
        if (!impl_->running()) return false;
        impl_->tick();
        // The retire port speaks in the cycle after an instruction's last one, when all its
        // writes have reached the memories; the core may have stopped with it.
        if (top.retire_valid_o != 0) {
            retire = {top.retire_pc_o, top.retire_cycle_o,
                      static_cast<isa::Unit>(top.retire_unit_o)};
            return true;
        }
    }
    throw Error(
        fmt::format("the RTL retires nothing for {} cycles at pc {}", kNoProgressCycles, top.pc_o));
}

void VerilatedCore::run_to_stop() {
    for (std::uint64_t cycles = 0; impl_->running(); ++cycles) {
        if (cycles == kNoProgressCycles * impl_->target.prog_words)
            throw Error(fmt::format("the RTL does not stop: pc {}", impl_->top->pc_o));
        impl_->tick();
    }
}

Status VerilatedCore::status() const {
    const Vcapra_top& top = *impl_->top;
    return {static_cast<State>(top.state_o), static_cast<isa::Trap>(top.code_o), top.pc_o};
}

Counters VerilatedCore::counters() const {
    const Vcapra_top& top = *impl_->top;
    return {top.total_o, top.matrix_o, top.dma_o, top.vector_o, top.control_o};
}

std::int32_t VerilatedCore::cell(isa::Space space, std::uint32_t index) const {
    const auto& root = *impl_->top->rootp;
    if (space == isa::Space::spad)
        return static_cast<std::int8_t>(root.capra_top__DOT__u_spad__DOT__mem[index]);
    if (space == isa::Space::acc)
        return static_cast<std::int32_t>(root.capra_top__DOT__u_acc__DOT__mem[index]);
    return impl_->memory.words()[index];
}

std::span<const std::int32_t> VerilatedCore::external_memory() const {
    return impl_->memory.words();
}

}  // namespace capra::sim
