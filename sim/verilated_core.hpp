// The RTL top in Verilator.
#pragma once

#include "isa/target.hpp"
#include "sim/rtl_core.hpp"

#include <cstdint>
#include <memory>

namespace capra::sim {

/// Uninitialised RTL state at construction, as Verilator's +verilator+rand+reset: 0 all zero,
/// 1 all one, 2 random from `seed`.
struct ResetRandomness {
    int mode = 0;
    int seed = 1;
};

/// A core at power-up, in reset.
std::unique_ptr<RtlCore> make_verilated_core(const isa::Target& target,
                                             ResetRandomness randomness = {});

}  // namespace capra::sim
