// What the operands of an instruction are called: tensors and slices of them where the program's
// notes and symbols tell, else cells of a memory.
//
//   wq[:, 0:4]      columns 0 to 3 of tensor wq; rows come first, [7] is row 7
//   h@y             the value of h, rescaled to the scale of y
//   q.mult          the column table of q, as a matrix of two bytes a column
//   h.lut           the table of the activation h, an entry a row
//   best[0]         the winners of a topk: indices in row 0, values in row 1
//   acc[0:4]        the accumulators, seen as the matrix that is being computed
//   ext wq          a tensor in external memory
//   spad[32:36]     cells 32 to 35; spad[0:4, 16:20 .. 240:244] is many rows of four
#pragma once

#include "isa/check.hpp"
#include "isa/program.hpp"

#include <cstdint>
#include <string>

namespace capra::sim {

/// The buffer that an access of this instruction stays in; null if the notes know of none.
const isa::BufferNote* buffer_of(const isa::Notes& notes, std::uint32_t pc,
                                 const isa::Access& access);

/// What the cells of a buffer are called: the value's name, `VALUE@NODE` for a rescaled copy,
/// `VALUE.mult` for its column table, `VALUE.lut` for an activation's.
std::string buffer_name(const isa::Notes& notes, const isa::BufferNote& buffer);

/// Rows and columns of what a buffer holds.
struct Shape {
    std::uint32_t rows;
    std::uint32_t cols;
};
Shape buffer_shape(const isa::Notes& notes, const isa::BufferNote& buffer);

/// The operand `access` of instruction `pc`.
std::string operand_name(const isa::Program& program, std::uint32_t pc, const isa::Access& access);

}  // namespace capra::sim
