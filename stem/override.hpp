// What a layer did with a token, and what it can be made to do instead.
#pragma once

#include "model/vectors.hpp"
#include "stem/stack.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace capra::stem {

using model::Vector;

/// What one layer did with a token. What a layer of its kind does not have is empty.
struct LayerTrace {
    Vector h{};                         ///< the state before the layer. (kWidth)
    std::vector<std::uint32_t> rows{};  ///< of the table that were read, as in `Override`
    Vector row_weights{};               ///< of a product key's rows. (top)
    std::optional<double> score{};      ///< of admission: before the sigmoid, with the bias
    bool admitted = false;
    Vector router{};    ///< (experts); of a routed layer for every token, admitted or not
    Experts experts{};  ///< that ran, the shared one not counted
    Vector gates{};     ///< their weights. (experts that ran)
};

/// What a layer is to do whatever its router, score and addresses say. An empty member forces
/// nothing.
struct Override {
    /// In place of the chosen ones, as many; the gates stay those of the chosen, by place. Those of
    /// a routed layer run only if it admits the token.
    Experts experts{};
    std::optional<bool> admitted{};
    /// The row; of a table in two parts a row of each; of product keys as many as they choose,
    /// weighted as the chosen ones, by place.
    std::vector<std::uint32_t> rows{};
};
using Overrides = std::map<std::size_t, Override>;  ///< by layer, from 0

/// An Error unless each of the overrides fits its layer: "stem: layer 1: ...".
void check_overrides(const Stack& stack, const Overrides& overrides);

}  // namespace capra::stem
