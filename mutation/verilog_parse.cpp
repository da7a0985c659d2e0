#include "mutation/verilog_parse.hpp"

#include "mutation/verilog_statement.hpp"

#include <string>
#include <utility>

namespace capra::mutation {
namespace {

/// `name "(" ... ")"` with whatever balanced tokens inside; not looked at.
void skip_parentheses(TokenCursor& cursor) {
    cursor.expect("(");
    while (!cursor.accept(")")) {
        if (cursor.text() == "(")
            skip_parentheses(cursor);
        else
            cursor.take();
    }
}

/// ["integer"] shape NAME "=" expression {"," NAME "=" expression}, behind its keyword
void parse_constant_list(TokenCursor& cursor, std::vector<Signal>& signals) {
    cursor.accept("integer");
    Signal shape = parse_shape(cursor);
    shape.is_constant = true;
    do {
        signals.push_back(parse_declared_name(cursor, shape));
        cursor.expect("=");
        parse_expression(cursor);
    } while (cursor.accept(",") && cursor.text() != "parameter");
}

/// One module. A scope is named by its index: `scopes` grows while blocks nest.
class ModuleParser {
  public:
    explicit ModuleParser(TokenCursor& cursor) : cursor_(cursor) { module_.scopes.emplace_back(); }

    /// "module" name ["#" "(" parameters ")"] "(" ports ")" ";" {item} "endmodule"
    Module parse() {
        cursor_.expect("module");
        module_.name = word("a module name");
        if (cursor_.accept("#")) {
            cursor_.expect("(");
            while (cursor_.accept("parameter"))
                parse_constant_list(cursor_, module_.scopes[0].signals);
            cursor_.expect(")");
        }
        cursor_.expect("(");
        do parse_port(0);
        while (cursor_.accept(","));
        module_.ports_end = cursor_.begin();
        cursor_.expect(")");
        cursor_.expect(";");
        module_.body_begin = cursor_.end();
        while (!cursor_.accept("endmodule")) parse_item(0);
        return std::move(module_);
    }

  private:
    std::string word(std::string_view role) {
        return std::string(cursor_.source().at(cursor_.expect_word(role).span));
    }

    Scope& scope(std::size_t index) { return module_.scopes[index]; }

    std::size_t open_scope(std::size_t parent) {
        module_.scopes.push_back({.parent = parent, .signals = {}});
        return module_.scopes.size() - 1;
    }

    /// ("input" | "output") ["wire" | "reg"] shape name
    void parse_port(std::size_t in) {
        if (!cursor_.accept("input") && !cursor_.accept("output")) cursor_.fail("a port");
        if (!cursor_.accept("wire")) cursor_.accept("reg");
        const Signal shape = parse_shape(cursor_);
        scope(in).signals.push_back(parse_declared_name(cursor_, shape));
    }

    void parse_item(std::size_t in) {
        if (cursor_.peek().kind == TokenKind::directive) return parse_directive();
        const std::string_view keyword = cursor_.text();
        if (keyword == "wire" || keyword == "reg") return parse_nets(in);
        if (keyword == "localparam") return parse_constants_item(in);
        if (keyword == "genvar") return parse_genvars(in);
        if (keyword == "assign") return parse_assign(in);
        if (keyword == "always") return parse_always(in);
        if (keyword == "function") return parse_function(in);
        if (keyword == "generate") return parse_generate(in);
        if (keyword == "for") return parse_loop(in);
        if (keyword == "if") return parse_condition(in);
        if (cursor_.peek().kind == TokenKind::word &&
            (cursor_.text(1) == "#" || cursor_.text(2) == "("))
            return parse_instance(in);
        cursor_.fail("a module item");
    }

    void parse_directive() {
        if (cursor_.accept("`include")) {
            module_.includes.push_back(cursor_.peek().span);
            if (cursor_.take().kind != TokenKind::string) cursor_.fail("a file name");
        } else if (cursor_.accept("`ASSERT")) {
            skip_parentheses(cursor_);
        } else {
            cursor_.fail("`include or `ASSERT");
        }
    }

    /// ("wire" | "reg") shape name ["=" expression] {"," name ["=" expression]} ";"
    void parse_nets(std::size_t in) {
        const std::size_t item = cursor_.begin();
        const bool is_net = cursor_.take().span.end - item == 4;
        const Signal shape = parse_shape(cursor_);
        do {
            const Span name = cursor_.peek().span;
            scope(in).signals.push_back(parse_declared_name(cursor_, shape));
            if (cursor_.text() != "=") continue;
            if (!is_net) cursor_.fail("no initial value of a register");
            cursor_.take();
            module_.drivers.push_back({.scope = in,
                                       .item = item,
                                       .target = {.kind = Expr::Kind::name, .span = name},
                                       .value = parse_expression(cursor_)});
        } while (cursor_.accept(","));
        cursor_.expect(";");
    }

    void parse_constants_item(std::size_t in) {
        cursor_.expect("localparam");
        parse_constant_list(cursor_, scope(in).signals);
        cursor_.expect(";");
    }

    void parse_genvars(std::size_t in) {
        cursor_.expect("genvar");
        do scope(in).signals.push_back({.name = word("a genvar"), .is_constant = true});
        while (cursor_.accept(","));
        cursor_.expect(";");
    }

    void parse_assign(std::size_t in) {
        Driver driver{.scope = in, .item = cursor_.begin()};
        cursor_.expect("assign");
        driver.target = parse_target(cursor_);
        cursor_.expect("=");
        driver.value = parse_expression(cursor_);
        cursor_.expect(";");
        module_.drivers.push_back(std::move(driver));
    }

    /// "always" "@" ("*" | "(" "*" ")" | "(" "posedge" name ")") statement
    void parse_always(std::size_t in) {
        Process process{.scope = open_scope(in)};
        cursor_.expect("always");
        cursor_.expect("@");
        if (!cursor_.accept("*")) {
            cursor_.expect("(");
            process.is_clocked = !cursor_.accept("*");
            if (process.is_clocked) {
                cursor_.expect("posedge");
                cursor_.expect_word("a clock");
            }
            cursor_.expect(")");
        }
        process.body = parse_statement(cursor_, scope(process.scope));
        module_.processes.push_back(std::move(process));
    }

    /// "function" shape name "(" ports ")" ";" {"reg" ...} statement "endfunction"
    void parse_function(std::size_t in) {
        cursor_.expect("function");
        const Signal shape = parse_shape(cursor_);
        Process process{.scope = open_scope(in)};
        scope(process.scope).signals.push_back(parse_declared_name(cursor_, shape));
        cursor_.expect("(");
        do parse_port(process.scope);
        while (cursor_.accept(","));
        cursor_.expect(")");
        cursor_.expect(";");
        while (cursor_.text() == "reg") parse_nets(process.scope);
        process.body = parse_statement(cursor_, scope(process.scope));
        cursor_.expect("endfunction");
        module_.processes.push_back(std::move(process));
    }

    void parse_generate(std::size_t in) {
        cursor_.expect("generate");
        while (!cursor_.accept("endgenerate")) parse_item(in);
    }

    /// "for" "(" ... ")" block
    void parse_loop(std::size_t in) {
        cursor_.expect("for");
        skip_parentheses(cursor_);
        parse_generate_block(in);
    }

    /// "if" "(" ... ")" block ["else" (block | condition)]
    void parse_condition(std::size_t in) {
        cursor_.expect("if");
        skip_parentheses(cursor_);
        parse_generate_block(in);
        if (!cursor_.accept("else")) return;
        if (cursor_.text() == "if") return parse_condition(in);
        parse_generate_block(in);
    }

    /// "begin" ":" name {item} "end"
    void parse_generate_block(std::size_t in) {
        cursor_.expect("begin");
        cursor_.expect(":");
        cursor_.expect_word("a block name");
        const std::size_t inner = open_scope(in);
        while (!cursor_.accept("end")) parse_item(inner);
    }

    /// module ["#" "(" ... ")"] name "(" "." port "(" [expression] ")" {"," ...} ")" ";"
    void parse_instance(std::size_t in) {
        const std::size_t item = cursor_.begin();
        cursor_.expect_word("a module");
        if (cursor_.accept("#")) skip_parentheses(cursor_);
        cursor_.expect_word("an instance name");
        cursor_.expect("(");
        do {
            cursor_.expect(".");
            cursor_.expect_word("a port");
            cursor_.expect("(");
            if (cursor_.text() != ")")
                module_.connections.push_back({in, item, parse_expression(cursor_)});
            cursor_.expect(")");
        } while (cursor_.accept(","));
        cursor_.expect(")");
        cursor_.expect(";");
    }

    TokenCursor& cursor_;
    Module module_;
};

/// `default_nettype word, or `include of a header of macros.
void parse_top_directive(TokenCursor& cursor) {
    if (cursor.accept("`default_nettype")) {
        cursor.expect_word("a net type");
    } else {
        cursor.expect("`include");
        cursor.take();
    }
}

}  // namespace

std::vector<Module> parse_verilog(const SourceFile& source) {
    std::vector<Module> modules;
    TokenCursor cursor(source);
    while (!cursor.at_end()) {
        if (cursor.peek().kind == TokenKind::directive)
            parse_top_directive(cursor);
        else
            modules.push_back(ModuleParser(cursor).parse());
    }
    return modules;
}

std::vector<Signal> parse_constants(const SourceFile& source) {
    std::vector<Signal> constants;
    TokenCursor cursor(source);
    while (!cursor.at_end()) {
        cursor.expect("localparam");
        parse_constant_list(cursor, constants);
        cursor.expect(";");
    }
    return constants;
}

}  // namespace capra::mutation
