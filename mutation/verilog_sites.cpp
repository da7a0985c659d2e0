#include "mutation/verilog_sites.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace capra::mutation {
namespace {

void append(std::vector<Change>& to, std::vector<Change> more) {
    std::ranges::move(more, std::back_inserter(to));
}

/// Two operators may agree on a change: the first keeps it.
void drop_repeated(std::vector<Change>& changes) {
    std::vector<Change> kept;
    for (Change& change : changes) {
        const auto same = [&](const Change& other) {
            return other.span == change.span && other.replacement == change.replacement;
        };
        if (std::ranges::none_of(kept, same)) kept.push_back(std::move(change));
    }
    changes = std::move(kept);
}

/// A condition that is true in reset or at a clear: one name that says so, perhaps with others.
bool is_reset(const SourceFile& source, const Expr& condition) {
    if (condition.kind != Expr::Kind::name) return false;
    const std::string_view name = source.at(condition.span);
    return name.starts_with("rst") || name.starts_with("clear");
}

class SiteFinder {
  public:
    SiteFinder(const SourceFile& source, const Module& module, const std::vector<Signal>& header)
        : source_(source), module_(module), header_(header) {}

    std::vector<Site> find() {
        for (const Process& process : module_.processes) {
            whole_body_ = &process.body;
            visit(process.body, names(process.scope), Role::value);
        }
        for (const Driver& driver : module_.drivers) visit_driver(driver);
        for (const Connection& connection : module_.connections) visit_connection(connection);
        std::ranges::stable_sort(sites_, {}, [](const Site& site) { return site.region.begin; });
        return std::move(sites_);
    }

  private:
    [[nodiscard]] Names names(std::size_t scope) const {
        return {source_, module_, header_, scope};
    }

    void keep(Site site) {
        drop_repeated(site.changes);
        if (!site.changes.empty()) sites_.push_back(std::move(site));
    }

    void visit(const Statement& statement, const Names& names, Role role) {
        switch (statement.kind) {
            case Statement::Kind::empty:
                return;
            case Statement::Kind::assignment:
                return visit_assignment(statement, names, role);
            case Statement::Kind::conditional:
                return visit_conditional(statement, names, role);
            case Statement::Kind::block:
            case Statement::Kind::choice:
                for (const Statement& inner : statement.body) visit(inner, names, role);
        }
    }

    void visit_assignment(const Statement& statement, const Names& names, Role role) {
        Site site{.kind = Site::Kind::statement, .region = statement.span};
        // A function without any statement is no Verilog.
        if (&statement != whole_body_) site.changes = {{"statement_deletion", statement.span, ";"}};
        append(site.changes, expression_changes(names, *statement.value, role));
        append(site.changes, value_changes(names, *statement.target, *statement.value));
        keep(std::move(site));
    }

    void visit_conditional(const Statement& statement, const Names& names, Role role) {
        const Expr& condition = *statement.subject;
        Site site{.kind = Site::Kind::condition,
                  .region = condition.span,
                  .owner = statement.span,
                  .changes = condition_changes(names, condition)};
        append(site.changes, expression_changes(names, condition, Role::condition));
        keep(std::move(site));
        const bool reset = is_reset(source_, condition);
        for (std::size_t i = 0; i < statement.body.size(); ++i)
            visit(statement.body[i], names, reset && i == 0 ? Role::reset_value : role);
    }

    void visit_driver(const Driver& driver) {
        const Names here = names(driver.scope);
        Site site{.kind = Site::Kind::driver,
                  .region = driver.value.span,
                  .owner = {driver.item, driver.value.span.end},
                  .declare = shape(here, driver.target),
                  .changes = expression_changes(here, driver.value, Role::value)};
        // A net that only renames a signal adds nothing to what that signal can suffer.
        if (driver.value.kind != Expr::Kind::name)
            append(site.changes, value_changes(here, driver.target, driver.value));
        keep(std::move(site));
    }

    /// Only operators whose result has a width of its own: any other one may mean something else in
    /// the width of the port, which is not known here.
    void visit_connection(const Connection& connection) {
        const Expr& value = connection.value;
        const Names here = names(connection.scope);
        const auto width = width_of(here, value);
        const bool is_one_bit = width == 1u && value.kind != Expr::Kind::name &&
                                value.kind != Expr::Kind::select &&
                                value.kind != Expr::Kind::number;
        const Signal* operand = bitwise_operand(here, value);
        if (!is_one_bit && operand == nullptr) return;
        Site site{.kind = Site::Kind::connection,
                  .region = value.span,
                  .owner = {connection.item, value.span.end},
                  .declare = is_one_bit ? "" : operand->range,
                  .changes = expression_changes(here, value, Role::value)};
        if (is_one_bit) append(site.changes, value_changes(here, value, value));
        keep(std::move(site));
    }

    /// A named operand of bitwise operators. The others have its width, as lint demands.
    [[nodiscard]] const Signal* bitwise_operand(const Names& here, const Expr& expr) const {
        constexpr std::string_view kBitwise[] = {"&", "|", "^"};
        if (expr.kind == Expr::Kind::name) return here.find(here.text(expr));
        if (expr.kind != Expr::Kind::binary ||
            std::ranges::find(kBitwise, source_.at(expr.op)) == std::end(kBitwise))
            return nullptr;
        const Signal* left = bitwise_operand(here, expr.parts[0]);
        return left != nullptr ? left : bitwise_operand(here, expr.parts[1]);
    }

    /// The shape of what a continuous assignment writes, so that a variable can stand in for it.
    [[nodiscard]] std::string shape(const Names& here, const Expr& target) const {
        if (target.kind == Expr::Kind::name) {
            const Signal* signal = here.find(here.text(target));
            if (signal == nullptr) source_.fail(target.span.begin, "an unknown name is assigned");
            return (signal->is_signed ? "signed " : "") + signal->range;
        }
        if (target.kind != Expr::Kind::select)
            source_.fail(target.span.begin, "assignment to a concatenation is not understood");
        const std::string_view op = source_.at(target.op);
        if (op.empty()) return "";
        const std::string_view first = here.text(target.parts[1]);
        const std::string_view last = here.text(target.parts[2]);
        return op == ":" ? fmt::format("[{}:{}]", first, last) : fmt::format("[({})-1:0]", last);
    }

    const SourceFile& source_;
    const Module& module_;
    const std::vector<Signal>& header_;
    const Statement* whole_body_ = nullptr;
    std::vector<Site> sites_;
};

}  // namespace

std::vector<Site> find_sites(const SourceFile& source, const Module& module,
                             const std::vector<Signal>& header) {
    return SiteFinder(source, module, header).find();
}

}  // namespace capra::mutation
