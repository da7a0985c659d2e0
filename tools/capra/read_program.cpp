#include "tools/capra/read_program.hpp"

#include "isa/assembler.hpp"
#include "isa/error.hpp"
#include "isa/files.hpp"
#include "isa/program_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace capra::tools {
namespace {

/// Text with a mistake in it is known by its name alone.
bool is_assembler_text(const std::string& text, const std::string& path) {
    if (path.ends_with(".s")) return true;
    try {
        return !isa::assemble(text, path).code.empty();
    } catch (const Error&) {
        return false;
    }
}

bool is_graph(const std::string& text) {
    constexpr bool kThrow = false;
    const auto json = nlohmann::json::parse(text, nullptr, kThrow);
    return json.is_object() && json.contains("nodes") && !json.contains("format");
}

}  // namespace

isa::Program read_program(const std::string& path) {
    const std::string text = read_file(path);
    try {
        return isa::program_from_json(text, path);
    } catch (const Error&) {
        constexpr auto kAdvice =
            "{}: this is {}, not a program: make one of it with `capra {} {} -o PROG`";
        if (is_graph(text)) throw Error(fmt::format(kAdvice, path, "a graph", "compile", path));
        if (is_assembler_text(text, path))
            throw Error(fmt::format(kAdvice, path, "assembler text", "asm", path));
        throw;
    }
}

}  // namespace capra::tools
