#include "mutation/selection.hpp"

#include "isa/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <random>

namespace capra::mutation {
namespace {

std::size_t parse_part(const std::string& text, std::string_view part) {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (error != std::errc() || end != part.data() + part.size())
        throw Error(fmt::format("--shard takes K/N with 1 <= K <= N, not '{}'", text));
    return value;
}

/// A draw without replacement.
std::vector<std::size_t> draw(std::vector<std::size_t> from, std::size_t count,
                              std::uint64_t seed) {
    std::mt19937_64 random(seed);
    count = std::min(count, from.size());
    for (std::size_t i = 0; i < count; ++i)
        std::swap(from[i], from[i + random() % (from.size() - i)]);
    from.resize(count);
    return from;
}

}  // namespace

void parse_shard(const std::string& text, Selection& selection) {
    const std::size_t slash = text.find('/');
    if (slash == std::string::npos) parse_part(text, "");
    const std::string_view view = text;
    selection.shard = parse_part(text, view.substr(0, slash));
    selection.shards = parse_part(text, view.substr(slash + 1));
    if (selection.shard < 1 || selection.shard > selection.shards) parse_part(text, "");
}

std::vector<std::size_t> select(const Selection& selection, std::size_t mutants,
                                const std::function<bool(std::size_t)>& wanted) {
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < mutants; ++i)
        if (wanted(i)) chosen.push_back(i);
    if (selection.sample > 0) chosen = draw(std::move(chosen), selection.sample, selection.seed);
    std::sort(chosen.begin(), chosen.end());
    std::vector<std::size_t> part;
    for (std::size_t i = selection.shard - 1; i < chosen.size(); i += selection.shards)
        part.push_back(chosen[i]);
    return part;
}

}  // namespace capra::mutation
