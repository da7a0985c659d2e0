// Exercise 14: the table that LUT looks up.
#pragma once

#include "exercises/verdict.hpp"

#include <array>
#include <cstdint>
#include <functional>

namespace capra::exercise {

/// A function of real numbers: sigmoid, silu, ...
using Activation = std::function<double(double)>;

/// As LUT takes it: entry i belongs to the input byte i, which is a signed value.
using Table = std::array<std::int8_t, 256>;

/// Yours: the table of a function. `x_scale` is the real value of one step of the input, `y_scale`
/// that of one step of the entries.
Table answer(const Activation& function, double x_scale, double y_scale);

/// The grader.
Verdict grade(const decltype(answer)& candidate);

}  // namespace capra::exercise
