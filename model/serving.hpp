// What a mixture of experts costs to serve, by arithmetic alone: a decoder that is bound by memory
// reads every weight it needs once a step, and nothing else takes time.
#pragma once

#include <cstdint>

namespace capra::model {

/// An assumed machine and model. One int8 weight is one byte.
struct ServingAssumptions {
    double shared_gb = 4;          ///< weights every token needs
    double expert_gb = 8;          ///< weights of one expert
    double bandwidth_gb_s = 1000;  ///< of the memory that holds all weights

    /// Weights in memory for so many experts, in GB.
    [[nodiscard]] double total_gb(std::uint32_t experts) const;

    /// Steps a second, which is tokens a second for each request, when `batch` requests decode
    /// together and their tokens choose among the experts uniformly: bandwidth over the weights
    /// read in a step, shared ones and those of the experts that the batch needs on average.
    [[nodiscard]] double tokens_per_second(std::uint32_t experts, std::uint32_t batch) const;
};

}  // namespace capra::model
