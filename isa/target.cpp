#include "isa/target.hpp"

#include "isa/error.hpp"

#include <fmt/format.h>

namespace capra::isa {

std::uint32_t Target::limit(Limit limit, std::uint32_t width_max) const {
    switch (limit) {
        case Limit::width:
            return width_max;
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
    for (const OpcodeCost& cost : costs) {
        if (cost.op != insn.op) continue;
        std::uint64_t cycles = 0;
        for (const CostTerm& term : cost.terms) {
            std::uint64_t product = term.coefficient;
            if (term.x != nullptr) product *= insn.*term.x;
            if (term.y != nullptr) product *= insn.*term.y;
            cycles += product;
        }
        return cycles;
    }
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
        target.costs.push_back({row.op, {row.cost.begin(), row.cost.end()}});
    return target;
}

Target target_by_name(const std::string& name, std::uint32_t ext_words) {
    if (name == "reference") return reference_target(ext_words);
    throw Error(fmt::format("unknown target '{}': the targets are: reference", name));
}

}  // namespace capra::isa
