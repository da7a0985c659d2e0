#include "compiler/requant.hpp"

#include "isa/target.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace capra::compiler {

namespace {

constexpr int kMultBits = std::bit_width(isa::field_max(isa::Opcode::rq, &isa::Instruction::mult));
constexpr int kColumnMultBits = 16;  // two bytes of a column table
constexpr int kMaxShift = isa::field_max(isa::Opcode::rq, &isa::Instruction::shift);
static_assert(kMaxShift == isa::field_max(isa::Opcode::rqc, &isa::Instruction::shift));
static_assert(kMaxShift == isa::field_max(isa::Opcode::topkc, &isa::Instruction::shift));
static_assert(kMaxShift == isa::field_max(isa::Opcode::vmul, &isa::Instruction::shift));
static_assert(kMultBits ==
              std::bit_width(isa::field_max(isa::Opcode::vmul, &isa::Instruction::mult)));

double nearest(double value) {
    return std::floor(value + 0.5);
}

/// The requantise whose multiplier has `bits` bits, or as many as the shift can give.
std::optional<Requant> requant_of_bits(double factor, int bits) {
    if (!std::isfinite(factor) || factor <= 0) return std::nullopt;
    int exponent{};
    std::frexp(factor, &exponent);
    int shift = std::min(bits - exponent, kMaxShift);
    double mult = nearest(std::ldexp(factor, shift));
    if (mult == std::ldexp(1.0, bits)) {
        mult /= 2;
        --shift;
    }
    if (shift < 0) return std::nullopt;
    return Requant{static_cast<std::uint32_t>(mult), static_cast<std::uint32_t>(shift)};
}

}  // namespace

std::optional<Requant> requant_for(double factor) {
    return requant_of_bits(factor, kMultBits);
}

std::optional<ColumnRequant> column_requant_for(std::span<const double> factors) {
    ColumnRequant result{.mults = {}, .shift = kMaxShift};
    for (double factor : factors) {
        const auto one = requant_of_bits(factor, kColumnMultBits);
        if (!one) return std::nullopt;
        result.shift = std::min(result.shift, one->shift);
    }
    for (double factor : factors)
        result.mults.push_back(static_cast<std::uint32_t>(
            nearest(std::ldexp(factor, static_cast<int>(result.shift)))));
    return result;
}

}  // namespace capra::compiler
