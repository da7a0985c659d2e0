#include "mutation/rtl_indexed.hpp"

#include "isa/table.hpp"
#include "mutation/rtl_directed_program.hpp"

#include <fmt/format.h>

namespace capra::mutation {
namespace {

using isa::Instruction;
using isa::Opcode;

/// The last row there is, at the end of external memory; indices in the last cells.
RtlCheck last_rows(const isa::Target& target) {
    const std::uint32_t spad = target.spad_bytes;
    const std::uint32_t ext = target.ext_words;
    RtlCheck result = directed_program(
        "directed/last-rows", target,
        {{.op = Opcode::ld, .d = spad - 2, .x = 0, .n = 2},
         {.op = Opcode::ldx, .d = 0, .a = spad - 1, .x = ext - 24, .rows = 8, .n = 3},
         {.op = Opcode::ld, .d = spad - 2, .x = 1, .n = 2},
         {.op = Opcode::ldx, .d = 4, .a = spad - 2, .x = ext - 264, .rows = 264, .n = 1, .wide = 1},
         {.op = Opcode::st, .a = spad - 2, .x = ext - 1, .n = 1},
         {.op = Opcode::ldxw, .d = spad - 2, .x = ext - 16, .w = ext - 1, .rows = 8, .n = 2},
         {.op = Opcode::halt}},
        {3, 7, 1});
    result.program.memory_words = ext;
    result.memory = isa::initial_memory(result.program);
    return result;
}

/// Memory has twice as many words, and every row that is tried.
constexpr std::uint32_t kWords = 400;

/// A row of one is word 1 on; the index is word 0.
void add_faults(std::vector<RtlCheck>& checks, const isa::Target& target) {
    const auto add = [&](std::int32_t index, std::uint32_t rows, const Instruction& insn) {
        Instruction indexed = insn;
        indexed.x = 1, indexed.rows = rows, indexed.n = 1, indexed.d = 2;
        checks.push_back(
            directed_program(fmt::format("directed/{}{}-{}-of-{}", isa::row_of(insn.op).mnemonic,
                                         insn.wide != 0 ? "-wide" : "", index, rows),
                             target,
                             {{.op = Opcode::ld, .d = 0, .x = 0, .n = 2},
                              indexed,
                              {.op = Opcode::st, .a = 0, .x = 0, .n = 3},
                              {.op = Opcode::halt}},
                             some_data(kWords)));
        checks.back().memory[0] = index;
        checks.back().memory[1] = index >> 8;
    };
    for (const std::uint32_t rows : {12U, 13U, 14U})
        for (const std::int32_t index : {0, 12, 13, 14, 128, 255, 0x10c, 0x8000, 0x1000c})
            for (const Instruction& insn :
                 {Instruction{.op = Opcode::ldx}, Instruction{.op = Opcode::ldx, .wide = 1},
                  Instruction{.op = Opcode::ldxw}})
                add(index, rows, insn);
    for (const std::int32_t index : {511, 512, 513, 0x10200, -1})
        for (const Instruction& insn :
             {Instruction{.op = Opcode::ldx, .wide = 1}, Instruction{.op = Opcode::ldxw}})
            add(index, 513, insn);
}

}  // namespace

void add_indexed_loads(std::vector<RtlCheck>& checks, const isa::Target& target) {
    checks.push_back(last_rows(target));
    add_faults(checks, target);
}

}  // namespace capra::mutation
