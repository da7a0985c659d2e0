#include "mutation/verilog_names.hpp"

#include "mutation/verilog_number.hpp"

#include <algorithm>

namespace capra::mutation {
namespace {

std::string_view prefix(std::string_view name) {
    return name.substr(0, name.find('_') + 1);
}

bool related(const Signal& a, const Signal& b) {
    return a.is_constant && b.is_constant && !a.range.empty() && a.range == b.range &&
           !prefix(a.name).empty() && prefix(a.name) == prefix(b.name);
}

bool is_one_bit_operator(std::string_view op) {
    constexpr std::string_view kOperators[] = {"==", "!=", "===", "!==", "<",
                                               "<=", ">",  ">=",  "&&",  "||"};
    return std::ranges::find(kOperators, op) != std::end(kOperators);
}

bool is_shift(std::string_view op) {
    return op == "<<" || op == ">>" || op == "<<<" || op == ">>>";
}

std::optional<unsigned> width_of_select(const Names& names, const Expr& expr) {
    const std::string_view op = names.source.at(expr.op);
    if (op.empty()) {
        const Signal* base = names.find(names.text(expr.parts[0]));
        return base != nullptr && base->is_memory ? base->width : 1;
    }
    const auto first = read_number(names.text(expr.parts[1]));
    const auto second = read_number(names.text(expr.parts[2]));
    if (!second) return std::nullopt;
    if (op != ":") return static_cast<unsigned>(second->value);
    if (!first) return std::nullopt;
    return static_cast<unsigned>(first->value - second->value + 1);
}

}  // namespace

const Signal* Names::find(std::string_view name) const {
    if (const Signal* signal = module.find(scope, name)) return signal;
    const auto found = std::ranges::find(header, name, &Signal::name);
    return found == header.end() ? nullptr : &*found;
}

std::optional<unsigned> width_of(const Names& names, const Expr& expr) {
    switch (expr.kind) {
        case Expr::Kind::name: {
            const Signal* signal = names.find(names.text(expr));
            return signal == nullptr || signal->is_constant ? std::nullopt : signal->width;
        }
        case Expr::Kind::number: {
            const auto number = read_number(names.text(expr));
            return number ? number->width : std::nullopt;
        }
        case Expr::Kind::select:
            return width_of_select(names, expr);
        case Expr::Kind::paren:
            return width_of(names, expr.parts[0]);
        case Expr::Kind::unary:
            if (const auto op = names.source.at(expr.op); op == "~" || op == "-" || op == "+")
                return width_of(names, expr.parts[0]);
            return 1;
        case Expr::Kind::binary: {
            const std::string_view op = names.source.at(expr.op);
            if (is_one_bit_operator(op)) return 1;
            const auto left = width_of(names, expr.parts[0]);
            const auto right = width_of(names, expr.parts[1]);
            if (is_shift(op) || !left) return left;
            return right ? std::optional(std::max(*left, *right)) : std::nullopt;
        }
        default:
            return std::nullopt;
    }
}

bool may_be_signed(const Names& names, const Expr& expr) {
    const std::string_view text = names.text(expr);
    if (expr.kind == Expr::Kind::number) {
        const auto number = read_number(text);
        return !number || number->is_signed;
    }
    if (expr.kind == Expr::Kind::name) {
        const Signal* signal = names.find(text);
        return signal != nullptr &&
               (signal->is_signed || (signal->is_constant && signal->range.empty()));
    }
    if (expr.kind == Expr::Kind::select) return false;
    if (expr.kind == Expr::Kind::call && text.starts_with("$signed")) return true;
    return std::ranges::any_of(expr.parts,
                               [&](const Expr& part) { return may_be_signed(names, part); });
}

std::vector<std::string> family_of(const Names& names, std::string_view constant) {
    const Signal* member = names.find(constant);
    if (member == nullptr || !member->is_constant) return {};
    const std::vector<Signal>& local = names.module.scopes[0].signals;
    const bool is_local = std::ranges::find(local, constant, &Signal::name) != local.end();
    std::vector<std::string> before;
    std::vector<std::string> after;
    bool passed = false;
    for (const Signal& signal : is_local ? local : names.header) {
        if (signal.name == constant)
            passed = true;
        else if (related(*member, signal))
            (passed ? after : before).push_back(signal.name);
    }
    after.insert(after.end(), before.begin(), before.end());
    return after;
}

}  // namespace capra::mutation
