// Whether what a page names is there: files, tools, subcommands, functions, make targets, anchors.
#pragma once

#include "isa/files.hpp"
#include "sim/process.hpp"
#include "tests/docs_markdown.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace capra {

/// What a project holds, read once.
class ProjectNames {
  public:
    ProjectNames(std::string source, std::string binaries)
        : source_(std::move(source)), binaries_(std::move(binaries)) {
        namespace fs = std::filesystem;
        for (const char* room : {"isa", "sim", "compiler", "model", "mutation", "rtl", "tb",
                                 "tools", "scripts", "docs", "examples"}) {
            if (!fs::exists(source_ + "/" + room)) continue;
            for (const auto& entry : fs::recursive_directory_iterator(source_ + "/" + room))
                if (entry.is_regular_file()) add(entry.path());
        }
    }

    /// True for a file by its name or path, a tool, `capra SUBCOMMAND`, and whatever the C++ or
    /// Verilog code defines by that name: a function, a type, a module.
    [[nodiscard]] bool names_something(const std::string& name) const {
        return has_file(name) || is_tool(name) || is_subcommand(name) || is_defined(name);
    }

    [[nodiscard]] bool is_tool(const std::string& name) const {
        return std::filesystem::exists(source_ + "/tools/" + name + "/main.cpp") ||
               std::filesystem::exists(source_ + "/tools/" + name + ".cpp");
    }

    [[nodiscard]] bool is_subcommand(const std::string& name) const {
        std::istringstream words(name);
        std::string tool, command, more;
        words >> tool >> command;
        if (command.empty() || words >> more || !is_tool(tool)) return false;
        // Its own --help would print the tool's for a subcommand that is not there.
        const std::string help = sim::run_process({binaries_ + "/" + tool, "--help"}).output;
        return help.find("\n  " + command + " ", help.find("Subcommands:")) != std::string::npos;
    }

    [[nodiscard]] bool is_make_target(const std::string& name) const {
        const std::string makefile = "\n" + read_file(source_ + "/Makefile");
        return makefile.find("\n" + name + ":") != std::string::npos;
    }

    /// True if the command line of an `sh` block starts something that is there.
    [[nodiscard]] bool can_start(const std::string& line) const {
        std::istringstream words(line);
        std::string program, argument;
        words >> program >> argument;
        if (program == "make") return is_make_target(argument);
        if (program.starts_with("build/bin/")) {
            const std::string tool = program.substr(10);
            return tool == "capra" ? is_subcommand(tool + " " + argument) : is_tool(tool);
        }
        return program.starts_with("scripts/") && has_file(program);
    }

  private:
    void add(const std::filesystem::path& path) {
        files_ += path.lexically_relative(source_).string() + "\n";
        const std::string type = path.extension().string();
        if (type == ".cpp" || type == ".hpp" || type == ".v") code_ += read_file(path.string());
    }

    [[nodiscard]] bool has_file(const std::string& name) const {
        return ("\n" + files_).find("\n" + name + "\n") != std::string::npos ||
               files_.find("/" + name + "\n") != std::string::npos;
    }

    /// `name(` after a type or a `::`, `class name`, `struct name`, `module name`.
    [[nodiscard]] bool is_defined(const std::string& name) const {
        static const std::regex identifier("[A-Za-z_][A-Za-z0-9_]*");
        if (!std::regex_match(name, identifier)) return false;
        for (std::size_t at = code_.find(name); at != std::string::npos;
             at = code_.find(name, at + 1)) {
            const std::size_t line = code_.rfind('\n', at) + 1;
            const std::string before = code_.substr(line, at - line);
            const std::string after = code_.substr(at + name.size(), 1);
            if (before.ends_with("class ") || before.ends_with("struct ") || before == "module ")
                return after.find_first_of(" ;{\n") == 0;
            // `return f(` and its like are calls, whatever else stands before a name is a type.
            static const std::regex type(
                " *(?!return|else|throw|new)[A-Za-z][A-Za-z0-9_:<>, ]*[ &*](\\w+::)*");
            if (after == "(" && std::regex_match(before, type)) return true;
        }
        return false;
    }

    std::string source_;
    std::string binaries_;
    std::string files_;
    std::string code_;
};

/// Links of a page, whose file is `path`, that lead nowhere: one message each.
inline std::vector<std::string> dead_links(const std::string& path, const Page& page) {
    namespace fs = std::filesystem;
    std::vector<std::string> dead;
    for (const Link& link : page.links) {
        if (link.target.find("://") != std::string::npos) continue;
        const std::size_t hash = link.target.find('#');
        const std::string file = link.target.substr(0, hash);
        const fs::path to = file.empty() ? fs::path(path) : fs::path(path).parent_path() / file;
        bool alive = fs::exists(to);
        if (alive && hash != std::string::npos)
            alive =
                parse_page(read_file(to.string())).anchors().contains(link.target.substr(hash + 1));
        if (!alive) dead.push_back(fmt::format("{}:{}: no {}", path, link.line, link.target));
    }
    return dead;
}

}  // namespace capra
