// The syntax tree of the Verilog subset that rtl/ is written in. Every node knows its bytes.
#pragma once

#include "mutation/verilog_tokens.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace capra::mutation {

struct Expr {
    enum class Kind : std::uint8_t {
        name,  ///< also hierarchical
        number,
        string,
        select,       ///< parts: base, index or bounds; op: `:`, `+:`, `-:`, empty for one bit
        call,         ///< op: the callee; parts: arguments
        concat,       ///< parts: operands
        replication,  ///< parts: count, operands
        unary,        ///< op, one part
        binary,       ///< op, two parts
        ternary,      ///< three parts
        paren,        ///< one part
    };
    Kind kind = Kind::name;
    Span span;
    Span op;
    std::vector<Expr> parts;
};

struct Statement {
    enum class Kind : std::uint8_t {
        block,        ///< body: its statements
        conditional,  ///< subject: condition; body: then, and else if there is one
        choice,       ///< case; subject; body: the arms
        assignment,   ///< target, value
        empty,        ///< a lone semicolon
    };
    Kind kind = Kind::empty;
    Span span;
    std::optional<Expr> subject;
    std::optional<Expr> target;
    std::optional<Expr> value;
    std::vector<Statement> body;
};

/// A port, net, variable, argument or constant.
struct Signal {
    std::string name;
    std::string range;              ///< as written, "[15:0]"; empty for one bit
    std::optional<unsigned> width;  ///< if the range is two plain numbers
    bool is_signed = false;
    bool is_constant = false;  ///< parameter, localparam or genvar
    bool is_memory = false;    ///< the shape is one word's
};

/// Where names live: a module, a generate block or a function. The first one is the module.
struct Scope {
    std::optional<std::size_t> parent;
    std::vector<Signal> signals;
};

/// An `always` block or a function.
struct Process {
    std::size_t scope = 0;
    bool is_clocked = false;
    Statement body;
};

/// A continuous assignment, or the initial value of a net.
struct Driver {
    std::size_t scope = 0;
    std::size_t item = 0;  ///< where the whole item begins
    Expr target;
    Expr value;
};

/// An expression connected to a port of an instance.
struct Connection {
    std::size_t scope = 0;
    std::size_t item = 0;  ///< where the instance begins
    Expr value;
};

struct Module {
    std::string name;
    std::size_t ports_end = 0;   ///< the parenthesis that closes the port list
    std::size_t body_begin = 0;  ///< behind the semicolon of the header
    std::vector<Scope> scopes;
    std::vector<Process> processes;
    std::vector<Driver> drivers;
    std::vector<Connection> connections;
    std::vector<Span> includes;  ///< file names, with their quotes

    /// The signal a name means in a scope; null for a name of an included header.
    [[nodiscard]] const Signal* find(std::size_t scope, std::string_view wanted) const {
        for (std::optional<std::size_t> at = scope; at; at = scopes[*at].parent)
            for (const Signal& signal : scopes[*at].signals)
                if (signal.name == wanted) return &signal;
        return nullptr;
    }
};

}  // namespace capra::mutation
