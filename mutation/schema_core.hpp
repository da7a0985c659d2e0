// The Verilated schema: the RTL with every mutant in it, one of them selected.
#pragma once

#include "isa/target.hpp"
#include "mutation/mutant.hpp"
#include "sim/rtl_core.hpp"
#include "sim/verilated_core.hpp"

#include <cstdint>
#include <memory>

namespace capra::mutation {

/// A mutant of the schema and the number that selects it.
struct SchemaMutant {
    std::uint32_t number = 0;
    Mutant mutant;
};

class SchemaCore {
  public:
    /// At power-up: no clock edge has come yet.
    explicit SchemaCore(const isa::Target& target, sim::ResetRandomness power_up = {});
    ~SchemaCore();
    SchemaCore(const SchemaCore&) = delete;
    SchemaCore& operator=(const SchemaCore&) = delete;

    /// From now on the design is this mutant; 0 is the unbroken design.
    void select(std::uint32_t number);

    /// True if the changed text of the selected mutant has been executed, in any core of this
    /// process, since `forget_reached`. Text that is always evaluated, as combinational logic is,
    /// has.
    [[nodiscard]] static bool was_reached();
    static void forget_reached();

    [[nodiscard]] sim::RtlCore& core();

  private:
    class Harness;
    std::unique_ptr<Harness> harness_;
};

}  // namespace capra::mutation
