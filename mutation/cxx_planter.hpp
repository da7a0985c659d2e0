// Walks the functions of a file and notes where the mutation operators apply.
#pragma once

#include "mutation/cxx_exchanges.hpp"
#include "mutation/cxx_operators.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace capra::mutation::cxx {

class Planter {
  public:
    /// The source must outlive the planter.
    explicit Planter(const SourceFile& source) : source_(source) {}

    void function(const Function& function);
    std::vector<Site> take() { return std::move(sites_); }

  private:
    // What both kinds of places need (cxx_operators.cpp).
    [[nodiscard]] std::string text(const Expression& expr) const {
        return std::string(source_.at(expr.span));
    }
    [[nodiscard]] std::string_view op_of(const Expression& expr) const {
        return source_.at(expr.op);
    }
    /// Versions that would not change the text are left out.
    void add(Site site);
    void add_value(Site::Form form, Span region, std::vector<Site::Version> versions);
    /// True if `relational` or `logical` negate it.
    [[nodiscard]] bool is_negated_by_others(const Expression& core) const;
    /// The name of the called function, without its scopes; empty if it has none.
    [[nodiscard]] Span callee_span(const Expression& call) const;
    [[nodiscard]] std::string_view callee(const Expression& call) const {
        return source_.at(callee_span(call));
    }

    // Statements (cxx_operators.cpp).
    /// `whole`: something longer than an expression may stand in its place.
    void visit(const Statement& statement, bool whole);
    void visit_values(const Statement& statement);
    void delete_expression(const Statement& statement);
    void erase(const Statement& statement);
    void returned(const Expression& expr);
    void negate_declared(const Statement& statement);

    // Expressions (cxx_expression_sites.cpp).
    void visit(const Expression& expr);
    void visit_parts(const Expression& expr);
    void visit_condition(const Expression& condition);
    void visit_lambda(const Expression& expr);
    void visit_number(const Expression& expr, std::string_view ordering);
    void visit_boolean(const Expression& expr);
    void visit_call(const Expression& call);
    void visit_construct(const Expression& expr);
    void visit_prefix(const Expression& expr);
    void visit_step(const Expression& expr);
    void visit_binary(const Expression& expr);
    void visit_logical(const Expression& expr);
    void exchange_operator(const Expression& expr);
    [[nodiscard]] bool makes_text(const Expression& expr) const;
    [[nodiscard]] Site::Version swapped(const Expression& expr, const Operator& known) const;

    const SourceFile& source_;
    std::string return_type_;
    bool in_loop_ = false;  ///< a break here leaves a loop, not a switch
    std::vector<Site> sites_;
};

/// Without the parentheses around it.
const Expression& inside(const Expression& expr);

/// One way of being wrong.
Site::Version version(std::string_view op, Span span, std::string replacement,
                      std::string functor = "");

}  // namespace capra::mutation::cxx
