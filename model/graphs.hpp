// The models as graphs, one for each kind of program. Tags x, k, v, h and partial name the tensors
// that cross from one program to the next: they share one calibrated range over all programs.
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

/// With two experts a token, the program of the first, e. Input h (1, 16). Output y (1, 16), which
/// is h + relu(h W1_e) W2_e.
compiler::Graph first_expert_graph(const LanguageModel& model, std::uint32_t expert);

/// The program of the second. Inputs h and y (1, 16), y of the first. Outputs token, logits of
/// y + relu(h W1_e) W2_e.
compiler::Graph second_expert_graph(const LanguageModel& model, std::uint32_t expert);

/// `rows` tokens that no expert takes: y = h. Input h (rows, 16). Outputs token, logits.
compiler::Graph skip_graph(const LanguageModel& model, std::uint32_t rows);

/// Attention, then every expert, their outputs added. Inputs as A(T). Outputs token, k, v.
compiler::Graph dense_graph(const LanguageModel& model, std::uint32_t context);

/// Attention, then the one feed-forward block. Inputs as A(T). Outputs token, logits, k, v, h.
compiler::Graph single_graph(const LanguageModel& model, std::uint32_t context);

}  // namespace capra::model
