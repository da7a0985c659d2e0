// What a program consists of, read from its text.
#pragma once

#include "isa/program.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace capra::model {

struct Anatomy {
    std::map<std::string, std::uint32_t> histogram;  ///< instructions by mnemonic
    std::uint64_t words_loaded = 0;                  ///< external words, all LD
    std::uint64_t words_stored = 0;                  ///< external words, all ST

    friend bool operator==(const Anatomy&, const Anatomy&) = default;
};

Anatomy anatomy(const isa::Program& program);

/// "LD 4, MM 16, ..." in the order of the instruction table, HALT last.
std::string histogram_text(const Anatomy& anatomy);

}  // namespace capra::model
