#include "stem/stack.hpp"

namespace capra::stem {

std::string pattern_of(const Stack& stack) {
    constexpr std::string_view kLetters = "*DESR";  // by the alternatives of Layer
    static_assert(kLetters.size() == std::variant_size_v<Layer>);
    std::string pattern;
    for (const Layer& layer : stack.layers) pattern += kLetters[layer.index()];
    return pattern;
}

}  // namespace capra::stem
