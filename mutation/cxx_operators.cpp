#include "mutation/cxx_operators.hpp"

#include "mutation/cxx_planter.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace capra::mutation::cxx {
namespace {

using Kind = Expression::Kind;
using Form = Site::Form;

/// The last part of a qualified name, without template arguments.
Span last_name(std::string_view text, std::size_t at) {
    std::size_t begin = 0;
    std::size_t end = text.size();
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '<' && depth++ == 0) end = i;
        if (text[i] == '>') --depth;
        if (depth != 0 || text[i] != ':') continue;
        begin = i + 1;
        end = text.size();
    }
    return {at + begin, at + end};
}

bool is_expression_that_acts(const Expression& expr) {
    return expr.kind == Kind::call || expr.kind == Kind::assign || expr.kind == Kind::prefix ||
           expr.kind == Kind::postfix;
}

}  // namespace

const Expression& inside(const Expression& expr) {
    return expr.kind == Kind::paren ? inside(expr.parts[0]) : expr;
}

Site::Version version(std::string_view op, Span span, std::string replacement,
                      std::string functor) {
    return {{std::string(op), span, std::move(replacement)}, std::move(functor)};
}

void Planter::add(Site site) {
    std::erase_if(site.versions, [&](const Site::Version& v) {
        return source_.at(v.change.span) == v.change.replacement;
    });
    if (!site.versions.empty()) sites_.push_back(std::move(site));
}

void Planter::add_value(Form form, Span region, std::vector<Site::Version> versions) {
    add({form, region, {}, "", std::move(versions)});
}

bool Planter::is_negated_by_others(const Expression& core) const {
    return (core.kind == Kind::binary && is_relational(op_of(core))) ||
           (core.kind == Kind::prefix && op_of(core) == "!") || core.kind == Kind::boolean;
}

Span Planter::callee_span(const Expression& call) const {
    const Expression& callee = call.parts[0];
    if (callee.kind != Kind::member && callee.kind != Kind::name) return {};
    const Span name = callee.kind == Kind::member ? callee.head : callee.span;
    return last_name(source_.at(name), name.begin);
}

void Planter::function(const Function& function) {
    return_type_.clear();
    in_loop_ = false;
    for (const Expression& value : function.initialisers) visit(value);
    return_type_ = function.return_type;
    for (const Statement& statement : function.body) visit(statement, true);
}

void Planter::visit(const Statement& statement, bool whole) {
    if (statement.kind == Statement::Kind::expression && whole) delete_expression(statement);
    if (statement.kind == Statement::Kind::jump &&
        (in_loop_ || source_.at(statement.span).starts_with("continue")))
        erase(statement);
    if (statement.kind == Statement::Kind::returning && !statement.values.empty())
        returned(statement.values[0]);
    for (const Statement& initial : statement.initial) visit(initial, false);
    if (statement.declared != Span{}) negate_declared(statement);
    for (const Expression& condition : statement.condition) visit_condition(condition);
    visit_values(statement);
    const bool outer = in_loop_;
    if (statement.kind == Statement::Kind::loop) in_loop_ = true;
    if (statement.kind == Statement::Kind::choice) in_loop_ = false;
    for (const Statement& inner : statement.body) visit(inner, true);
    in_loop_ = outer;
}

/// A loop that steps the other way runs off: its condition has better mutants than its step.
void Planter::visit_values(const Statement& statement) {
    for (const Expression& value : statement.values) {
        const bool is_step = statement.kind == Statement::Kind::loop &&
                             (value.kind == Kind::assign || value.kind == Kind::prefix ||
                              value.kind == Kind::postfix);
        if (is_step)
            visit_parts(value);
        else
            visit(value);
    }
}

void Planter::delete_expression(const Statement& statement) {
    const Expression& expr = statement.values[0];
    const bool only_reserves = expr.kind == Kind::call && callee(expr) == "reserve";
    if (is_expression_that_acts(expr) && !only_reserves) erase(statement);
}

void Planter::erase(const Statement& statement) {
    add_value(Form::statement, statement.span,
              {version("statement_deletion", statement.span, ";")});
}

void Planter::returned(const Expression& expr) {
    const Expression& core = inside(expr);
    if (return_type_ == "bool" && !is_negated_by_others(core))
        add_value(Form::truth, expr.span,
                  {version("return_value", expr.span, fmt::format("!({})", text(expr)))});
    if (is_number_type(return_type_) && core.kind != Kind::number)
        add_value(Form::value, expr.span,
                  {version("return_value", expr.span, fmt::format("({}) + 1", text(expr)))});
}

void Planter::negate_declared(const Statement& statement) {
    const std::string name(source_.at(statement.declared_name));
    const std::string declared(source_.at(statement.declared));
    add({Form::declared,
         statement.declared,
         {},
         name,
         {version("condition_negation", statement.declared,
                  fmt::format("{}; !{}", declared, name))}});
}

std::vector<Site> find_sites(const SourceFile& source, const std::vector<Function>& functions) {
    Planter planter(source);
    for (const Function& function : functions) planter.function(function);
    return planter.take();
}

}  // namespace capra::mutation::cxx
