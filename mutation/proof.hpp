// What the claim that a mutant changes nothing can rest on.
#pragma once

#include <cstdint>
#include <string_view>

namespace capra::mutation {

enum class Proof : std::uint8_t {
    argument,  ///< a written reason
    miter,     ///< yosys proves the two modules equal
    object,    ///< the compiler makes the same object code of both
};

/// "argument", "miter" or "object".
std::string_view proof_name(Proof proof);

}  // namespace capra::mutation
