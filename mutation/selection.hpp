// Which mutants of a suite a campaign tries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace capra::mutation {

struct Selection {
    std::string only;        ///< an id, or a file; empty: all
    std::size_t sample = 0;  ///< this many, drawn with `seed`; 0: all
    std::uint64_t seed = 1;
    std::size_t shard = 1;   ///< this part, from 1 ...
    std::size_t shards = 1;  ///< ... of so many
};

/// "K/N" with 1 <= K <= N; an Error for anything else.
void parse_shard(const std::string& text, Selection& selection);

/// Indices of the chosen mutants among those that `wanted` lets through, ascending. The shards of
/// one selection are disjoint, together complete, and differ by at most one in size. The draw
/// depends on the seed alone, not on the standard library.
std::vector<std::size_t> select(const Selection& selection, std::size_t mutants,
                                const std::function<bool(std::size_t)>& wanted);

}  // namespace capra::mutation
