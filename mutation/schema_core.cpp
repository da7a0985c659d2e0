#include "mutation/schema_core.hpp"

#include "isa/json_reader.hpp"
#include "sim/verilated_harness.hpp"

#include <Vcapra_schema.h>
#include <Vcapra_schema___024root.h>

#include <limits>

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

std::vector<SchemaMutant> parse_schema_mutants(std::string_view text, const std::string& file) {
    constexpr auto kMost = std::numeric_limits<std::uint32_t>::max();
    const JsonDocument document = parse_strict_json(text, file);
    const JsonReader list(document);
    std::vector<SchemaMutant> mutants;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const JsonReader m = list.at(i);
        m.only_keys({"number", "id", "suite", "file", "line", "column", "op", "begin", "end",
                     "original", "replacement"});
        mutants.push_back(
            {.number = static_cast<std::uint32_t>(m.at("number").integer(1, 65535)),
             .mutant = {.id = m.at("id").string(),
                        .suite = m.at("suite").string(),
                        .file = m.at("file").string(),
                        .line = static_cast<std::uint32_t>(m.at("line").integer(1, kMost)),
                        .column = static_cast<std::uint32_t>(m.at("column").integer(1, kMost)),
                        .op = m.at("op").string(),
                        .begin = static_cast<std::size_t>(m.at("begin").integer(0, kMost)),
                        .end = static_cast<std::size_t>(m.at("end").integer(0, kMost)),
                        .original = m.at("original").string(),
                        .replacement = m.at("replacement").string()}});
    }
    return mutants;
}

class SchemaCore::Harness : public sim::VerilatedHarness<Vcapra_schema> {
  public:
    explicit Harness(const isa::Target& target)
        : VerilatedHarness<Vcapra_schema>(target, sim::ResetRandomness{}) {}

    void select(std::uint32_t number) {
        top().mutant_i = static_cast<std::uint16_t>(number);
        top().mutant_load_i = 1;
        top().eval();
        top().mutant_load_i = 0;
        top().eval();
        reached = false;
    }
};

SchemaCore::SchemaCore(const isa::Target& target) : harness_(std::make_unique<Harness>(target)) {
    select(0);
}
SchemaCore::~SchemaCore() = default;

void SchemaCore::select(std::uint32_t number) {
    harness_->select(number);
}
bool SchemaCore::was_reached() const {
    return reached;
}
sim::RtlCore& SchemaCore::core() {
    return *harness_;
}

}  // namespace capra::mutation
