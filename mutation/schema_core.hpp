// The Verilated schema: the RTL with every mutant in it, one of them selected.
#pragma once

#include "isa/target.hpp"
#include "mutation/mutant.hpp"
#include "sim/rtl_core.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace capra::mutation {

/// A mutant of the schema and the number that selects it.
struct SchemaMutant {
    std::uint32_t number = 0;
    Mutant mutant;
};

/// The list that `mutgen` writes beside the schema; an Error names `file` and what is wrong.
std::vector<SchemaMutant> parse_schema_mutants(std::string_view text, const std::string& file);

class SchemaCore {
  public:
    explicit SchemaCore(const isa::Target& target);
    ~SchemaCore();
    SchemaCore(const SchemaCore&) = delete;
    SchemaCore& operator=(const SchemaCore&) = delete;

    /// From now on the design is this mutant; 0 is the unbroken design.
    void select(std::uint32_t number);

    /// True if the changed text of the selected mutant has been executed since `select`. Text that
    /// is always evaluated, as combinational logic is, has.
    [[nodiscard]] bool was_reached() const;

    [[nodiscard]] sim::RtlCore& core();

  private:
    class Harness;
    std::unique_ptr<Harness> harness_;
};

}  // namespace capra::mutation
