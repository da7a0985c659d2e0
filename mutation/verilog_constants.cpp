#include "mutation/verilog_constants.hpp"

#include "mutation/mutant_list.hpp"

#include "mutation/verilog_names.hpp"
#include "mutation/verilog_number.hpp"
#include "mutation/verilog_tokens.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace capra::mutation {
namespace {

class ConstantFinder {
  public:
    ConstantFinder(const VerilogFile& file, bool is_top) : source_(file.source), is_top_(is_top) {
        for (const Token& token : tokenize(source_))
            if (token.kind != TokenKind::space && token.kind != TokenKind::comment)
                tokens_.push_back(token);
    }

    std::vector<Change> find() {
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            if (tokens_[i].kind != TokenKind::word) continue;
            const std::string_view word = text(i);
            if (word == "localparam" || (word == "parameter" && is_top_)) visit_constant(i + 1);
            if (word == "reg") visit_register(i + 1);
        }
        return std::move(changes_);
    }

  private:
    [[nodiscard]] std::string_view text(std::size_t i) const { return source_.at(tokens_[i].span); }

    void add(std::string op, Span span, std::string replacement) {
        changes_.push_back({std::move(op), span, std::move(replacement)});
    }

    /// [range] NAME = value, up to the comma, semicolon or parenthesis behind it.
    void visit_constant(std::size_t i) {
        while (text(i) != "=") ++i;
        const std::size_t first = ++i;
        for (int depth = 0; depth > 0 || (text(i) != "," && text(i) != ";" && text(i) != ")"); ++i)
            depth += text(i) == "(" ? 1 : text(i) == ")" ? -1 : 0;
        const Span value{tokens_[first].span.begin, tokens_[i - 1].span.end};
        const auto number = read_number(source_.at(value));
        if (number && number->width) return visit_code(value, *number);
        add("parameter", value, fmt::format("({}) + 1", source_.at(value)));
        // One less of what is worked out may be the size of nothing.
        if (number) add("parameter", value, fmt::format("{} - 1", source_.at(value)));
    }

    /// Codes of a few bits are a family: a value nobody has would be as good as the right one.
    void visit_code(Span value, const Number& number) {
        constexpr unsigned kCodeBits = 3;
        const std::vector<std::string> near = neighbours(number);
        if (*number.width > kCodeBits)
            for (const std::string& other : near) add("parameter", value, other);
        else
            add("parameter", value, number.value > 0 ? near.back() : near.front());
    }

    /// [signed] [N:0] name
    void visit_register(std::size_t i) {
        if (text(i) == "signed") ++i;
        if (text(i) != "[" || text(i + 2) != ":" || text(i + 3) != "0") return;
        const auto high = read_number(text(i + 1));
        if (high && high->value > 0)
            add("width", tokens_[i + 1].span, std::to_string(high->value - 1));
    }

    const SourceFile& source_;
    bool is_top_;
    std::vector<Token> tokens_;
    std::vector<Change> changes_;
};

}  // namespace

std::vector<Mutant> find_constant_mutants(const VerilogFile& file, const std::string& top) {
    const bool is_top =
        std::ranges::any_of(file.modules, [&](const Module& module) { return module.name == top; });
    return mutants_of("rtl", file.source, ConstantFinder(file, is_top).find());
}

}  // namespace capra::mutation
