// Where a program came from: the graph its compiler had. Notes are for people; they change nothing
// that a program does, and programs written by hand have none.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace capra::isa {

/// Refers to a node by its place in `Notes::nodes`.
using NoteIndex = std::uint32_t;
/// The instruction belongs to no node, as HALT does.
inline constexpr NoteIndex kNoNode = ~NoteIndex{0};

/// One node of the graph.
struct NodeNote {
    std::string name;
    std::string op;                 ///< "matmul", "add", ...
    std::vector<NoteIndex> inputs;  ///< operands, all of them earlier nodes
    std::uint32_t rows = 0;
    std::uint32_t cols = 0;
    double scale = 0;  ///< real value of one stored step; 0 for an index and for `column_scales`
    std::vector<double> column_scales;  ///< of a weight with one scale a column; else empty
    double factor = 1;           ///< the real result is multiplied by it (the 0.25 of 0.25 q k^T)
    bool transpose_b = false;    ///< the second operand is transposed
    std::uint32_t position = 0;  ///< element: its column; lookup: which winner of a topk
    bool in_place = false;  ///< the operand already holds the result: a relu inside a requantise

    friend bool operator==(const NodeNote&, const NodeNote&) = default;
};

/// What the cells of a buffer are.
enum class Holds : std::uint8_t {
    value,             ///< of the node
    column_table,      ///< of a matmul: two bytes a column
    activation_table,  ///< of an activation: the entries of LUT
    winners,           ///< of a topk: its indices, then as many values
};

/// Scratchpad cells [address, address + bytes) hold what a node needs, from instruction `first`,
/// which writes them first, to `last`, which uses them last.
struct BufferNote {
    NoteIndex value = 0;
    NoteIndex scale_of = 0;  ///< at the scale of this node; another one for a rescaled copy
    Holds holds = Holds::value;
    std::uint32_t address = 0;
    std::uint32_t bytes = 0;
    std::uint32_t first = 0;
    std::uint32_t last = 0;

    friend bool operator==(const BufferNote&, const BufferNote&) = default;
};

struct Notes {
    std::vector<NodeNote> nodes;
    std::vector<NoteIndex> instructions;  ///< parallel to the code: the node it belongs to
    std::vector<BufferNote> buffers;

    friend bool operator==(const Notes&, const Notes&) = default;
};

}  // namespace capra::isa
