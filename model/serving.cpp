#include "model/serving.hpp"

#include "model/load_balance.hpp"

namespace capra::model {

double ServingAssumptions::total_gb(std::uint32_t experts) const {
    return shared_gb + expert_gb * experts;
}

double ServingAssumptions::tokens_per_second(std::uint32_t experts, std::uint32_t batch) const {
    const double needed = expected_distinct(uniform_shares(experts), batch);
    return bandwidth_gb_s / (shared_gb + expert_gb * needed);
}

}  // namespace capra::model
