#include "isa/target.hpp"

#include "isa/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace capra::isa {
namespace {

/// What the instructions can address.
constexpr std::uint32_t kMaxSpadBytes = field_max(Opcode::ld, &Instruction::d) + 1;
constexpr std::uint32_t kMaxAccWords = field_max(Opcode::mm, &Instruction::d) + 1;
/// pc has 16 bits and can stand one past the last instruction.
constexpr std::uint32_t kMaxProgWords = (1U << 16) - 1;
constexpr std::uint32_t kMaxArgmax = 128;  ///< the last index must fit an int8
constexpr std::uint32_t kAny = std::numeric_limits<std::uint32_t>::max();

/// The most cycles an opcode can cost. In floating point: near the bound of 32 bits it is exact,
/// and it cannot wrap.
double largest_cost(const Target& target, const OpcodeCost& cost) {
    const auto largest = [&](Field member) -> double {
        if (member == nullptr) return 1;
        for (const FieldRow& field : row_of(cost.op).fields)
            if (field.member == member)
                return target.limit(field.limit, field_max(cost.op, member));
        return 0;
    };
    double cycles = 0;
    for (const CostTerm& term : cost.terms)
        cycles += term.coefficient * largest(term.x) * largest(term.y);
    return cycles;
}

void check_costs(const Target& target) {
    for (const InstructionRow& row : kTable) {
        const auto is_row = [&](const OpcodeCost& cost) { return cost.op == row.op; };
        const auto cost = std::find_if(target.costs.begin(), target.costs.end(), is_row);
        const auto given = std::count_if(target.costs.begin(), target.costs.end(), is_row);
        if (given != 1)
            throw Error(fmt::format("target '{}': {} costs for {}, it needs one", target.name,
                                    given, row.mnemonic));
        if (row.unit == Unit::control && largest_cost(target, *cost) > 0)
            throw Error(
                fmt::format("target '{}': {} occupies no unit and cannot cost more than "
                            "its fetch and decode",
                            target.name, row.mnemonic));
        if (largest_cost(target, *cost) > std::numeric_limits<std::uint32_t>::max())
            throw Error(fmt::format("target '{}': {} can cost more cycles than 32 bits hold",
                                    target.name, row.mnemonic));
    }
}

}  // namespace

const Target& Target::validate() const {
    const struct {
        std::string_view field;
        std::uint32_t value;
        std::uint32_t most;
    } sizes[] = {
        {"spad_bytes", spad_bytes, kMaxSpadBytes},
        {"acc_words", acc_words, kMaxAccWords},
        {"prog_words", prog_words, kMaxProgWords},
        {"ext_words", ext_words, kMaxExtWords},
        {"tile_rows", tile_rows, field_max(Opcode::mm, &Instruction::m)},
        {"tile_cols", tile_cols, field_max(Opcode::mm, &Instruction::n)},
        {"tile_depth", tile_depth, field_max(Opcode::mm, &Instruction::k)},
        {"softmax_max", softmax_max, field_max(Opcode::sm, &Instruction::n)},
        {"argmax_max", argmax_max, kMaxArgmax},
        {"fetch_decode_cycles", fetch_decode_cycles, kAny},
        {"ext_latency_cycles", ext_latency_cycles, kAny},
    };
    for (const auto& [field, value, most] : sizes)
        if (value == 0 || value > most)
            throw Error(
                fmt::format("target '{}': {} is 1 to {}, got {}", name, field, most, value));
    check_costs(*this);
    return *this;
}

std::uint32_t Target::limit(Limit limit, std::uint32_t width_max) const {
    switch (limit) {
        case Limit::width:
            break;
        case Limit::tile_rows:
            return tile_rows;
        case Limit::tile_cols:
            return tile_cols;
        case Limit::tile_depth:
            return tile_depth;
        case Limit::softmax_max:
            return softmax_max;
        case Limit::argmax_max:
            return argmax_max;
    }
    return width_max;
}

std::uint64_t Target::unit_cycles(const Instruction& insn) const {
    std::uint64_t cycles = 0;
    for (const OpcodeCost& cost : costs) {
        if (cost.op != insn.op) continue;
        for (const CostTerm& term : cost.terms) {
            std::uint64_t product = term.coefficient;
            if (term.x != nullptr) product *= insn.*term.x;
            if (term.y != nullptr) product *= insn.*term.y;
            cycles += product;
        }
    }
    return cycles;
}

std::uint32_t Target::fault_cycles(Opcode op) const {
    for (const OpcodeCost& cost : costs)
        if (cost.op == op) return cost.fault_cycles;
    return 0;
}

Target reference_target(std::uint32_t ext_words) {
    Target target{.name = "reference",
                  .spad_bytes = 8192,
                  .acc_words = 1024,
                  .prog_words = 1024,
                  .ext_words = ext_words,
                  .tile_rows = 4,
                  .tile_cols = 4,
                  .tile_depth = 256,
                  .softmax_max = 256,
                  .argmax_max = 128,
                  .fetch_decode_cycles = kFetchDecodeCycles,
                  .ext_latency_cycles = 8,
                  .costs = {}};
    for (const InstructionRow& row : kTable)
        target.costs.push_back({row.op, {row.cost.begin(), row.cost.end()}, row.fault_cycles});
    return target;
}

Target target_by_name(const std::string& name, std::uint32_t ext_words) {
    if (name == "reference") return reference_target(ext_words);
    throw Error(fmt::format("unknown target '{}': the targets are: reference", name));
}

}  // namespace capra::isa
