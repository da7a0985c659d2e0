// What each instruction does to the memories: one short function per row of the table, and
// `execute`, which knows them all. The instruction has been checked, so every access is in range.
//
// They are inline because the machine's speed is the sum of these loops: plain loops over
// contiguous cells, which the compiler turns into vector code.
#pragma once

#include "isa/instruction.hpp"
#include "isa/numerics.hpp"
#include "sim/memories.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <utility>

namespace capra::sim {

/// round(v / 2^shift), halves up. `v` must leave room for the half: |v| < 2^62.
inline std::int64_t round_shift(std::int64_t v, unsigned shift) {
    if (shift == 0) return v;
    return (v + (std::int64_t{1} << (shift - 1))) >> shift;
}

inline std::int8_t saturate(std::int64_t v) {
    return static_cast<std::int8_t>(std::clamp<std::int64_t>(v, -128, 127));
}

inline void exec_ld(Memories& mem, const isa::Instruction& in) {
    const std::int32_t* __restrict from = mem.ext.data() + in.x;
    std::int8_t* __restrict to = mem.spad.data() + in.d;
    const std::uint32_t n = in.n;
    for (std::uint32_t i = 0; i < n; ++i) to[i] = static_cast<std::int8_t>(from[i]);
}

inline void exec_st(Memories& mem, const isa::Instruction& in) {
    const std::int8_t* __restrict from = mem.spad.data() + in.a;
    std::int32_t* __restrict to = mem.ext.data() + in.x;
    const std::uint32_t n = in.n;
    for (std::uint32_t i = 0; i < n; ++i) to[i] = from[i];
}

/// LDX and LDXW once the index is known: false, and nothing loaded, if it names no row.
inline bool load_row(Memories& mem, const isa::Instruction& in, std::uint32_t index) {
    if (index >= in.rows) return false;
    const std::int32_t* from = mem.ext.data() + in.x + std::size_t{index} * in.n;
    std::int8_t* to = mem.spad.data() + in.d;
    for (std::uint32_t i = 0; i < in.n; ++i) to[i] = static_cast<std::int8_t>(from[i]);
    return true;
}

/// The index that LDX finds in the scratchpad.
inline std::uint32_t ldx_index(const Memories& mem, const isa::Instruction& in) {
    const std::uint32_t low = static_cast<std::uint8_t>(mem.spad[in.a]);
    const std::uint32_t high = in.wide != 0 ? static_cast<std::uint8_t>(mem.spad[in.a + 1]) : 0;
    return low | high << 8;
}

/// The index that LDXW finds in external memory.
inline std::uint32_t ldxw_index(const Memories& mem, const isa::Instruction& in) {
    return static_cast<std::uint32_t>(mem.ext[in.w]);
}

inline bool exec_ldx(Memories& mem, const isa::Instruction& in) {
    return load_row(mem, in, ldx_index(mem, in));
}

inline bool exec_ldxw(Memories& mem, const isa::Instruction& in) {
    return load_row(mem, in, ldxw_index(mem, in));
}

/// Columns of a full reference tile. A width that is named keeps the sums in registers.
inline constexpr std::uint32_t kTileWidth = 4;

/// One row of the result, B as stored: row-by-row so that the inner loop is contiguous.
template <std::uint32_t Width>
inline void mm_row(const std::int8_t* a, const std::int8_t* b, std::int32_t* out, std::uint32_t k,
                   std::uint32_t b_stride) {
    std::int32_t sums[Width] = {};
    for (std::uint32_t t = 0; t < k; ++t)
        for (std::uint32_t j = 0; j < Width; ++j)
            sums[j] += std::int32_t{a[t]} * b[std::size_t{t} * b_stride + j];
    for (std::uint32_t j = 0; j < Width; ++j) out[j] = sums[j];
}

inline std::int32_t dot(const std::int8_t* a, const std::int8_t* b, std::uint32_t k) {
    std::int32_t sum = 0;
    for (std::uint32_t t = 0; t < k; ++t) sum += std::int32_t{a[t]} * b[t];
    return sum;
}

inline void exec_mm(Memories& mem, const isa::Instruction& in) {
    const std::int8_t* b = mem.spad.data() + in.b;
    for (std::uint32_t i = 0; i < in.m; ++i) {
        const std::int8_t* a = mem.spad.data() + in.a + std::size_t{i} * in.sa;
        std::int32_t* out = mem.acc.data() + in.d + std::size_t{i} * in.sd;
        if (in.bt != 0) {
            for (std::uint32_t j = 0; j < in.n; ++j)
                out[j] = dot(a, b + std::size_t{j} * in.sb, in.k);
            continue;
        }
        std::uint32_t j = 0;
        for (; in.n - j >= kTileWidth; j += kTileWidth)
            mm_row<kTileWidth>(a, b + j, out + j, in.k, in.sb);
        for (; j < in.n; ++j) mm_row<1>(a, b + j, out + j, in.k, in.sb);
    }
}

template <typename Source>
inline void requantise(const Source* from, std::int8_t* to, const isa::Instruction& in) {
    const std::int64_t mult = in.mult;
    const std::int64_t floor = in.relu != 0 ? 0 : -128;
    const std::uint32_t n = in.n;
    const unsigned shift = in.shift;
    for (std::uint32_t i = 0; i < n; ++i) {
        const std::int64_t v = round_shift(std::int64_t{from[i]} * mult, shift);
        to[i] = static_cast<std::int8_t>(std::clamp<std::int64_t>(v, floor, 127));
    }
}

inline void exec_rq(Memories& mem, const isa::Instruction& in) {
    std::int8_t* to = mem.spad.data() + in.d;
    if (in.acc != 0)
        requantise(mem.acc.data() + in.a, to, in);
    else
        requantise(mem.spad.data() + in.a, to, in);
}

/// The multiplier of column `j`: 16 bits, the low byte first.
inline std::int64_t column_multiplier(const std::int8_t* table, std::uint32_t j) {
    const auto byte = [&](std::size_t at) { return static_cast<std::uint8_t>(table[at]); };
    return byte(std::size_t{2} * j) | byte(std::size_t{2} * j + 1) << 8;
}

inline void exec_rqc(Memories& mem, const isa::Instruction& in) {
    const std::int32_t* from = mem.acc.data() + in.a;
    const std::int8_t* table = mem.spad.data() + in.b;
    std::int8_t* to = mem.spad.data() + in.d;
    const std::int64_t floor = in.relu != 0 ? 0 : -128;
    for (std::uint32_t i = 0, j = 0; i < in.n; ++i) {
        const std::int64_t v = round_shift(from[i] * column_multiplier(table, j), in.shift);
        to[i] = static_cast<std::int8_t>(std::clamp<std::int64_t>(v, floor, 127));
        if (++j == in.cols) j = 0;
    }
}

inline void exec_vadd(Memories& mem, const isa::Instruction& in) {
    const std::int8_t* a = mem.spad.data() + in.a;
    const std::int8_t* b = mem.spad.data() + in.b;
    std::int8_t* to = mem.spad.data() + in.d;
    const std::uint32_t n = in.n;
    for (std::uint32_t i = 0; i < n; ++i) to[i] = saturate(std::int64_t{a[i]} + b[i]);
}

/// e of one element: 2^15 * 2^-(t * scale / 2^20), from the table.
inline std::int64_t softmax_exponential(std::int64_t t, std::uint32_t scale) {
    const std::int64_t u =
        round_shift(t * scale, isa::kSoftmaxScaleBits - isa::kSoftmaxFractionBits);
    const std::int64_t exponent = u >> isa::kSoftmaxFractionBits;
    if (exponent > isa::kSoftmaxMaxShift) return 0;
    const std::size_t fraction = static_cast<std::size_t>(u) & 0xff;
    return round_shift(isa::exp2_table()[fraction], static_cast<unsigned>(exponent));
}

inline void exec_sm(Memories& mem, const isa::Instruction& in) {
    const std::int8_t* from = mem.spad.data() + in.a;
    std::int8_t* to = mem.spad.data() + in.d;
    const std::int64_t top = *std::max_element(from, from + in.n);
    std::int64_t sum = 0;
    for (std::uint32_t i = 0; i < in.n; ++i) sum += softmax_exponential(top - from[i], in.scale);
    const std::int64_t reciprocal = (isa::kSoftmaxOne << isa::kSoftmaxReciprocalBits) / sum;
    for (std::uint32_t i = 0; i < in.n; ++i) {
        const std::int64_t e = softmax_exponential(top - from[i], in.scale);
        to[i] = saturate(round_shift(e * reciprocal, isa::kSoftmaxReciprocalBits));
    }
}

inline void exec_amax(Memories& mem, const isa::Instruction& in) {
    const std::int8_t* from = mem.spad.data() + in.a;
    mem.spad[in.d] = static_cast<std::int8_t>(std::max_element(from, from + in.n) - from);
}

inline void exec_amaxc(Memories& mem, const isa::Instruction& in) {
    const std::int32_t* from = mem.acc.data() + in.a;
    const std::int8_t* table = mem.spad.data() + in.b;
    const auto product = [&](std::uint32_t i) { return from[i] * column_multiplier(table, i); };
    // From the end, so that the lowest index of a tie is the last one taken.
    std::uint32_t arg = in.n - 1;
    for (std::uint32_t i = arg; i-- > 0;)
        if (product(i) >= product(arg)) arg = i;
    mem.spad[in.d] = static_cast<std::int8_t>(arg);
}

inline void exec_lut(Memories& mem, const isa::Instruction& in) {
    const std::int8_t* from = mem.spad.data() + in.a;
    const std::int8_t* table = mem.spad.data() + in.b;
    std::int8_t* to = mem.spad.data() + in.d;
    for (std::uint32_t i = 0; i < in.n; ++i) to[i] = table[static_cast<std::uint8_t>(from[i])];
}

inline void exec_vmul(Memories& mem, const isa::Instruction& in) {
    const std::int8_t* a = mem.spad.data() + in.a;
    const std::int8_t* b = mem.spad.data() + in.b;
    std::int8_t* to = mem.spad.data() + in.d;
    const std::size_t b_step = in.bcast != 0 ? 0 : 1;
    const std::int64_t mult = in.mult;
    for (std::uint32_t i = 0; i < in.n; ++i)
        to[i] = saturate(round_shift(std::int64_t{a[i]} * b[i * b_step] * mult, in.shift));
}

/// TOPK and TOPKC: `ranked(i)` orders the elements, `value(i)` is what is written of a winner.
inline void top_k(std::int8_t* to, const isa::Instruction& in, auto ranked, auto value) {
    std::array<std::uint8_t, 256> order;
    const auto end = order.begin() + in.n;
    std::iota(order.begin(), end, std::uint8_t{0});
    // Higher values come first, and of equal ones the lower index.
    std::partial_sort(order.begin(), order.begin() + in.k, end, [&](unsigned p, unsigned q) {
        return std::pair(ranked(q), p) < std::pair(ranked(p), q);
    });
    for (std::uint32_t p = 0; p < in.k; ++p) {
        to[p] = static_cast<std::int8_t>(order[p]);
        to[in.k + p] = value(order[p]);
    }
}

inline void exec_topk(Memories& mem, const isa::Instruction& in) {
    const std::int8_t* from = mem.spad.data() + in.a;
    const auto element = [&](std::uint32_t i) { return from[i]; };
    top_k(mem.spad.data() + in.d, in, element, element);
}

inline void exec_topkc(Memories& mem, const isa::Instruction& in) {
    const std::int32_t* from = mem.acc.data() + in.a;
    const std::int8_t* table = mem.spad.data() + in.b;
    const auto product = [&](std::uint32_t i) { return from[i] * column_multiplier(table, i); };
    top_k(mem.spad.data() + in.d, in, product,
          [&](std::uint32_t i) { return saturate(round_shift(product(i), in.shift)); });
}

/// Does what `in` says; false, and nothing done, if its index names no row of its table.
inline bool execute(Memories& mem, const isa::Instruction& in) {
    using isa::Opcode;
    switch (in.op) {
        case Opcode::halt:
            break;
        case Opcode::ld:
            exec_ld(mem, in);
            break;
        case Opcode::st:
            exec_st(mem, in);
            break;
        case Opcode::ldx:
            return exec_ldx(mem, in);
        case Opcode::ldxw:
            return exec_ldxw(mem, in);
        case Opcode::mm:
            exec_mm(mem, in);
            break;
        case Opcode::rq:
            exec_rq(mem, in);
            break;
        case Opcode::vadd:
            exec_vadd(mem, in);
            break;
        case Opcode::sm:
            exec_sm(mem, in);
            break;
        case Opcode::amax:
            exec_amax(mem, in);
            break;
        case Opcode::rqc:
            exec_rqc(mem, in);
            break;
        case Opcode::amaxc:
            exec_amaxc(mem, in);
            break;
        case Opcode::lut:
            exec_lut(mem, in);
            break;
        case Opcode::vmul:
            exec_vmul(mem, in);
            break;
        case Opcode::topk:
            exec_topk(mem, in);
            break;
        case Opcode::topkc:
            exec_topkc(mem, in);
            break;
    }
    return true;
}

}  // namespace capra::sim
