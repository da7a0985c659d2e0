#include "mutation/verilog_operators.hpp"

#include "mutation/verilog_number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace capra::mutation {
namespace {

using Kind = Expr::Kind;

/// What takes the place of an operator, and under which name.
struct Exchange {
    std::string_view from;
    std::string_view op;
    std::array<std::string_view, 2> to;
};

constexpr std::array<Exchange, 17> kExchanges = {{
    {"==", "relational", {"!=", ""}},
    {"!=", "relational", {"==", ""}},
    {"<", "relational", {"<=", ">="}},
    {"<=", "relational", {"<", ">"}},
    {">", "relational", {">=", "<="}},
    {">=", "relational", {">", "<"}},
    {"+", "arithmetic", {"-", ""}},
    {"-", "arithmetic", {"+", ""}},
    {"*", "arithmetic", {"+", ""}},
    {"<<", "arithmetic", {">>", ""}},
    {">>", "arithmetic", {"<<", ""}},
    {">>>", "arithmetic", {">>", "<<<"}},
    {"&&", "logical", {"||", ""}},
    {"||", "logical", {"&&", ""}},
    {"&", "bitwise", {"|", "^"}},
    {"|", "bitwise", {"&", ""}},
    {"^", "bitwise", {"&", "|"}},
}};

bool is_equality(std::string_view op) {
    return op == "==" || op == "!=";
}
bool is_ordering(std::string_view op) {
    return op == "<" || op == "<=" || op == ">" || op == ">=";
}
bool is_ordered_operator(std::string_view op) {
    return op == "-" || op == "<<" || op == ">>" || op == ">>>";
}

/// Walks one expression and collects the changes of every part.
class Collector {
  public:
    Collector(const Names& names, Role role) : names_(names), role_(role) {}

    std::vector<Change> take() { return std::move(changes_); }

    void visit(const Expr& expr) {
        switch (expr.kind) {
            case Kind::name:
                return visit_name(expr);
            case Kind::number:
                return visit_number(expr);
            case Kind::string:
                return;
            case Kind::select:
                return visit_select(expr);
            case Kind::call:
                return visit_call(expr);
            case Kind::concat:
                return visit_concat(expr);
            case Kind::replication:
                return visit_replication(expr);
            case Kind::unary:
                return visit_unary(expr);
            case Kind::binary:
                return visit_binary(expr);
            case Kind::ternary:
                return visit_ternary(expr);
            case Kind::paren:
                return visit(expr.parts[0]);
        }
    }

  private:
    void add(std::string_view op, Span span, std::string replacement) {
        if (names_.source.at(span) != replacement)
            changes_.push_back({std::string(op), span, std::move(replacement)});
    }

    [[nodiscard]] std::string text(const Expr& expr) const {
        return std::string(names_.text(expr));
    }

    [[nodiscard]] std::string_view constant_op() const {
        return role_ == Role::reset_value ? "reset_value" : "constant";
    }

    /// Another member of a constant's family: the two next to it for what is assigned, the next
    /// one where the constant only decides.
    void visit_name(const Expr& expr) {
        const std::vector<std::string> others = family_of(names_, names_.text(expr));
        if (others.empty()) return;
        if (role_ == Role::condition || comparing_)
            return add(constant_op(), expr.span, others.front());
        const std::string_view op = role_ == Role::reset_value ? "reset_value" : "state_redirect";
        add(op, expr.span, others.front());
        if (others.size() > 1) add(op, expr.span, others.back());
    }

    void visit_number(const Expr& expr) {
        const auto number = read_number(names_.text(expr));
        if (!number) return;
        for (const std::string& next : neighbours(*number)) add(constant_op(), expr.span, next);
        if (!number->is_signed || !number->width) return;
        Number plain = *number;
        plain.is_signed = false;
        add("signedness_drop", expr.span, write_number(plain));
    }

    /// Its neighbour inside the same signal: a field's base moved down, plain bounds both moved.
    void visit_select(const Expr& expr) {
        const std::string_view op = names_.source.at(expr.op);
        const Expr& first = expr.parts[1];
        if (op == "+:") {
            const Signal* base = names_.find(names_.text(first));
            if (base != nullptr && base->is_constant)
                add("off_by_one", first.span, text(first) + " - 1");
            return;
        }
        const Expr& last = expr.parts.back();
        const auto high = read_number(names_.text(first));
        const auto low = read_number(names_.text(last));
        const auto limit = width_of(names_, expr.parts[0]);
        if (!high || !low || !limit) return;
        const auto move = [&](std::uint64_t up, std::uint64_t down) {
            const std::string from = std::to_string(low->value + up - down);
            const std::string to = std::to_string(high->value + up - down);
            add("off_by_one", {first.span.begin, last.span.end},
                expr.parts.size() == 2 ? to : to + ":" + from);
        };
        if (high->value + 1 < *limit) move(1, 0);
        if (low->value > 0) move(0, 1);
    }

    void visit_call(const Expr& expr) {
        const std::string_view callee = names_.source.at(expr.op);
        if (callee == "$signed")
            add("signedness_drop", expr.span, "(" + text(expr.parts[0]) + ")");
        else if (callee.starts_with('$'))
            return;
        else if (expr.parts.size() > 1)
            swap(expr.parts[0], expr.parts[1]);
        for (const Expr& part : expr.parts) visit(part);
    }

    void swap(const Expr& left, const Expr& right) {
        const std::size_t gap = left.span.end;
        const std::string between(names_.source.at({gap, right.span.begin}));
        add("operand_swap", {left.span.begin, right.span.end}, text(right) + between + text(left));
    }

    void visit_concat(const Expr& expr) {
        if (expr.parts.size() == 2) swap(expr.parts[0], expr.parts[1]);
        for (const Expr& part : expr.parts)
            if (!is_padding(part)) visit(part);
    }

    /// Zeros in front of something narrower.
    [[nodiscard]] bool is_padding(const Expr& expr) const {
        const auto number = read_number(names_.text(expr));
        return number && number->value == 0;
    }

    /// A repeated bit of a value is its sign.
    void visit_replication(const Expr& expr) {
        const Expr& repeated = expr.parts[1];
        if (repeated.kind == Kind::select && repeated.parts.size() == 2)
            add("signedness_drop", repeated.span, "1'b0");
        for (std::size_t i = 1; i < expr.parts.size(); ++i) visit(expr.parts[i]);
    }

    void visit_unary(const Expr& expr) {
        const std::string_view op = names_.source.at(expr.op);
        if (op == "!") add("logical", expr.span, text(expr.parts[0]));
        if (op == "~") add("bitwise", expr.span, text(expr.parts[0]));
        if (op == "-") add("arithmetic", expr.span, text(expr.parts[0]));
        if (op == "|") add("bitwise", expr.op, "&");
        if (op == "&") add("bitwise", expr.op, "|");
        visit(expr.parts[0]);
    }

    void visit_binary(const Expr& expr) {
        const std::string_view op = names_.source.at(expr.op);
        const auto exchange = std::ranges::find(kExchanges, op, &Exchange::from);
        if (exchange == kExchanges.end())
            names_.source.fail(expr.op.begin, fmt::format("operator '{}' is not known", op));
        for (const std::string_view to : exchange->to)
            if (!to.empty()) add(exchange->op, expr.op, std::string(to));
        if (exchange->op == "logical") drop_terms(expr);
        if (is_ordered_operator(op)) swap(expr.parts[0], expr.parts[1]);
        if (is_equality(op) || is_ordering(op)) visit_bound(expr.parts[1]);
        const bool outer = comparing_;
        comparing_ = exchange->op == "relational";
        for (const Expr& part : expr.parts) visit(part);
        comparing_ = outer;
    }

    /// Each term of a chain left out alone: a longer left side loses its own terms.
    void drop_terms(const Expr& expr) {
        const Expr& left = expr.parts[0];
        add("logical", expr.span, text(left));
        const bool is_chain =
            left.kind == Kind::binary && names_.source.at(left.op) == names_.source.at(expr.op);
        if (!is_chain) add("logical", expr.span, text(expr.parts[1]));
    }

    /// A named bound, one more and one less; numbers are the constant operator's.
    void visit_bound(const Expr& bound) {
        if (bound.kind != Kind::name || !family_of(names_, names_.text(bound)).empty()) return;
        const Signal* signal = names_.find(names_.text(bound));
        if (signal == nullptr || signal->width == 1u || may_be_signed(names_, bound)) return;
        add("off_by_one", bound.span, "(" + text(bound) + " + 1'b1)");
        add("off_by_one", bound.span, "(" + text(bound) + " - 1'b1)");
    }

    void visit_ternary(const Expr& expr) {
        const Role outer = role_;
        role_ = Role::condition;
        for (Change& change : condition_changes(names_, expr.parts[0]))
            changes_.push_back(std::move(change));
        visit(expr.parts[0]);
        role_ = outer;
        visit(expr.parts[1]);
        visit(expr.parts[2]);
    }

    const Names& names_;
    Role role_;
    bool comparing_ = false;  ///< below a relational operator
    std::vector<Change> changes_;
};

const Expr& inside(const Expr& expr) {
    return expr.kind == Kind::paren ? inside(expr.parts[0]) : expr;
}

}  // namespace

std::vector<Change> expression_changes(const Names& names, const Expr& expr, Role role) {
    Collector collector(names, role);
    collector.visit(expr);
    return collector.take();
}

std::vector<Change> condition_changes(const Names& names, const Expr& condition) {
    const Expr& core = inside(condition);
    const std::string_view op = names.source.at(core.op);
    // The relational and logical operators negate these already.
    if (core.kind == Kind::binary && is_equality(op)) return {};
    if (core.kind == Kind::unary && op == "!") return {};
    return {{"condition_negation", condition.span, fmt::format("!({})", names.text(condition))}};
}

std::vector<Change> value_changes(const Names& names, const Expr& target, const Expr& value) {
    const std::string text(names.text(value));
    if (may_be_signed(names, value) || read_number(text)) return {};
    const Signal* named = names.find(text);
    if (named != nullptr && named->is_constant) return {};
    const bool is_copy = value.kind == Kind::name || value.kind == Kind::select;
    const bool is_one_bit = width_of(names, target) == 1u;
    std::vector<Change> changes;
    const auto add = [&](std::string_view op, std::string replacement) {
        changes.push_back({std::string(op), value.span, std::move(replacement)});
    };
    if (is_one_bit) {
        const std::string_view op = names.source.at(value.op);
        if (!is_copy) add("stuck_bit", "1'b0");
        // Both operands of a conjunction left out is what `logical` comes close to.
        if (op != "&&" && op != "&") add("stuck_bit", "1'b1");
    } else if (is_copy) {
        // A field of an instruction moves by the base of its select already.
        if (names.source.at(value.op) != "+:") add("off_by_one", text + " + 1'b1");
    } else {
        add("stuck_bit", fmt::format("({}) | 1'b1", text));
    }
    return changes;
}

}  // namespace capra::mutation
