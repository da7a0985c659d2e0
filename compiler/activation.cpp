#include "compiler/activation.hpp"

#include "compiler/quantise.hpp"

#include <cassert>
#include <cmath>
#include <numbers>

namespace capra::compiler {

bool is_activation(Op op) {
    return op == Op::silu || op == Op::sigmoid || op == Op::gelu;
}

double activation(Op op, double x) {
    assert(is_activation(op));
    // 1 + erf(z) as erfc(-z), which keeps its digits where erf(z) is close to -1.
    if (op == Op::gelu) return x * std::erfc(-x * std::numbers::sqrt2 / 2) / 2;
    const double sigmoid = 1 / (1 + std::exp(-x));
    return op == Op::silu ? x * sigmoid : sigmoid;
}

std::vector<std::int8_t> activation_table(Op op, double in_scale, double out_scale) {
    std::vector<std::int8_t> table;
    for (int entry = 0; entry < 256; ++entry) {
        const int v = entry < 128 ? entry : entry - 256;
        table.push_back(quantise_value(activation(op, v * in_scale), out_scale));
    }
    return table;
}

}  // namespace capra::compiler
