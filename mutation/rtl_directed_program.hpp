// How a directed program is made from its instructions.
#pragma once

#include "isa/instruction.hpp"
#include "mutation/rtl_checks.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace capra::mutation {

using Code = std::vector<isa::Instruction>;

/// `code` with `data` at the beginning of an external memory of twice that size, or of all there is
/// if that is less.
RtlCheck directed_program(std::string name, const isa::Target& target, const Code& code,
                          std::vector<std::int8_t> data);

/// -32, -25, ..: no two neighbours alike.
std::vector<std::int8_t> some_data(std::uint32_t count);

}  // namespace capra::mutation
