// The procedural half of the parser: declarations of variables, and statements.
#pragma once

#include "mutation/verilog_expression.hpp"
#include "mutation/verilog_syntax.hpp"

namespace capra::mutation {

/// ["signed"] ["[" msb ":" lsb "]"], as a signal without a name.
Signal parse_shape(TokenCursor& cursor);

/// name ["[" bounds "]"] of the given shape; the bounds make it a memory.
Signal parse_declared_name(TokenCursor& cursor, Signal shape);

/// One statement; variables that its blocks declare go to `scope`.
Statement parse_statement(TokenCursor& cursor, Scope& scope);

}  // namespace capra::mutation
