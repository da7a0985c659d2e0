// What a program consists of, read from its text.
#pragma once

#include "isa/histogram.hpp"
#include "isa/program.hpp"

#include <cstdint>
#include <string>

namespace capra::model {

struct Anatomy {
    isa::Histogram histogram;
    std::uint64_t words_loaded = 0;  ///< external words, all LD
    std::uint64_t words_stored = 0;  ///< external words, all ST

    friend bool operator==(const Anatomy&, const Anatomy&) = default;
};

Anatomy anatomy(const isa::Program& program);

/// Multiply-accumulates of a run: m * k * n of every MM.
std::uint64_t multiply_accumulates(const isa::Program& program);

/// As `isa::histogram_text`: "LD 4, MM 16, ..., HALT 1".
std::string histogram_text(const Anatomy& anatomy);

}  // namespace capra::model
