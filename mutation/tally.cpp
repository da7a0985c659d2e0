#include "mutation/tally.hpp"

#include <numeric>

namespace capra::mutation {
namespace {

constexpr std::array<std::string_view, kVerdicts> kNames = {
    "killed", "timeout", "survived", "equivalent", "not applied", "not built", "not reached"};

double percent(std::size_t part, std::size_t of) {
    return of == 0 ? 100.0 : 100.0 * static_cast<double>(part) / static_cast<double>(of);
}

}  // namespace

std::string_view verdict_name(Verdict verdict) {
    return kNames[static_cast<std::size_t>(verdict)];
}

std::size_t Tally::planted() const {
    return std::accumulate(counts.begin(), counts.end(), std::size_t{0});
}

double Tally::raw_score() const {
    return percent(of(Verdict::killed) + of(Verdict::timeout),
                   planted() - of(Verdict::not_applied) - of(Verdict::not_built));
}

double Tally::adjusted_score() const {
    return percent(
        of(Verdict::killed) + of(Verdict::timeout),
        planted() - of(Verdict::not_applied) - of(Verdict::not_built) - of(Verdict::equivalent));
}

Tally tally(std::span<const Trial> trials) {
    Tally result;
    for (const Trial& trial : trials) result.add(trial.verdict);
    return result;
}

std::map<std::string, Tally> tally_by_file(std::span<const Trial> trials) {
    std::map<std::string, Tally> result;
    for (const Trial& trial : trials) result[trial.mutant.file].add(trial.verdict);
    return result;
}

std::map<std::string, Tally> tally_by_operator(std::span<const Trial> trials) {
    std::map<std::string, Tally> result;
    for (const Trial& trial : trials) result[trial.mutant.op].add(trial.verdict);
    return result;
}

}  // namespace capra::mutation
