// Program files that commands are given.
#pragma once

#include "isa/program.hpp"

#include <string>

namespace capra::tools {

/// An Error names the file and what is wrong with it; of assembler text and of a graph, which are
/// no programs yet, it says which command makes a program of them.
isa::Program read_program(const std::string& path);

}  // namespace capra::tools
