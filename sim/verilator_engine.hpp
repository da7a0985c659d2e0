// The RTL in Verilator behind the Engine interface.
#pragma once

#include "sim/engine.hpp"
#include "sim/verilated_core.hpp"

namespace capra::sim {

class VerilatorEngine : public Engine {
  public:
    explicit VerilatorEngine(const isa::Target& target, ResetRandomness randomness = {})
        : target_(target), core_(make_verilated_core(target, randomness)) {}

    [[nodiscard]] std::string name() const override { return "verilator"; }
    std::vector<Result> run(std::span<const Job> jobs) override;

  private:
    isa::Target target_;
    std::unique_ptr<RtlCore> core_;
};

}  // namespace capra::sim
