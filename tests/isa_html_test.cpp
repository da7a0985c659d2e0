// Text as HTML, and templates that are filled in once.
#include "isa/html.hpp"

#include <gtest/gtest.h>

namespace capra {
namespace {

TEST(Html, escaped_text_is_neither_markup_nor_the_end_of_an_attribute) {
    EXPECT_EQ(html_escaped("<a href=\"x\">'&amp;'</a>"),
              "&lt;a href=&quot;x&quot;&gt;&#39;&amp;amp;&#39;&lt;/a&gt;");
    EXPECT_EQ(html_escaped("5t+3 mod 16"), "5t+3 mod 16");
    EXPECT_EQ(html_escaped(""), "");
}

TEST(Html, a_template_is_filled_by_its_one_word_comments) {
    EXPECT_EQ(html_filled("<p><!--a--> and <!--b--></p><!--a-->", {{"a", "1"}, {"b", "2"}}),
              "<p>1 and 2</p>1");
    EXPECT_EQ(html_filled("no comment", {{"a", "1"}}), "no comment");
}

TEST(Html, comments_that_are_no_part_are_removed) {
    EXPECT_EQ(html_filled("a<!-- a note --><!--unknown-->b", {{"note", "x"}}), "ab");
}

TEST(Html, what_is_put_in_is_not_searched_again) {
    EXPECT_EQ(html_filled("<!--a-->|<!--b-->", {{"a", "<!--b-->"}, {"b", "2"}}), "<!--b-->|2");
}

}  // namespace
}  // namespace capra
