// The programs of a step as graphs.
#pragma once

#include "compiler/graph.hpp"
#include "stem/step_plan.hpp"

namespace capra::stem {

/// The graph of one segment. A step begins with the input x (1, kWidth), the embedding of the
/// token, and ends with the outputs token (1, 1) and logits (1, kVocabulary). At a decision of
/// layer 1 a segment ends with some of these outputs, and the next begins with those of them that
/// it needs as inputs:
///   l1_h, the state before the layer; l1_y0, l1_y1, what the layer has added to it so far, before
///   the expert of that rank; l1_gates (1, top), the experts' weights; l1_pair_weights (1, top) of
///   a product key.
/// For the host there are the outputs l1_experts (1, top), l1_score (1, 1), l1_first, l1_second and
/// l1_pairs (1, top), and l0_k and l0_v (1, kHeadWidth) of attention, whose earlier ones are the
/// inputs l0_k_cache and l0_v_cache; and the indices l1_row0 and so on of the rows of a table.
compiler::Graph segment_graph(const Stack& stack, const StepPlan& plan, const Segment& segment);

}  // namespace capra::stem
