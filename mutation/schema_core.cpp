#include "mutation/schema_core.hpp"

#include "sim/verilated_harness.hpp"

#include <Vcapra_schema.h>
#include <Vcapra_schema___024root.h>

namespace capra::mutation {
namespace {

/// The schema calls a plain C function, which has nowhere else to leave a word.
bool reached = false;

}  // namespace
}  // namespace capra::mutation

/// Called by the schema whenever the changed text of the selected mutant is executed.
void capra_mutant_hit();
void capra_mutant_hit() {
    capra::mutation::reached = true;
}

namespace capra::mutation {

class SchemaCore::Harness : public sim::VerilatedHarness<Vcapra_schema> {
  public:
    Harness(const isa::Target& target, sim::ResetRandomness power_up)
        : VerilatedHarness<Vcapra_schema>(target, power_up) {}

    void select(std::uint32_t number) {
        top().mutant_i = static_cast<std::uint16_t>(number);
        top().mutant_load_i = 0;  // it may be anything at power-up
        top().eval();
        top().mutant_load_i = 1;
        top().eval();
        top().mutant_load_i = 0;
        top().eval();
    }
};

SchemaCore::SchemaCore(const isa::Target& target, sim::ResetRandomness power_up)
    : harness_(std::make_unique<Harness>(target, power_up)) {
    select(0);
}
SchemaCore::~SchemaCore() = default;

void SchemaCore::select(std::uint32_t number) {
    harness_->select(number);
}
bool SchemaCore::was_reached() {
    return reached;
}
void SchemaCore::forget_reached() {
    reached = false;
}
sim::RtlCore& SchemaCore::core() {
    return *harness_;
}

}  // namespace capra::mutation
