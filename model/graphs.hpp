// The models as graphs, one for each kind of program. Tags x, k, v and h name the tensors that
// cross from one program to the next: they share one calibrated range over all programs.
#pragma once

#include "compiler/graph.hpp"
#include "model/language_model.hpp"

#include <cstdint>

namespace capra::model {

/// A(T): attention over `context` positions and the router. Inputs x (1, 16) and, when
/// context > 1, k_cache and v_cache (context - 1, 16). Outputs h, route, router, k, v.
compiler::Graph attention_router_graph(const LanguageModel& model, std::uint32_t context);

/// B_e for `rows` tokens at once. Input h (rows, 16). Outputs token (rows, 1), logits (rows, 16).
compiler::Graph expert_graph(const LanguageModel& model, std::uint32_t expert, std::uint32_t rows);

/// Attention, then every expert, their outputs added. Inputs as A(T). Outputs token, k, v.
compiler::Graph dense_graph(const LanguageModel& model, std::uint32_t context);

/// Attention, then the one feed-forward block. Inputs as A(T). Outputs token, logits, k, v, h.
compiler::Graph single_graph(const LanguageModel& model, std::uint32_t context);

}  // namespace capra::model
