// Stacks by name: the models of the STEM family with constructed weights. Nothing is trained.
//
// A structured stack follows its rule, and does so only if every mechanism works: another row,
// another expert, other gate weights or another admission than its own make another token
// (stem/structured.hpp). In a random one every weight is normal.
#pragma once

#include "stem/plan.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace capra::stem {

/// Attention and one feed-forward layer: a decoder of `decoder_names`, of the kind "structured" or
/// "random". An Error lists the names for an unknown one.
Stack make_stack(std::string_view decoder, std::string_view kind, std::uint32_t seed);

/// The layers of a pattern of `* S E R D`, with the share of tokens that each R layer admits: one
/// for all of them or one each. Errors as `pattern_plan`, and for an unknown kind.
Stack make_pattern_stack(std::string_view pattern, std::string_view kind, std::uint32_t seed,
                         std::span<const model::Exact> capacities = {});

}  // namespace capra::stem
