#include "sim/verilated_core.hpp"

#include "sim/verilated_harness.hpp"

#include <Vcapra_top.h>
#include <Vcapra_top___024root.h>

namespace capra::sim {

std::unique_ptr<RtlCore> make_verilated_core(const isa::Target& target,
                                             ResetRandomness randomness) {
    return std::make_unique<VerilatedHarness<Vcapra_top>>(target, randomness);
}

}  // namespace capra::sim
