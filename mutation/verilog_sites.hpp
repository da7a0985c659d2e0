// Where a module can be mutated: the statements, conditions and values that a schema can hold
// several versions of.
#pragma once

#include "mutation/verilog_operators.hpp"

#include <string>
#include <vector>

namespace capra::mutation {

struct Site {
    enum class Kind : std::uint8_t {
        statement,   ///< a procedural assignment, its semicolon included
        condition,   ///< of an `if`
        driver,      ///< the value of a net
        connection,  ///< an expression at a port of an instance
    };
    Kind kind = Kind::statement;
    Span region;          ///< what a version replaces; the changes lie inside
    Span owner;           ///< condition: the whole `if`; driver, connection: begins the item
    std::string declare;  ///< driver, connection: the shape of a variable that takes the value
    std::vector<Change> changes;
};

/// Every site of a module, in source order, with at least one change. To the operators of
/// expressions come those of statements: statement_deletion. `header` holds the constants the
/// module includes.
std::vector<Site> find_sites(const SourceFile& source, const Module& module,
                             const std::vector<Signal>& header);

}  // namespace capra::mutation
