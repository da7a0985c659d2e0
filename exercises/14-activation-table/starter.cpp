// Exercise 14: every entry is 0.
#include "exercises/14-activation-table/exercise.hpp"

namespace capra::exercise {

Table answer(const Activation& function, double x_scale, double y_scale) {
    return {};
}

}  // namespace capra::exercise
