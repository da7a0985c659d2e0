// Lowering: a quantised graph becomes a program.
//
//   for node in graph order:
//     matmul       for each tile_rows x tile_cols tile: MM over the whole depth; then one RQ, or
//                  where columns have scales LD of the column table and one RQC
//     add          RQ left into a scratch buffer; RQ right unless it is at the scale; VADD
//     mul          one VMUL, or one with a broadcast element a row
//     relu         nothing when fused, else RQ
//     silu, sigmoid, gelu    LD of the table; LUT
//     softmax      one SM a row
//     argmax       one AMAX a row, or AMAXC of the accumulators behind such a matmul
//     topk         one TOPK, or TOPKC of those accumulators; values lie behind the indices
//     topk_values, element   nothing: where they lie in their operand
//     lookup       LDX, or LDXW where the host gives the index
//     concat_rows, concat_cols    for each part: LD in place, or RQ into place
//     output       ST
//   LD of an input or weight, and LDX of a lookup, stand right before the first use.
#pragma once

#include "compiler/quantise.hpp"
#include "isa/program.hpp"
#include "isa/target.hpp"

namespace capra::compiler {

/// The program for a target. External memory holds every input, index, weight, table and output, in
/// node order, each named by a Symbol. Notes say which node each instruction computes and what the
/// scratchpad holds when. An Error names the node that does not fit: a matmul deeper than
/// tile_depth or larger than the accumulators, a row too long for SM, AMAX or TOPK, buffers that
/// exceed the scratchpad, tensors that exceed external memory, instructions that exceed program
/// memory.
isa::Program lower(const QuantisedGraph& quantised, const isa::Target& target);

}  // namespace capra::compiler
