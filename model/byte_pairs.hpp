// Byte-pair encoding: text to the token numbers of a small vocabulary that is learnt from a text.
// Small and deterministic, to study token statistics with; not the encoding of any trained model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace capra::model {

/// Tokens 0 to 255 are the bytes.
inline constexpr std::uint32_t kByteTokens = 256;
/// The longest piece of text that is encoded at once, which bounds the work on text without spaces.
inline constexpr std::size_t kMaxPieceBytes = 64;

/// Two neighbouring tokens that become one.
struct Merge {
    std::uint32_t left = 0;
    std::uint32_t right = 0;

    friend bool operator==(const Merge& a, const Merge& b) = default;
};

/// Every byte of the text as the token that it is.
std::vector<std::uint32_t> bytes_of(std::string_view text);

/// The text cut where no merge may reach across: before every space, tab or line end, so that such
/// a byte begins the word after it, and after kMaxPieceBytes bytes.
std::vector<std::string_view> pieces_of(std::string_view text);

/// A vocabulary of bytes and merges; merge i makes token 256 + i.
class BytePairs {
  public:
    /// Learns merges until the vocabulary has this size (at least 256) or no pair of neighbours
    /// within a piece occurs twice. Each merge is of the most frequent pair at that moment; of
    /// equally frequent ones, of that with the lowest left token, then the lowest right one.
    static BytePairs learn(std::string_view text, std::uint32_t vocabulary);

    /// In each piece the earliest merge that applies, leftmost first, until none does.
    [[nodiscard]] std::vector<std::uint32_t> encode(std::string_view text) const;

    /// The text of tokens: the opposite of `encode`.
    [[nodiscard]] std::string decode(const std::vector<std::uint32_t>& tokens) const;

    [[nodiscard]] const std::vector<Merge>& merges() const { return merges_; }
    [[nodiscard]] std::uint32_t vocabulary() const {
        return kByteTokens + static_cast<std::uint32_t>(merges_.size());
    }

  private:
    std::vector<Merge> merges_;
};

}  // namespace capra::model
