// Building small programs in tests.
#pragma once

#include "isa/codec.hpp"
#include "isa/program.hpp"
#include "isa/target.hpp"

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace capra::sim {

/// A program of these instructions with `memory_words` of external memory.
inline isa::Program program_of(std::initializer_list<isa::Instruction> code,
                               std::uint32_t memory_words = 256) {
    isa::Program program{.name = "test", .memory_words = memory_words};
    for (const isa::Instruction& insn : code) program.code.push_back(isa::encode(insn));
    return program;
}

/// `program` with its memory image as data.
inline isa::Program with_data(isa::Program program, std::vector<std::int8_t> values) {
    program.data = {{.address = 0, .values = std::move(values)}};
    return program;
}

}  // namespace capra::sim
