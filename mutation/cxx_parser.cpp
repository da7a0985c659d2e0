#include "mutation/cxx_parser.hpp"

#include <fmt/format.h>

namespace capra::mutation::cxx {

bool Parser::skip(std::string_view text) {
    if (!at(text)) return false;
    ++at_;
    return true;
}

void Parser::expect(std::string_view text) {
    if (!skip(text)) misfit(fmt::format("'{}'", text));
}

void Parser::misfit(std::string_view expected) const {
    tokens_.source().fail(begin(),
                          fmt::format("expected {}, found '{}'", expected, tokens_.text(at_)));
}

void Parser::skip_statement() {
    at_ = find(";", tokens_.size() - 1);
    expect(";");
}

bool Parser::skip_name() {
    const std::size_t start = at_;
    skip("::");
    while (at_word()) {
        ++at_;
        if (tokens_.opens_template(at_)) skip_group();
        if (!at("::")) return true;
        ++at_;
        skip("template");
    }
    at_ = start;
    return false;
}

std::size_t Parser::find(std::string_view text, std::size_t stop) const {
    std::size_t i = at_;
    while (i < stop && !tokens_.is(i, text))
        i = (tokens_.partner(i) > i ? tokens_.partner(i) : i) + 1;
    return i < stop ? i : stop;
}

}  // namespace capra::mutation::cxx
