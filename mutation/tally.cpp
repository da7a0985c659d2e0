#include "mutation/tally.hpp"

#include <numeric>

namespace capra::mutation {
namespace {

constexpr std::array<std::string_view, kVerdicts> kNames = {
    "killed", "timeout", "survived", "equivalent", "not applied", "not built", "not reached"};

struct Layer {
    std::string_view folder;
    std::string_view name;
};

/// In the order in which tables show them. No folder: another rule decides.
constexpr std::array<Layer, 7> kLayers = {{{"", "chapter (curated)"},
                                           {"rtl/", "RTL"},
                                           {"sim/", "C++ machine"},
                                           {"isa/", "instruction set"},
                                           {"compiler/", "compiler"},
                                           {"model/", "host loop"},
                                           {"", "other"}}};

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

std::string_view layer_of(const Mutant& mutant) {
    if (mutant.suite == "chapter") return kLayers.front().name;
    for (const Layer& layer : kLayers)
        if (!layer.folder.empty() && mutant.file.starts_with(layer.folder)) return layer.name;
    return kLayers.back().name;
}

std::vector<TallyRow> tally_by_layer(std::span<const Trial> trials) {
    std::map<std::string_view, Tally> counts;
    for (const Trial& trial : trials) counts[layer_of(trial.mutant)].add(trial.verdict);
    std::vector<TallyRow> rows;
    for (const Layer& layer : kLayers)
        if (const auto found = counts.find(layer.name); found != counts.end())
            rows.push_back({std::string(layer.name), found->second});
    return rows;
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
