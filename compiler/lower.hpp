// Lowering: a quantised graph becomes a program.
//
//   for node in graph order:
//     matmul       for each tile_rows x tile_cols tile: MM over the whole depth; one RQ, or with
//     one
//                  scale a column LD of the column table and one RQC
//     add          RQ left into a scratch buffer; RQ right unless it is at the scale; VADD
//     relu         nothing when fused, else RQ
//     softmax      one SM a row
//     argmax       one AMAX a row, or AMAXC of the accumulators behind such a matmul
//     concat_rows  for each part: LD in place, or RQ into place
//     output       ST
//   LD of an input or weight stands right before its first use.
#pragma once

#include "compiler/quantise.hpp"
#include "isa/program.hpp"
#include "isa/target.hpp"

namespace capra::compiler {

/// The program for a target. External memory holds every input, weight, column table and output, in
/// node order, each named by a Symbol. Notes say which node each instruction computes and what the
/// scratchpad holds when. An Error names the node that does not fit: a matmul deeper than
/// tile_depth or larger than the accumulators, a row too long for SM or AMAX, buffers that exceed
/// the scratchpad, tensors that exceed external memory, instructions that exceed program memory.
isa::Program lower(const QuantisedGraph& quantised, const isa::Target& target);

}  // namespace capra::compiler
