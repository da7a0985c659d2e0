// A mutant of the C++ code as a real one-line patch: the changed file is compiled anew beside the
// project and linked ahead of it with the unit tests. The project is only read.
#pragma once

#include "mutation/mutant.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace capra::mutation {

/// What the patched project does with some tests.
enum class PatchResult : std::uint8_t {
    equal,      ///< all of them pass
    different,  ///< one fails, or the program crashes or hangs
    not_built,  ///< the compiler refuses it
};

/// Where the project was built, as CMake wrote it down.
struct PatchToolchain {
    std::string source_dir;
    std::string compile_commands;  ///< path of CMake's compile_commands.json
    std::string link_list;  ///< path of a list of objects and libraries of the unit tests, in order
};

/// Tests are named as GoogleTest does. An Error when the mutant's file does not hold what the
/// mutant changes, or when the toolchain's files are not there. Works in a temporary directory.
PatchResult try_cpp_patch(const PatchToolchain& toolchain, const Mutant& mutant,
                          const std::vector<std::string>& tests);

/// True if the compiler makes the same optimised code of every file with and without the mutant:
/// nothing can tell them apart.
bool same_object(const PatchToolchain& toolchain, const Mutant& mutant);

}  // namespace capra::mutation
