// C++ tokens: literals stay whole, lines of the preprocessor are none, and every bracket knows its
// partner.
#include "isa/error.hpp"
#include "isa/files.hpp"
#include "mutation/cxx_brackets.hpp"
#include "mutation/cxx_tokens.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace capra::mutation::cxx {
namespace {

using Texts = std::vector<std::string>;

Texts texts(const std::string& text) {
    const SourceFile source{"f.cpp", text};
    Texts found;
    for (const Token& token : tokenize(source))
        if (token.kind != TokenKind::end) found.emplace_back(source.at(token.span));
    return found;
}

TokenKind kind_of(const std::string& text) {
    return tokenize({"f.cpp", text}).at(0).kind;
}

std::string error_of(const std::string& text) {
    try {
        const SourceFile source{"f.cpp", text};
        const BracketedTokens tokens(source);
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

/// What each template argument list holds, in the order of their ends.
Texts template_lists(const std::string& text) {
    const SourceFile source{"f.cpp", text};
    const BracketedTokens tokens(source);
    Texts found;
    for (std::size_t i = 0; i < tokens.size(); ++i)
        if (tokens.is(i, ">") && tokens.partner(i) != i)
            found.emplace_back(
                source.at({tokens[tokens.partner(i)].span.end, tokens[i].span.begin}));
    return found;
}

TEST(MutationCxxTokens, the_longest_symbol_is_the_token) {
    EXPECT_EQ(texts("a<<=b->*c<=>d...e::f"),
              (Texts{"a", "<<=", "b", "->*", "c", "<=>", "d", "...", "e", "::", "f"}));
    EXPECT_EQ(texts("a+++b"), (Texts{"a", "++", "+", "b"}));
    EXPECT_EQ(texts("x&&!y||~z"), (Texts{"x", "&&", "!", "y", "||", "~", "z"}));
}

TEST(MutationCxxTokens, comments_and_preprocessor_lines_are_no_tokens) {
    EXPECT_EQ(texts("a // b\n c /* d\n e */ f"), (Texts{"a", "c", "f"}));
    EXPECT_EQ(texts("#define A \\\n b + c\nd"), (Texts{"d"}));
    EXPECT_EQ(texts("a\n  # include <b>\nc"), (Texts{"a", "c"}));
    EXPECT_EQ(texts("/* a */ #pragma once\nb"), (Texts{"b"}));
}

TEST(MutationCxxTokens, strings_hold_quotes_comments_and_line_ends) {
    EXPECT_EQ(texts(R"(f("a\"b // c", '"', '\''))"),
              (Texts{"f", "(", R"("a\"b // c")", ",", R"('"')", ",", R"('\'')", ")"}));
    EXPECT_EQ(texts("x = R\"d(a)\" \\\n)e\" )d\";"),
              (Texts{"x", "=", "R\"d(a)\" \\\n)e\" )d\"", ";"}));
    EXPECT_EQ(texts("u8\"a\"sv L'b'"), (Texts{"u8\"a\"sv", "L'b'"}));
    EXPECT_EQ(kind_of("R\"(x)\""), TokenKind::string);
    EXPECT_EQ(kind_of("u'x'"), TokenKind::character);
    EXPECT_EQ(kind_of("u"), TokenKind::word);
}

TEST(MutationCxxTokens, numbers_keep_separators_suffixes_and_exponents) {
    EXPECT_EQ(texts("1'000'000u-0x1F'ffULL+1.5e-3f*.5"),
              (Texts{"1'000'000u", "-", "0x1F'ffULL", "+", "1.5e-3f", "*", ".5"}));
    EXPECT_EQ(texts("0x1e-3"), (Texts{"0x1e", "-", "3"}));
    EXPECT_EQ(texts("0x1p-3"), (Texts{"0x1p-3"}));
}

TEST(MutationCxxTokens, what_is_never_closed_is_an_error_with_its_place) {
    EXPECT_EQ(error_of("a\n /* b"), "f.cpp:2:2: it is never closed");
    EXPECT_EQ(error_of("a = \"b\n\";"), "f.cpp:1:5: the literal is never closed");
    EXPECT_EQ(error_of("R\"x(a)\""), "f.cpp:1:1: it is never closed");
    EXPECT_EQ(error_of("f(a"), "f.cpp:1:2: it is never closed");
    EXPECT_EQ(error_of("f(a]"), "f.cpp:1:4: ']' closes nothing");
    EXPECT_EQ(error_of("a @ b"), "f.cpp:1:3: character 0x40 has no meaning");
}

TEST(MutationCxxTokens, a_template_list_has_no_blank_in_front_and_a_comparison_has) {
    EXPECT_EQ(template_lists("a < b && c > d"), Texts{});
    EXPECT_EQ(template_lists("f<a>(b < c)"), Texts{"a"});
    EXPECT_EQ(template_lists("map<int, vector<int>> x = 8 >> y"),
              (Texts{"int", "int, vector<int>"}));
    EXPECT_EQ(template_lists("template <typename T> T f(T a) { return g<T, 3>(a) > 2; }"),
              (Texts{"typename T", "T, 3"}));
    EXPECT_EQ(template_lists("bool operator<(A a, B b)"), Texts{});
}

TEST(MutationCxxTokens, every_file_of_the_project_is_understood) {
    std::size_t files = 0;
    for (const std::string room : {"isa", "sim", "compiler", "model", "mutation", "tools"}) {
        for (const auto& entry : std::filesystem::directory_iterator(CAPRA_SOURCE "/" + room)) {
            if (entry.path().extension() != ".cpp") continue;
            const SourceFile source{entry.path().string(), read_file(entry.path().string())};
            EXPECT_NO_THROW(BracketedTokens{source}) << source.name;
            ++files;
        }
    }
    EXPECT_GT(files, 50U);
}

}  // namespace
}  // namespace capra::mutation::cxx
