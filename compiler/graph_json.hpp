// Graph files: a graph and the calibration samples it is quantised with, as JSON.
//
//   {"name": "mlp",
//    "nodes": [
//      {"name": "x", "op": "input", "rows": 1, "cols": 2, "tag": "x"},
//      {"name": "w", "op": "weight", "values": [[0.5, -1], [2, 0.25]]},
//      {"name": "y", "op": "matmul", "inputs": ["x", "w"], "scale": 0.5, "transpose_b": false},
//      {"name": "out", "op": "output", "inputs": ["y"]}],
//    "calibration": [{"x": [[1, -1]]}]}
//
// `tag`, `scale` and `transpose_b` are optional, everything else is required and nothing else is
// accepted. Matrices are arrays of rows. Nodes come after their operands. At least one
// calibration sample is needed, and each gives every input of the graph.
#pragma once

#include "compiler/float_interpreter.hpp"
#include "compiler/graph.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace capra::compiler {

struct ParsedGraph {
    Graph graph;
    std::vector<Inputs> samples;
};

/// Reads a graph file's text; `file` is its name for error messages. Anything unexpected is one
/// Error of the form `FILE: $.nodes[3].rows: node "x": what is wrong, got VALUE`.
ParsedGraph parse_graph(std::string_view text, const std::string& file);

}  // namespace capra::compiler
