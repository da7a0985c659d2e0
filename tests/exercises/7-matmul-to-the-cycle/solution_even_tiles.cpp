#include "exercises/7-matmul-to-the-cycle/exercise.hpp"

#include <algorithm>

namespace capra::exercise {
namespace {

using isa::Instruction;
using isa::Opcode;

constexpr std::uint32_t kTile = 4;

std::uint64_t cycles_of(const Instruction& in) {
    constexpr std::uint64_t kFetchDecode = 2;
    switch (in.op) {
        case Opcode::ld:
            return kFetchDecode + in.n + 9;
        case Opcode::mm:
            return kFetchDecode + in.k * in.m + in.k * in.n + in.k + in.m + in.n + in.m * in.n + 5;
        case Opcode::halt:
            return kFetchDecode;
        default:  // RQ, ST
            return kFetchDecode + in.n + 2;
    }
}

/// As few tiles as there can be, as even as they can be: 5 is 3 and 2.
std::uint32_t even_tile(std::uint32_t size) {
    const std::uint32_t tiles = (size + kTile - 1) / kTile;
    return (size + tiles - 1) / tiles;
}

}  // namespace

Plan answer(const Matmul& s) {
    const std::uint32_t b = s.m * s.k;
    const std::uint32_t c = b + s.k * s.n;
    const std::uint32_t results = s.m * s.n;
    Plan plan;
    plan.code.push_back({.op = Opcode::ld, .d = 0, .x = 0, .n = c});
    const std::uint32_t height = even_tile(s.m);
    const std::uint32_t width = even_tile(s.n);
    for (std::uint32_t row = 0; row < s.m; row += height)
        for (std::uint32_t col = 0; col < s.n; col += width)
            plan.code.push_back({.op = Opcode::mm,
                                 .d = row * s.n + col,
                                 .a = row * s.k,
                                 .b = b + col,
                                 .m = std::min(height, s.m - row),
                                 .k = s.k,
                                 .n = std::min(width, s.n - col),
                                 .sa = s.k,
                                 .sb = s.n,
                                 .sd = s.n});
    plan.code.push_back(
        {.op = Opcode::rq, .d = c, .a = 0, .n = results, .mult = 1, .shift = s.shift, .acc = 1});
    plan.code.push_back({.op = Opcode::st, .a = c, .x = c, .n = results});
    plan.code.push_back({.op = Opcode::halt});
    std::uint64_t end = 0;
    for (const Instruction& in : plan.code) plan.ends.push_back(end += cycles_of(in));
    return plan;
}

}  // namespace capra::exercise
