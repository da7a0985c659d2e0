// Functions with a body, found in namespaces and classes.
#include "mutation/cxx_parser.hpp"

#include <algorithm>
#include <array>

namespace capra::mutation::cxx {
namespace {

/// Words in front of a return type that do not belong to it.
constexpr std::array<std::string_view, 5> kFunctionSpecifiers = {"inline", "static", "friend",
                                                                 "virtual", "explicit"};

}  // namespace

std::vector<Function> Parser::functions() {
    std::vector<Function> found;
    at_ = 0;
    scope(tokens_.size() - 1, found);
    return found;
}

void Parser::scope(std::size_t stop, std::vector<Function>& found) {
    while (at_ < stop) member(found);
}

void Parser::member(std::vector<Function>& found) {
    if (skip("template")) {
        if (tokens_.opens_template(at_)) skip_group();
        return;
    }
    if (at("public") || at("private") || at("protected")) {
        ++at_;
        expect(":");
        return;
    }
    if (at("using") || at("typedef") || at("static_assert") || at("friend") || at("enum") ||
        at("__extension__"))
        return skip_statement();
    if (at("namespace") || at("struct") || at("class") || at("union")) {
        const std::size_t semicolon = find(";", tokens_.size() - 1);
        at_ = std::min(find("{", tokens_.size() - 1), semicolon);
        if (at(";")) return skip_statement();
        const std::size_t closing = tokens_.partner(at_);
        ++at_;
        scope(closing, found);
        expect("}");
        skip(";");
        return;
    }
    declared(found);
}

/// A variable, or a function whose parameter list is the first one behind its name.
void Parser::declared(std::vector<Function>& found) {
    const std::size_t start = at_;
    std::size_t params = 0;
    while (!at(";")) {
        if (tokens_[at_].kind == TokenKind::end) misfit("a declaration");
        if (at("operator")) {
            at_ += tokens_.is(at_ + 1, "(") ? 3 : 2;
        } else if (at("=")) {
            return skip_statement();
        } else if (at("{")) {
            if (params != 0) return function_body(start, params, found);
            skip_group();
        } else if (at("(")) {
            if (params == 0) params = at_;
            skip_group();
        } else if (at(":") && params != 0) {
            return function_body(start, params, found);
        } else if (tokens_.partner(at_) > at_) {
            skip_group();
        } else {
            ++at_;
        }
    }
    ++at_;
}

/// [: member(values), ...] { body }
void Parser::function_body(std::size_t start, std::size_t params, std::vector<Function>& found) {
    Function function;
    std::size_t name = params - 1;
    for (const std::size_t symbols : {1, 2})  // operator+ or operator()
        if (params > start + symbols && tokens_.is(params - 1 - symbols, "operator"))
            name = params - 1 - symbols;
    while (name > start + 1 && tokens_.is(name - 1, "::")) name -= 2;
    function.name = tokens_.source().at({tokens_[name].span.begin, tokens_[params - 1].span.end});
    bool is_constant = false;
    for (std::size_t i = start; i < name; ++i) {
        is_constant = is_constant || tokens_.is(i, "constexpr") || tokens_.is(i, "consteval");
        if (tokens_.is(i, "["))
            i = tokens_.partner(i);
        else if (std::ranges::find(kFunctionSpecifiers, tokens_.text(i)) ==
                 kFunctionSpecifiers.end())
            function.return_type += tokens_.text(i);
    }
    if (skip(":")) {
        do {
            if (!skip_name()) misfit("a member to initialise");
            elements(function.initialisers, at("(") ? ")" : "}");
        } while (skip(","));
    }
    function.body = block_body();
    if (!is_constant) found.push_back(std::move(function));
}

}  // namespace capra::mutation::cxx
