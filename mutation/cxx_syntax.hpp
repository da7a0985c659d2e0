// The syntax tree of the C++ that the project is written in, as far as mistakes can be planted in
// it: run-time expressions and statements. Types, constants and declarations stay text.
#pragma once

#include "mutation/source_text.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace capra::mutation::cxx {

struct Statement;

struct Expression {
    enum class Kind : std::uint8_t {
        name,  ///< qualified, with its template arguments
        number,
        boolean,
        literal,    ///< string, character, nullptr, this
        paren,      ///< one part
        list,       ///< braces without a type; parts: the elements
        construct,  ///< head: the type; braces; parts: the elements
        call,       ///< parts: callee, arguments
        index,      ///< parts: base, index
        member,     ///< parts: object; head: the member's name
        cast,       ///< head: the type; parts: the operand
        prefix,     ///< op, one part
        postfix,    ///< op, one part
        binary,     ///< op, two parts; `,` `.*` and `->*` too
        assign,     ///< op, two parts
        ternary,    ///< parts: condition, if true, if false
        lambda,     ///< body
        opaque,     ///< sizeof and its kin: not evaluated
    };
    Kind kind = Kind::opaque;
    Span span;
    Span op;
    Span head;
    std::vector<Expression> parts;
    std::vector<Statement> body;
};

struct Statement {
    enum class Kind : std::uint8_t {
        expression,   ///< one value
        declaration,  ///< values: the initialisers
        returning,    ///< value, if any
        block,        ///< body
        conditional,  ///< body: the branches
        loop,        ///< values: condition if any, step if any, range if any; body: init, statement
        choice,      ///< switch; values: subject; body
        jump,        ///< break or continue
        left_alone,  ///< throw, labels, constants, using, static_assert
    };
    Kind kind = Kind::left_alone;
    Span span;  ///< with its semicolon
    /// The condition of `conditional` and `loop`, none if it declares something or is constant.
    std::vector<Expression> condition;
    Span declared;       ///< the declaration that is a condition, empty if it is an expression
    Span declared_name;  ///< of it
    std::vector<Statement> initial;  ///< the first statement in the parentheses of `if` and `for`
    std::vector<Expression> values;
    std::vector<Statement> body;
};

/// A function with a body.
struct Function {
    std::string name;
    std::string return_type;               ///< as written, empty for constructors
    std::vector<Expression> initialisers;  ///< arguments of the members' initialisers
    std::vector<Statement> body;
};

}  // namespace capra::mutation::cxx
