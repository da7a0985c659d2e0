// Graph files: a graph and the calibration samples it is quantised with, as JSON.
//
//   {"name": "block",
//    "nodes": [
//      {"name": "x", "op": "input", "rows": 1, "cols": 2, "tag": "x"},
//      {"name": "w", "op": "weight", "values": [[0.5, -1], [2, 0.25]]},
//      {"name": "y", "op": "matmul", "inputs": ["x", "w"], "scale": 0.5, "transpose_b": false},
//      {"name": "h", "op": "silu", "inputs": ["y"]},
//      {"name": "token", "op": "index"},
//      {"name": "table", "op": "weight", "values": [[1, 0], [0.5, -1], [0, 2]]},
//      {"name": "row", "op": "lookup", "inputs": ["table", "token"], "rows": 1, "position": 0},
//      {"name": "z", "op": "mul", "inputs": ["h", "row"]},
//      {"name": "best", "op": "topk", "inputs": ["z"], "k": 2},
//      {"name": "first", "op": "element", "inputs": ["z"], "column": 0},
//      {"name": "o", "op": "output", "inputs": ["best"]},
//      {"name": "p", "op": "output", "inputs": ["first"]}],
//    "calibration": [{"x": [[1, -1]], "token": [[2]]}]}
//
// The operations are those of `Op`. `tag` (of what has a range of its own), `scale` and
// `transpose_b` of a matmul, and `rows` and `position` of a lookup are optional, everything else is
// required and nothing else is accepted. Matrices are arrays of rows; an index is given as [[3]].
// Nodes come after their operands. At least one calibration sample is needed, and each gives every
// input and index of the graph.
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
