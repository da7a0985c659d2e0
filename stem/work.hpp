// What the programs of a step multiply and read, layer by layer, counted from their text; and what
// the ledger says of a layer of that size.
#pragma once

#include "isa/program.hpp"
#include "model/ledger.hpp"
#include "stem/stack.hpp"

#include <cstdint>

namespace capra::stem {

struct Work {
    std::uint64_t macs = 0;          ///< multiply-accumulates: m * k * n of every MM
    std::uint64_t weights_read = 0;  ///< words of weights and table rows

    Work& operator+=(const Work& other) {
        macs += other.macs;
        weights_read += other.weights_read;
        return *this;
    }
    friend bool operator==(const Work&, const Work&) = default;
};

/// The work of the instructions whose nodes belong to this layer, by the program's notes. Left out,
/// because they measure nothing of a model: the constant matrices that sum a product key's pairs,
/// and the bias of a score. An Error for a program without notes.
Work layer_work(const isa::Program& program, std::uint32_t layer);

/// Words of all weights and tables of a stack, the embedding left out: it stays with the host.
std::uint64_t weights_stored(const Stack& stack);

/// The sizes of one layer, as the ledger takes them; `context` positions for attention.
model::LedgerSizes ledger_sizes(const Layer& layer, std::uint32_t context);

/// What the ledger's formulas say that a token costs in this layer, admitted or not. They are
/// completed where this family has more or less: a Hash layer has no router; STEM-dagger has the
/// dense block's three matrices and a row; and a token that is not admitted has been scored by the
/// router as well, which the ledger counts with the experts.
Work expected_work(const Layer& layer, std::uint32_t context, bool admitted);

}  // namespace capra::stem
