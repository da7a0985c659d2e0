// The RTL in Icarus, through a replay file and vvp.
#pragma once

#include "sim/engine.hpp"
#include "sim/replay.hpp"

#include <string>

namespace capra::sim {

class IcarusEngine : public Engine {
  public:
    explicit IcarusEngine(const isa::Target& target);

    [[nodiscard]] std::string name() const override { return "icarus"; }
    std::vector<Result> run(std::span<const Job> jobs) override;

  private:
    isa::Target target_;
};

/// The whole job list in one vvp run whose bench checks itself against the replay file.
ReplayReport replay_icarus(const isa::Target& target, std::span<const Job> jobs);

}  // namespace capra::sim
