// The C++ machine behind the Engine interface.
#pragma once

#include "sim/engine.hpp"
#include "sim/machine.hpp"

namespace capra::sim {

class ModelEngine : public Engine {
  public:
    explicit ModelEngine(const isa::Target& target) : target_(target), machine_(target) {}

    [[nodiscard]] std::string name() const override { return "model"; }
    std::vector<Result> run(std::span<const Job> jobs) override;

  private:
    isa::Target target_;
    Machine machine_;
};

}  // namespace capra::sim
