// The target a program file is run and judged on.
#pragma once

#include "isa/program.hpp"
#include "isa/target.hpp"

#include <algorithm>

namespace capra::tools {

/// The target the program names, with the external memory a target has by default, or as much as
/// the program asks for if that is more.
inline isa::Target target_of(const isa::Program& program) {
    return isa::target_by_name(program.target,
                               std::max(isa::kDefaultExtWords, program.memory_words));
}

}  // namespace capra::tools
