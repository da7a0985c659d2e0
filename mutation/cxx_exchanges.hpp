// What takes the place of an operator or a function.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace capra::mutation::cxx {

/// The functor is the name of the operator in mutation/cxx_runtime.hpp.
struct Operator {
    std::string_view symbol;
    std::string_view functor;
    std::string_view name;                      ///< of the mutation operator
    std::array<std::string_view, 2> exchanges;  ///< empty ones are none
};

/// The binary or assignment operator; null for one that is left alone.
const Operator* find_operator(std::string_view symbol);

bool is_ordering(std::string_view symbol);
bool is_relational(std::string_view symbol);
/// Exchanging the operands changes the result.
bool is_ordered_arithmetic(std::string_view symbol);

/// The function with the same parameters that gives another result.
std::optional<std::string_view> exchanged_function(std::string_view name);

/// Calls whose arguments only make a message.
bool makes_message(std::string_view function);

/// Types of std::intN_t that hold negative values.
bool is_signed_type(std::string_view type);
bool is_number_type(std::string_view type);

}  // namespace capra::mutation::cxx
