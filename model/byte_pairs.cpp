#include "model/byte_pairs.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <optional>
#include <unordered_map>

namespace capra::model {
namespace {

using Tokens = std::vector<std::uint32_t>;

/// A piece of the text and how often it occurs.
struct Word {
    Tokens tokens;
    std::uint64_t count = 0;
};

std::vector<Word> words_of(std::string_view text) {
    std::map<std::string_view, std::uint64_t> counts;
    for (const std::string_view piece : pieces_of(text)) ++counts[piece];
    std::vector<Word> words;
    for (const auto& [piece, count] : counts) words.push_back({bytes_of(piece), count});
    return words;
}

/// Both tokens in one number, which orders pairs by the left token, then by the right one.
std::uint64_t key_of(std::uint32_t left, std::uint32_t right) {
    return (std::uint64_t{left} << 32) | right;
}

Merge merge_of(std::uint64_t key) {
    return {static_cast<std::uint32_t>(key >> 32), static_cast<std::uint32_t>(key)};
}

/// The pair to merge next, or nothing if no pair occurs twice.
std::optional<Merge> most_frequent(const std::vector<Word>& words) {
    std::map<std::uint64_t, std::uint64_t> counts;
    for (const Word& word : words)
        for (std::size_t i = 0; i + 1 < word.tokens.size(); ++i)
            counts[key_of(word.tokens[i], word.tokens[i + 1])] += word.count;
    // The first of the greatest, in the order of the keys.
    const auto best =
        std::max_element(counts.begin(), counts.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    if (best == counts.end() || best->second < 2) return std::nullopt;
    return merge_of(best->first);
}

/// Puts `merged` for every occurrence of the pair, from the left.
void apply(const Merge& merge, std::uint32_t merged, Tokens& tokens) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const bool pair =
            i + 1 < tokens.size() && tokens[i] == merge.left && tokens[i + 1] == merge.right;
        tokens[kept++] = pair ? merged : tokens[i];
        if (pair) ++i;
    }
    tokens.resize(kept);
}

}  // namespace

std::vector<std::uint32_t> bytes_of(std::string_view text) {
    Tokens tokens;
    for (const char c : text) tokens.push_back(static_cast<unsigned char>(c));
    return tokens;
}

std::vector<std::string_view> pieces_of(std::string_view text) {
    std::vector<std::string_view> pieces;
    while (!text.empty()) {
        const std::size_t space = text.find_first_of(" \t\n\r", 1);
        const std::size_t length = std::min({space, text.size(), kMaxPieceBytes});
        pieces.push_back(text.substr(0, length));
        text.remove_prefix(length);
    }
    return pieces;
}

BytePairs BytePairs::learn(std::string_view text, std::uint32_t vocabulary) {
    assert(vocabulary >= kByteTokens);
    BytePairs pairs;
    std::vector<Word> words = words_of(text);
    while (pairs.vocabulary() < vocabulary) {
        const std::optional<Merge> merge = most_frequent(words);
        if (!merge) break;
        for (Word& word : words) apply(*merge, pairs.vocabulary(), word.tokens);
        pairs.merges_.push_back(*merge);
    }
    return pairs;
}

std::vector<std::uint32_t> BytePairs::encode(std::string_view text) const {
    std::unordered_map<std::uint64_t, std::uint32_t> merged;
    for (std::uint32_t i = 0; i < merges_.size(); ++i)
        merged.emplace(key_of(merges_[i].left, merges_[i].right), kByteTokens + i);
    // Later merges have greater tokens, so the earliest that applies makes the least token.
    const auto earliest = [&](const Tokens& tokens) {
        std::optional<std::uint32_t> least;
        for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
            const auto found = merged.find(key_of(tokens[i], tokens[i + 1]));
            if (found != merged.end())
                least = std::min(least.value_or(found->second), found->second);
        }
        return least;
    };
    std::unordered_map<std::string_view, Tokens> known;
    Tokens all;
    for (const std::string_view piece : pieces_of(text)) {
        const auto [entry, fresh] = known.try_emplace(piece);
        Tokens& tokens = entry->second;
        if (fresh) {
            tokens = bytes_of(piece);
            for (auto token = earliest(tokens); token; token = earliest(tokens))
                apply(merges_[*token - kByteTokens], *token, tokens);
        }
        all.insert(all.end(), tokens.begin(), tokens.end());
    }
    return all;
}

std::string BytePairs::decode(const std::vector<std::uint32_t>& tokens) const {
    std::vector<std::string> texts;
    for (std::uint32_t byte = 0; byte < kByteTokens; ++byte)
        texts.emplace_back(1, static_cast<char>(byte));
    for (const Merge& merge : merges_) texts.push_back(texts[merge.left] + texts[merge.right]);
    std::string text;
    for (const std::uint32_t token : tokens) text += texts[token];
    return text;
}

}  // namespace capra::model
