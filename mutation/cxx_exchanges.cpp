#include "mutation/cxx_exchanges.hpp"

#include <algorithm>
#include <utility>

namespace capra::mutation::cxx {
namespace {

constexpr std::array<Operator, 26> kOperators = {{
    {"==", "Equal", "relational", {"!=", ""}},
    {"!=", "Unequal", "relational", {"==", ""}},
    {"<", "Less", "relational", {"<=", ">="}},
    {"<=", "LessEqual", "relational", {"<", ">"}},
    {">", "Greater", "relational", {">=", "<="}},
    {">=", "GreaterEqual", "relational", {">", "<"}},
    {"+", "Add", "arithmetic", {"-", ""}},
    {"-", "Subtract", "arithmetic", {"+", ""}},
    {"*", "Multiply", "arithmetic", {"+", ""}},
    {"/", "Divide", "arithmetic", {"*", ""}},
    {"%", "Modulo", "arithmetic", {"/", ""}},
    {"<<", "ShiftLeft", "arithmetic", {">>", ""}},
    {">>", "ShiftRight", "arithmetic", {"<<", ""}},
    {"&", "And", "bitwise", {"|", "^"}},
    {"|", "Or", "bitwise", {"&", ""}},
    {"^", "Xor", "bitwise", {"&", "|"}},
    {"+=", "AddTo", "arithmetic", {"-=", ""}},
    {"-=", "SubtractFrom", "arithmetic", {"+=", ""}},
    {"*=", "MultiplyBy", "arithmetic", {"/=", ""}},
    {"/=", "DivideBy", "arithmetic", {"*=", ""}},
    {"%=", "ModuloBy", "arithmetic", {"/=", ""}},
    {"<<=", "ShiftLeftBy", "arithmetic", {">>=", ""}},
    {">>=", "ShiftRightBy", "arithmetic", {"<<=", ""}},
    {"&=", "AndWith", "bitwise", {"|=", ""}},
    {"|=", "OrWith", "bitwise", {"&=", ""}},
    {"^=", "XorWith", "bitwise", {"|=", ""}},
}};

using Pair = std::pair<std::string_view, std::string_view>;
constexpr std::array<Pair, 13> kFunctions = {{
    {"min", "max"},
    {"max", "min"},
    {"min_element", "max_element"},
    {"max_element", "min_element"},
    {"floor", "ceil"},
    {"ceil", "floor"},
    {"all_of", "any_of"},
    {"any_of", "none_of"},
    {"none_of", "any_of"},
    {"lower_bound", "upper_bound"},
    {"upper_bound", "lower_bound"},
    {"front", "back"},
    {"back", "front"},
}};

constexpr std::array<std::string_view, 7> kMessages = {"fail",  "refuse",   "Error", "format",
                                                       "print", "expected", "assert"};
constexpr std::array<std::string_view, 4> kSignedTypes = {"std::int8_t", "std::int16_t",
                                                          "std::int32_t", "std::int64_t"};
constexpr std::array<std::string_view, 8> kNumberTypes = {
    "int",           "unsigned",      "double",        "std::uint8_t",
    "std::uint16_t", "std::uint32_t", "std::uint64_t", "std::size_t"};

template <std::size_t Size>
bool one_of(const std::array<std::string_view, Size>& set, std::string_view text) {
    return std::ranges::find(set, text) != set.end();
}

}  // namespace

const Operator* find_operator(std::string_view symbol) {
    const auto found = std::ranges::find(kOperators, symbol, &Operator::symbol);
    return found == kOperators.end() ? nullptr : &*found;
}

bool is_ordering(std::string_view symbol) {
    return symbol == "<" || symbol == "<=" || symbol == ">" || symbol == ">=";
}

bool is_relational(std::string_view symbol) {
    return is_ordering(symbol) || symbol == "==" || symbol == "!=";
}

bool is_ordered_arithmetic(std::string_view symbol) {
    return symbol == "-" || symbol == "/" || symbol == "%" || symbol == "<<" || symbol == ">>";
}

std::optional<std::string_view> exchanged_function(std::string_view name) {
    const auto found = std::ranges::find(kFunctions, name, &Pair::first);
    if (found == kFunctions.end()) return std::nullopt;
    return found->second;
}

bool makes_message(std::string_view function) {
    return one_of(kMessages, function);
}

bool is_signed_type(std::string_view type) {
    return one_of(kSignedTypes, type);
}

bool is_number_type(std::string_view type) {
    return one_of(kNumberTypes, type) || is_signed_type(type);
}

}  // namespace capra::mutation::cxx
