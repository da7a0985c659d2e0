// Whether what a page names is there: files, tools, subcommands, functions, make targets, anchors.
#pragma once

#include "isa/files.hpp"
#include "sim/process.hpp"
#include "tests/docs_markdown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
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
        for (const char* room : {"isa", "sim", "compiler", "model", "stem", "mutation", "rtl", "tb",
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

    /// `class name`, `struct name`, `module name`, or `name(` behind a type.
    [[nodiscard]] bool is_defined(const std::string& name) const {
        if (name.empty() || !is_word(name)) return false;
        for (std::size_t at = code_.find(name); at != std::string::npos;
             at = code_.find(name, at + 1)) {
            const std::size_t line = code_.rfind('\n', at) + 1;
            const std::string before = code_.substr(line, at - line);
            const char after = code_[std::min(at + name.size(), code_.size() - 1)];
            const bool type =
                before.ends_with("class ") || before.ends_with("struct ") || before == "module ";
            if (type && std::string(" ;{\n").find(after) != std::string::npos) return true;
            if (after == '(' && declares(before)) return true;
        }
        return false;
    }

    static bool is_word(const std::string& text) {
        return std::ranges::all_of(text,
                                   [](unsigned char c) { return std::isalnum(c) || c == '_'; });
    }

    /// True if a line that begins like this goes on with the name of a function: a type, then
    /// perhaps the class. `return f(` and its like are calls.
    static bool declares(std::string before) {
        before.erase(0, before.find_first_not_of(' '));
        const std::size_t type = before.find_last_of(" &*");
        if (type == std::string::npos) return false;
        const std::string scope = before.substr(type + 1);
        if (!scope.empty() &&
            (!scope.ends_with("::") || !is_word(scope.substr(0, scope.size() - 2))))
            return false;
        const std::string first = before.substr(0, before.find(' '));
        for (const char* no_type : {"return", "else", "throw", "new"})
            if (first == no_type) return false;
        return std::ranges::all_of(before, [](unsigned char c) {
            return std::isalnum(c) ||
                   std::string("_:<>, &*[]").find(static_cast<char>(c)) != std::string::npos;
        });
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
