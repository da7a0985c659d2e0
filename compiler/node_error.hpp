// The Error about one node of a graph.
#pragma once

#include "compiler/graph.hpp"
#include "isa/error.hpp"

#include <fmt/format.h>

#include <string>

namespace capra::compiler {

/// Throws the Error `node "NAME": MESSAGE`.
[[noreturn]] inline void fail(const Node& node, const std::string& message) {
    throw Error(fmt::format("node \"{}\": {}", node.name, message));
}

}  // namespace capra::compiler
