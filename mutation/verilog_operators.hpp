// The mutation operators: every change of one place that makes Verilog say something else.
#pragma once

#include "mutation/source_text.hpp"
#include "mutation/verilog_names.hpp"

#include <string>
#include <vector>

namespace capra::mutation {

/// How a value is used, which decides what its constants mean.
enum class Role : std::uint8_t {
    value,        ///< assigned
    reset_value,  ///< assigned in reset
    condition,    ///< decides
};

/// What can be wrong inside an expression:
///   relational          the border moved, the direction turned, == and != exchanged
///   arithmetic          + - * and shifts exchanged, a sign dropped
///   logical             && and || exchanged, a term or a negation left out
///   bitwise             & | ^ exchanged, also as reductions; an inversion left out
///   constant            the next number up and down; another constant of the family compared with
///   reset_value         the same for what is assigned in reset
///   off_by_one          a named bound, or the place of a selected field
///   condition_negation  of ?:
///   operand_swap        of - and shifts, concatenations of two, the first arguments of a function
///   signedness_drop     a cast, the s of a literal, the repeated bit of a sign extension
///   state_redirect      another constant of the family assigned
std::vector<Change> expression_changes(const Names& names, const Expr& expr, Role role);

/// condition_negation of a whole condition.
std::vector<Change> condition_changes(const Names& names, const Expr& condition);

/// What can be wrong with an assigned value as a whole: off_by_one of a plain copy, and stuck_bit.
/// Signed values are left alone: what is added to them would change their signedness.
std::vector<Change> value_changes(const Names& names, const Expr& target, const Expr& value);

}  // namespace capra::mutation
