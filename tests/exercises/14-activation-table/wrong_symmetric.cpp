#include "exercises/14-activation-table/exercise.hpp"

#include <algorithm>
#include <cmath>

namespace capra::exercise {

Table answer(const Activation& function, double x_scale, double y_scale) {
    Table table{};
    for (int i = 0; i < 256; ++i) {
        const int input = i < 128 ? i : i - 256;
        const double steps = function(input * x_scale) / y_scale;
        table[i] = static_cast<std::int8_t>(std::clamp(std::floor(steps + 0.5), -127.0, 127.0));
    }
    return table;
}

}  // namespace capra::exercise
