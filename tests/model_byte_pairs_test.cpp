// Byte pairs: merges worked by hand, the rule for ties, and text that comes back whole.
#include "model/byte_pairs.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace capra::model {
namespace {

using Tokens = std::vector<std::uint32_t>;
using Pieces = std::vector<std::string_view>;

TEST(Bytes, are_tokens_of_their_own_number_up_to_255) {
    EXPECT_EQ(bytes_of(std::string_view("a\0\x7f\x80\xff", 5)),
              (std::vector<std::uint32_t>{97, 0, 127, 128, 255}));
    EXPECT_TRUE(bytes_of("").empty());
}

TEST(Pieces, begin_at_every_white_byte_and_after_64_bytes) {
    EXPECT_EQ(pieces_of(""), Pieces{});
    EXPECT_EQ(pieces_of("ab cd"), (Pieces{"ab", " cd"}));
    EXPECT_EQ(pieces_of("  a\tb\nc\rd "), (Pieces{" ", " a", "\tb", "\nc", "\rd", " "}));
    const std::string longest(64, 'x');
    EXPECT_EQ(pieces_of(longest), Pieces{longest});
    EXPECT_EQ(pieces_of(longest + "yz w"), (Pieces{longest, "yz", " w"}));
}

/// Counts within pieces: (l,o) 5, (o,w) 5, then ( ,low) 4, then (e,s) 2, (s,t) 2, ( low,e) 2.
TEST(BytePairs, learns_the_merges_of_a_text_worked_by_hand) {
    const std::string text = "low low low lower lowest newest";
    const BytePairs pairs = BytePairs::learn(text, 1000);
    EXPECT_EQ(pairs.merges(),
              (std::vector<Merge>{{'l', 'o'}, {256, 'w'}, {' ', 257}, {'e', 's'}, {259, 't'}}))
        << "and stops where no pair occurs twice";
    EXPECT_EQ(pairs.vocabulary(), 261U);
    EXPECT_EQ(pairs.encode(text),
              (Tokens{257, 258, 258, 258, 'e', 'r', 258, 260, ' ', 'n', 'e', 'w', 260}));
    EXPECT_EQ(pairs.decode({257, 258, 260}), "low lowest");
}

TEST(BytePairs, of_equally_frequent_pairs_the_lowest_left_then_the_lowest_right_goes_first) {
    EXPECT_EQ(BytePairs::learn("ca ca ba ba", 257).merges(), (std::vector<Merge>{{' ', 'b'}}))
        << "( ,b) 2, (b,a) 2, (c,a) 2, and ( ,c) only 1";
    EXPECT_EQ(BytePairs::learn("xb xb xa xa", 257).merges(), (std::vector<Merge>{{' ', 'x'}}));
    EXPECT_EQ(BytePairs::learn("ac\nac\nab\nab", 257).merges(), (std::vector<Merge>{{'\n', 'a'}}));
    EXPECT_EQ(BytePairs::learn("pacq.abr.pacq.abr", 257).merges(),
              (std::vector<Merge>{{'.', 'a'}}));
    EXPECT_EQ(BytePairs::learn("acacabab", 257).merges(), (std::vector<Merge>{{'a', 'b'}}))
        << "(a,b) and (a,c) occur twice, and so does (c,a)";
}

TEST(BytePairs, stop_at_the_size_of_the_vocabulary) {
    const std::string text = "low low low lower lowest newest";
    EXPECT_EQ(BytePairs::learn(text, 256).merges().size(), 0U);
    EXPECT_EQ(BytePairs::learn(text, 257).merges().size(), 1U);
    EXPECT_EQ(BytePairs::learn(text, 260).merges().size(), 4U);
    EXPECT_EQ(BytePairs::learn("abcdef", 300).merges().size(), 0U) << "no pair occurs twice";
    EXPECT_EQ(BytePairs::learn("", 300).merges().size(), 0U);
    EXPECT_EQ(BytePairs::learn("ab\nab", 300).merges(), (std::vector<Merge>{{'a', 'b'}}))
        << "a pair of two occurrences is merged";
}

TEST(BytePairs, merge_from_the_left_and_never_across_pieces) {
    const BytePairs pairs = BytePairs::learn("aaa\naaa", 257);
    EXPECT_EQ(pairs.merges(), (std::vector<Merge>{{'a', 'a'}}));
    EXPECT_EQ(pairs.encode("aaaaa a"), (Tokens{256, 256, 'a', ' ', 'a'}));
    EXPECT_EQ(pairs.encode("a"), Tokens{'a'});
    EXPECT_EQ(pairs.encode(""), Tokens{});
}

/// In "abc" either pair could go first: that which was learnt first does.
TEST(BytePairs, encode_by_the_order_in_which_merges_were_learnt) {
    const BytePairs ab_first = BytePairs::learn("ab.bc.ab,bc,ab;", 300);
    EXPECT_EQ(ab_first.merges(), (std::vector<Merge>{{'a', 'b'}, {'b', 'c'}}));
    EXPECT_EQ(ab_first.encode("abc"), (Tokens{256, 'c'}));
    const BytePairs bc_first = BytePairs::learn("bc.ab.bc,ab,bc;", 300);
    EXPECT_EQ(bc_first.merges(), (std::vector<Merge>{{'b', 'c'}, {'a', 'b'}}));
    EXPECT_EQ(bc_first.encode("abc"), (Tokens{'a', 256}));
}

TEST(BytePairs, bytes_above_127_are_tokens_like_others) {
    const BytePairs pairs = BytePairs::learn("\xc3\xa4\n\xc3\xa4", 257);
    EXPECT_EQ(pairs.merges(), (std::vector<Merge>{{0xc3, 0xa4}}));
    EXPECT_EQ(pairs.decode({256, 255}), "\xc3\xa4\xff");
}

std::string draw_text() {
    return *rc::gen::container<std::string>(rc::gen::elementOf(std::string("aaabbc \n")));
}

/// The rule as the text books state it, on a list of pieces and with every count taken anew.
std::vector<Merge> naive_merges(const std::string& text, std::size_t most) {
    std::vector<Tokens> pieces;
    for (const std::string_view piece : pieces_of(text))
        pieces.emplace_back(piece.begin(), piece.end());
    std::vector<Merge> merges;
    while (merges.size() < most) {
        std::map<std::pair<std::uint32_t, std::uint32_t>, int> counts;
        for (const Tokens& piece : pieces)
            for (std::size_t i = 1; i < piece.size(); ++i) ++counts[{piece[i - 1], piece[i]}];
        std::pair<std::uint32_t, std::uint32_t> best;
        int most_often = 1;
        for (const auto& [pair, count] : counts)
            if (count > most_often) {
                best = pair;
                most_often = count;
            }
        if (most_often == 1) break;
        for (Tokens& piece : pieces) {
            Tokens shorter;
            for (std::size_t i = 0; i < piece.size(); ++i)
                if (i + 1 < piece.size() && std::pair(piece[i], piece[i + 1]) == best) {
                    shorter.push_back(256 + static_cast<std::uint32_t>(merges.size()));
                    ++i;
                } else {
                    shorter.push_back(piece[i]);
                }
            piece = shorter;
        }
        merges.push_back({best.first, best.second});
    }
    return merges;
}

RC_GTEST_PROP(BytePairsLaws, merges_are_those_of_the_rule_applied_naively, ()) {
    const std::string text = draw_text();
    RC_ASSERT(BytePairs::learn(text, 262).merges() == naive_merges(text, 6));
}

RC_GTEST_PROP(BytePairsLaws, any_text_comes_back_from_its_tokens, ()) {
    const BytePairs pairs = BytePairs::learn(draw_text(), 300);
    const auto other = *rc::gen::arbitrary<std::string>() + draw_text();
    const Tokens tokens = pairs.encode(other);
    RC_ASSERT(pairs.decode(tokens) == other);
    for (const std::uint32_t token : tokens) RC_ASSERT(token < pairs.vocabulary());
}

}  // namespace
}  // namespace capra::model
