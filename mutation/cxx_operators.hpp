// The mutation operators of C++: every change of one place that makes a function do something else.
//   relational          the border moved, the direction turned, == and != exchanged
//   arithmetic          + - * / % and shifts exchanged, also as assignments; ++ and --; a sign left
//                       out
//   logical             && and || exchanged, a term or a negation left out
//   bitwise             & | ^ exchanged, also as assignments; an inversion left out
//   constant            the next number up and down, twice a floating one, the other truth value
//   off_by_one          the bound of an ordering, in the direction that `relational` does not move
//   condition_negation  of if, while, for and ?:, where `relational` and `logical` do not negate
//   statement_deletion  a call, assignment or step left out; continue; break out of a loop
//   operand_swap        of - / % and shifts
//   function_exchange   min and max, floor and ceil, all_of, any_of and none_of, front and back
//   signedness_drop     a widening conversion std::int64_t{x} fills with zeros
//   return_value        the other truth value, the next number
// Left alone: constant expressions, declarations, assertions, what is thrown, what messages say,
// return and throw as statements, reserve() (capacity is no behaviour).
#pragma once

#include "mutation/cxx_syntax.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace capra::mutation::cxx {

/// A region of the source and the ways in which it can be wrong.
struct Site {
    /// How the schema holds them.
    enum class Form : std::uint8_t {
        operands,   ///< a function of the operands that are left and right of `op`
        operand,    ///< a function of the operand behind `op`
        value,      ///< the region or one of its versions
        truth,      ///< the same, as a bool
        statement,  ///< the statement or nothing
        declared,   ///< a condition behind the declaration that is the region
    };
    struct Version {
        Change change;
        std::string functor;  ///< what is called, for `operands` and `operand`
    };
    Form form = Form::value;
    Span region;
    Span op;
    std::string original;  ///< functor, or for `declared` the condition
    std::vector<Version> versions;
};

/// An outer region comes before the ones inside it, and otherwise in the order of the text.
std::vector<Site> find_sites(const SourceFile& source, const std::vector<Function>& functions);

}  // namespace capra::mutation::cxx
