// The memories of a machine.
#pragma once

#include "isa/target.hpp"

#include <cstdint>
#include <vector>

namespace capra::sim {

struct Memories {
    explicit Memories(const isa::Target& target)
        : spad(target.spad_bytes, 0), acc(target.acc_words, 0), ext(target.ext_words, 0) {}

    std::vector<std::int8_t> spad;
    std::vector<std::int32_t> acc;
    std::vector<std::int32_t> ext;
};

}  // namespace capra::sim
