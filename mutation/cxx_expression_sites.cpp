// Where expressions can be wrong.
#include "mutation/cxx_number.hpp"
#include "mutation/cxx_planter.hpp"

#include <fmt/format.h>

namespace capra::mutation::cxx {
namespace {

using Kind = Expression::Kind;
using Form = Site::Form;

bool is_bound(const Expression& expr) {
    return expr.kind == Kind::name || expr.kind == Kind::member ||
           (expr.kind == Kind::call && expr.parts.size() == 1);
}

}  // namespace

void Planter::visit(const Expression& expr) {
    switch (expr.kind) {
        case Kind::number:
            return visit_number(expr, "");
        case Kind::boolean:
            return visit_boolean(expr);
        case Kind::call:
            return visit_call(expr);
        case Kind::construct:
            return visit_construct(expr);
        case Kind::prefix:
            return visit_prefix(expr);
        case Kind::postfix:
            visit_step(expr);
            return visit_parts(expr);
        case Kind::binary:
            return visit_binary(expr);
        case Kind::assign:
            exchange_operator(expr);
            return visit_parts(expr);
        case Kind::ternary:
            visit_condition(expr.parts[0]);
            visit(expr.parts[1]);
            return visit(expr.parts[2]);
        case Kind::lambda:
            return visit_lambda(expr);
        default:
            return visit_parts(expr);
    }
}

void Planter::visit_parts(const Expression& expr) {
    for (const Expression& part : expr.parts) visit(part);
}

void Planter::visit_condition(const Expression& condition) {
    if (!is_negated_by_others(inside(condition)))
        add_value(
            Form::truth, condition.span,
            {version("condition_negation", condition.span, fmt::format("!({})", text(condition)))});
    visit(condition);
}

void Planter::visit_lambda(const Expression& expr) {
    const std::string type = std::exchange(return_type_, "");
    const bool outer = std::exchange(in_loop_, false);
    for (const Statement& statement : expr.body) visit(statement, true);
    return_type_ = type;
    in_loop_ = outer;
}

/// The neighbour that a moved border of `ordering` amounts to is left out.
void Planter::visit_number(const Expression& expr, std::string_view ordering) {
    const Neighbours next = neighbours(source_.at(expr.span));
    const bool same_above = ordering == "<" || ordering == ">=";
    const bool same_below = ordering == "<=" || ordering == ">";
    std::vector<Site::Version> versions;
    if (!next.above.empty() && (!same_above || next.below.empty()))
        versions.push_back(version("constant", expr.span, next.above));
    if (!next.below.empty() && !same_below)
        versions.push_back(version("constant", expr.span, next.below));
    add_value(Form::value, expr.span, std::move(versions));
}

void Planter::visit_boolean(const Expression& expr) {
    add_value(Form::value, expr.span,
              {version("constant", expr.span, text(expr) == "true" ? "false" : "true")});
}

void Planter::visit_call(const Expression& call) {
    if (makes_message(callee(call))) return;
    if (const auto other = exchanged_function(callee(call)))
        add_value(Form::value, call.span,
                  {version("function_exchange", callee_span(call), std::string(*other))});
    visit_parts(call);
}

void Planter::visit_construct(const Expression& expr) {
    const bool widens = is_signed_type(source_.at(expr.head)) && expr.parts.size() == 1 &&
                        expr.parts[0].kind != Kind::number;
    if (widens) {
        const std::string value = text(expr.parts[0]);
        const std::string type =
            fmt::format("std::make_unsigned_t<std::remove_cvref_t<decltype({})>>", value);
        add_value(Form::value, expr.span,
                  {version("signedness_drop", expr.parts[0].span,
                           fmt::format("static_cast<{}>({})", type, value))});
    }
    visit_parts(expr);
}

void Planter::visit_prefix(const Expression& expr) {
    const std::string_view op = op_of(expr);
    const std::string operand = text(expr.parts[0]);
    if (op == "!") add_value(Form::truth, expr.span, {version("logical", expr.span, operand)});
    if (op == "-")
        add({Form::operand,
             expr.span,
             expr.op,
             "Minus",
             {version("arithmetic", expr.span, operand, "Plus")}});
    if (op == "~")
        add({Form::operand,
             expr.span,
             expr.op,
             "Complement",
             {version("bitwise", expr.span, operand, "Plus")}});
    visit_step(expr);
    visit_parts(expr);
}

/// ++ and --
void Planter::visit_step(const Expression& expr) {
    const std::string_view op = op_of(expr);
    if (op == "++" || op == "--")
        add_value(Form::value, expr.span,
                  {version("arithmetic", expr.op, op == "++" ? "--" : "++")});
}

void Planter::visit_binary(const Expression& expr) {
    const std::string_view op = op_of(expr);
    if (op == "&&" || op == "||")
        visit_logical(expr);
    else
        exchange_operator(expr);
    visit(expr.parts[0]);
    if (is_ordering(op) && expr.parts[1].kind == Kind::number)
        visit_number(expr.parts[1], op);
    else
        visit(expr.parts[1]);
}

/// Each term of a chain left out alone: a longer left side loses its own terms.
void Planter::visit_logical(const Expression& expr) {
    const Expression& left = expr.parts[0];
    const bool is_chain = left.kind == Kind::binary && op_of(left) == op_of(expr);
    std::vector<Site::Version> versions;
    versions.push_back(version("logical", expr.op, op_of(expr) == "&&" ? "||" : "&&"));
    versions.push_back(version("logical", expr.span, text(left)));
    if (!is_chain) versions.push_back(version("logical", expr.span, text(expr.parts[1])));
    add_value(Form::truth, expr.span, std::move(versions));
}

/// Texts are joined by +, and nothing else can be done with them.
bool Planter::makes_text(const Expression& expr) const {
    if (expr.kind == Kind::binary) return makes_text(expr.parts[0]) || makes_text(expr.parts[1]);
    if (expr.kind == Kind::literal) return true;
    return expr.kind == Kind::call && (callee(expr) == "to_string" || callee(expr) == "format");
}

void Planter::exchange_operator(const Expression& expr) {
    const std::string_view op = op_of(expr);
    const Operator* known = find_operator(op);
    if (known == nullptr || (op == "+" && makes_text(expr))) return;
    std::vector<Site::Version> versions;
    for (const std::string_view to : known->exchanges)
        if (const Operator* other = find_operator(to))
            versions.push_back(
                version(known->name, expr.op, std::string(to), std::string(other->functor)));
    const Expression& right = expr.parts[1];
    if (is_ordering(op) && is_bound(right)) {
        const bool up = op == "<=" || op == ">";
        versions.push_back(
            version("off_by_one", right.span, fmt::format("({} {} 1)", text(right), up ? '+' : '-'),
                    fmt::format("{}<{}>", up ? "RightPlus" : "RightMinus", known->functor)));
    }
    if (is_ordered_arithmetic(op) && text(expr.parts[0]) != text(right))
        versions.push_back(swapped(expr, *known));
    add({Form::operands, expr.span, expr.op, std::string(known->functor), std::move(versions)});
}

Site::Version Planter::swapped(const Expression& expr, const Operator& known) const {
    const auto bracketed = [&](const Expression& part) {
        const bool is_compound = part.kind == Kind::binary || part.kind == Kind::ternary;
        return is_compound ? fmt::format("({})", text(part)) : text(part);
    };
    return version(
        "operand_swap", expr.span,
        fmt::format("{} {} {}", bracketed(expr.parts[1]), known.symbol, bracketed(expr.parts[0])),
        fmt::format("Swapped<{}>", known.functor));
}

}  // namespace capra::mutation::cxx
