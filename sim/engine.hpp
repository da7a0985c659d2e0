// What every engine does: run a program on a memory image and report everything that can be
// compared. Three implement it: the C++ machine, Verilator, Icarus.
#pragma once

#include "isa/check.hpp"
#include "isa/program.hpp"
#include "isa/target.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace capra::sim {

/// Cycle counters of one run; `total` is the sum of the other four at every HALT and trap.
struct Counters {
    std::uint64_t total = 0;
    std::uint64_t matrix = 0;
    std::uint64_t dma = 0;
    std::uint64_t vector = 0;
    std::uint64_t control = 0;

    Counters& operator+=(const Counters& other) {
        total += other.total;
        matrix += other.matrix;
        dma += other.dma;
        vector += other.vector;
        control += other.control;
        return *this;
    }
    friend bool operator==(const Counters&, const Counters&) = default;
};

enum class State : std::uint8_t { idle = 0, running = 1, halted = 2, trapped = 3 };

struct Status {
    State state = State::idle;
    isa::Trap trap = isa::Trap::none;
    std::uint32_t pc = 0;  ///< of the HALT, or of the instruction that trapped

    friend bool operator==(const Status&, const Status&) = default;
};

/// One retired instruction: `cycle` is the total counter after its last cycle.
struct Retire {
    std::uint32_t pc = 0;
    std::uint64_t cycle = 0;
    isa::Unit unit = isa::Unit::control;

    friend bool operator==(const Retire&, const Retire&) = default;
};

/// One run asked for: a program and external memory from address 0 (the rest is 0). Both must
/// outlive the call.
struct Job {
    const isa::Program* program = nullptr;
    std::span<const std::int32_t> memory;
};

struct Result {
    Status status;
    Counters counters;
    std::vector<std::int32_t> memory;  ///< external memory, `Program::memory_words` of it
    std::vector<Retire> trace;
};

class Engine {
  public:
    Engine() = default;
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;
    virtual ~Engine() = default;

    /// "model", "verilator" or "icarus".
    [[nodiscard]] virtual std::string name() const = 0;

    /// Runs each job on a machine that starts from reset with cleared external memory. A trap is
    /// a result, not an error. Throws Error when the engine itself fails.
    virtual std::vector<Result> run(std::span<const Job> jobs) = 0;

    /// One job.
    Result run_one(const isa::Program& program, std::span<const std::int32_t> memory);
};

/// The engines there are.
inline const std::vector<std::string> kEngineNames = {"model", "verilator", "icarus"};

/// Throws the Error for a name that is none of them.
[[noreturn]] void unknown_engine(const std::string& name);

/// An engine by name; an Error lists the names for an unknown one.
std::unique_ptr<Engine> make_engine(const std::string& name, const isa::Target& target);

}  // namespace capra::sim
