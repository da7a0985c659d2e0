// How close the chip comes to the same stack in double precision.
#pragma once

#include "model/worst.hpp"
#include "stem/stack_decoder.hpp"

#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

namespace capra::stem {

/// How often two decided alike.
struct Share {
    std::uint64_t same = 0;
    std::uint64_t all = 0;

    void count(bool equal) {
        same += equal ? 1 : 0;
        ++all;
    }
    Share& operator+=(const Share& other) {
        same += other.same;
        all += other.all;
        return *this;
    }
    /// 0..1; of nothing it is undefined.
    [[nodiscard]] double value() const {
        assert(all > 0);
        return static_cast<double>(same) / static_cast<double>(all);
    }
};

struct Agreement {
    model::Worst logit_error;    ///< relative L2, of each step
    double sum_logit_error = 0;  ///< over all steps
    model::Worst score_error;    ///< of admission scores, in units of the largest one of the run
    Share experts;               ///< all experts of a token, in order
    Share admissions;            ///< by the chip's thresholds
    Share rows;                  ///< rows of a product key, in order
    Share tokens;

    [[nodiscard]] double mean_logit_error() const;
    Agreement& operator+=(const Agreement& other);
};

/// Step by step, the double precision stack reads the tokens that the chip read, and runs the
/// experts and reads the rows that the chip did; what it would have decided itself is compared.
Agreement compare_with_float(const Stack& stack, std::span<const double> thresholds,
                             const StackRun& run);

}  // namespace capra::stem
