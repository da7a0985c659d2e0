#include "mutation/cxx_brackets.hpp"

#include <fmt/format.h>

namespace capra::mutation::cxx {

BracketedTokens::BracketedTokens(const SourceFile& source)
    : source_(&source), tokens_(tokenize(source)) {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
        partners_.push_back(i);
        match(i);
    }
    if (!open_.empty()) source.fail(tokens_[open_.back()].span.begin, "it is never closed");
}

bool BracketedTokens::is_template_start(std::size_t i) const {
    if (i == 0 || is(i - 1, "operator")) return false;
    if (is(i - 1, "template")) return true;
    const bool follows_name = tokens_[i - 1].kind == TokenKind::word || is(i - 1, "]");
    return follows_name && !tokens_[i].spaced;
}

void BracketedTokens::close(std::size_t i, std::string_view opening) {
    if (open_.empty() || !is(open_.back(), opening))
        source_->fail(tokens_[i].span.begin, fmt::format("'{}' closes nothing", text(i)));
    partners_[i] = open_.back();
    partners_[open_.back()] = i;
    open_.pop_back();
}

void BracketedTokens::match(std::size_t i) {
    if (tokens_[i].kind != TokenKind::symbol) return;
    const bool in_template = !open_.empty() && is(open_.back(), "<");
    if (is(i, "(") || is(i, "[") || is(i, "{") || (is(i, "<") && is_template_start(i))) {
        open_.push_back(i);
    } else if (is(i, ")")) {
        close(i, "(");
    } else if (is(i, "]")) {
        close(i, "[");
    } else if (is(i, "}")) {
        close(i, "{");
    } else if (is(i, ">") && in_template) {
        close(i, "<");
    } else if (is(i, ">>") && in_template) {
        Token second = tokens_[i];
        second.span.begin = tokens_[i].span.end = second.span.begin + 1;
        second.spaced = false;
        tokens_.insert(tokens_.begin() + static_cast<std::ptrdiff_t>(i) + 1, second);
        close(i, "<");
    }
}

}  // namespace capra::mutation::cxx
