// The Error about one node of a graph, and how it tells of another.
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

/// `"NAME" (ROWS x COLS)`
inline std::string shape_text(const Node& node) {
    return fmt::format("\"{}\" ({} x {})", node.name, node.rows, node.cols);
}

}  // namespace capra::compiler
