// What the layers of a stack add to the state, in double precision.
#pragma once

#include "stem/override.hpp"

#include <cstdint>

namespace capra::stem {

/// Keys and values of the tokens that an attention layer has read.
struct KeyValueCache {
    Matrix keys{0, kHeadWidth, {}};
    Matrix values{0, kHeadWidth, {}};  // (tokens, kHeadWidth)
};

/// A token on its way through a layer.
struct Passage {
    std::uint32_t previous = kNoToken;
    std::uint32_t token = 0;
    double threshold = 0;  ///< of a routed layer: scores from it on are admitted
    Override forced{};     ///< fits the layer
    LayerTrace trace{};    ///< `h` is set; the rest is filled in
};

/// softmax(q K^T / 4) V W_o over the cached tokens, the newest included, which is remembered.
Vector output(const Attention& layer, const Vector& h, KeyValueCache& cache);
/// (silu(h W_g) * (h W_u)) W_d.
Vector output(const Block& block, const Vector& h);

Vector output(const StemBlock& layer, Passage& passage);
Vector output(const Moe& layer, Passage& passage);
Vector output(const RoutedLayer& layer, Passage& passage);

}  // namespace capra::stem
