#include "mutation/cpp_patch.hpp"

#include "isa/error.hpp"
#include "isa/files.hpp"
#include "isa/json_reader.hpp"
#include "mutation/digest.hpp"
#include "mutation/work_directory.hpp"
#include "sim/process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <sstream>

namespace capra::mutation {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kCompileLimit{300};
constexpr std::chrono::seconds kRunLimit{60};

struct Compilation {
    std::string directory;
    std::string command;  ///< up to the output and the source
    std::string source;   ///< relative to the project
};

/// Commands for files of the project, each file once.
std::vector<Compilation> read_compilations(const PatchToolchain& toolchain) {
    const JsonDocument document =
        parse_strict_json(read_file(toolchain.compile_commands), toolchain.compile_commands);
    const JsonReader list(document);
    const std::string prefix = toolchain.source_dir + "/";
    std::vector<Compilation> result;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const std::string& file = list.at(i).at("file").string();
        const std::string& command = list.at(i).at("command").string();
        const std::size_t output = command.find(" -o ");
        // The judge's tests are compiled a second time, with the schema.
        const bool with_schema = command.find("mutation/cxx_runtime.hpp") != std::string::npos;
        if (!file.starts_with(prefix) || output == std::string::npos || with_schema) continue;
        const std::string source = file.substr(prefix.size());
        if (std::ranges::find(result, source, &Compilation::source) == result.end())
            result.push_back(
                {list.at(i).at("directory").string(), command.substr(0, output), source});
    }
    return result;
}

bool includes(const std::string& path, const std::string& header) {
    return read_file(path).find("#include \"" + header + "\"") != std::string::npos;
}

/// What has to be compiled anew when this file changes: itself, or the files that include it and
/// are part of the tested program.
std::vector<Compilation> affected(const PatchToolchain& toolchain, const std::string& file) {
    constexpr std::array<std::string_view, 5> kRooms = {"isa/", "sim/", "compiler/", "model/",
                                                        "tests/"};
    std::vector<Compilation> result;
    for (const Compilation& compilation : read_compilations(toolchain)) {
        const std::string& source = compilation.source;
        const bool is_tested = std::ranges::any_of(
            kRooms, [&](std::string_view room) { return source.starts_with(room); });
        if (source == file || (is_tested && !file.ends_with(".cpp") &&
                               includes(toolchain.source_dir + "/" + source, file)))
            result.push_back(compilation);
    }
    if (result.empty()) throw Error(fmt::format("{}: nothing that is compiled uses it", file));
    return result;
}

std::string quoted(const std::string& text) {
    std::string result = "'";
    for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
}

/// A directory with the patched file in it, which the compiler looks into first.
class Overlay {
  public:
    explicit Overlay(const std::string& source_dir) : source_dir_(source_dir) {}

    void write(const std::string& file, const std::string& text) const {
        const fs::path path = root() + "/" + file;
        fs::create_directories(path.parent_path());
        write_file(path, text);
    }

    /// Compiles the file as it is here, or as it is in the project; false if the compiler refuses.
    bool compile(const Compilation& compilation, const std::string& flags,
                 const std::string& object) const {
        std::string command = compilation.command;
        command.insert(command.find(" -I"), " -I" + quoted(root()));
        const std::string patched = root() + "/" + compilation.source;
        const std::string source =
            fs::exists(patched) ? patched : source_dir_ + "/" + compilation.source;
        const std::string line =
            fmt::format("cd {} && exec {} {} -o {} -c {}", quoted(compilation.directory), command,
                        flags, quoted(object), quoted(source));
        return sim::run_process({"sh", "-c", line}, {}, kCompileLimit).status == 0;
    }

    [[nodiscard]] const std::string& path() const { return work_.path(); }

  private:
    [[nodiscard]] std::string root() const { return work_.path() + "/source"; }

    WorkDirectory work_;
    std::string source_dir_;
};

/// Objects that replace others come first; the libraries' own members are not pulled in then.
bool link(const PatchToolchain& toolchain, const std::vector<Compilation>& compiled,
          const std::vector<std::string>& objects, const std::string& program) {
    std::vector<std::string> command = {"c++"};
    command.insert(command.end(), objects.begin(), objects.end());
    std::istringstream list(read_file(toolchain.link_list));
    for (std::string item; std::getline(list, item);) {
        const bool replaced = std::ranges::any_of(compiled, [&](const Compilation& c) {
            return item.ends_with("/" + fs::path(c.source).filename().string() + ".o");
        });
        if (!item.empty() && !replaced) command.push_back(item);
    }
    command.insert(command.end(), {"-o", program});
    return sim::run_process(command, {}, kCompileLimit).status == 0;
}

}  // namespace

PatchResult try_cpp_patch(const PatchToolchain& toolchain, const Mutant& mutant,
                          const std::vector<std::string>& tests) {
    const Overlay overlay(toolchain.source_dir);
    overlay.write(mutant.file,
                  apply_mutant(read_file(toolchain.source_dir + "/" + mutant.file), mutant));
    const auto compilations = affected(toolchain, mutant.file);
    std::vector<std::string> objects;
    for (const Compilation& compilation : compilations) {
        objects.push_back(fmt::format("{}/{}.o", overlay.path(), objects.size()));
        // An index out of range ends the program here as it does in the schema.
        if (!overlay.compile(compilation, "-O1 -w -Wno-narrowing -D_GLIBCXX_ASSERTIONS",
                             objects.back()))
            return PatchResult::not_built;
    }
    const std::string program = overlay.path() + "/judge";
    if (!link(toolchain, compilations, objects, program)) return PatchResult::not_built;
    const sim::ProcessResult run = sim::run_process(
        {program, "--mutant", "0", "--tests", fmt::format("{}", fmt::join(tests, ":"))}, {},
        kRunLimit);
    constexpr int kTestsFailed = 1;
    constexpr int kFirstSignal = 128;
    if (run.timed_out || run.status == kTestsFailed || run.status > kFirstSignal)
        return PatchResult::different;
    if (run.status != 0)
        throw Error("the patched tests broke down: " + run.output.substr(0, run.output.find('\n')));
    return PatchResult::equal;
}

bool same_object(const PatchToolchain& toolchain, const Mutant& mutant) {
    const std::string text = read_file(toolchain.source_dir + "/" + mutant.file);
    for (const Compilation& compilation : affected(toolchain, mutant.file)) {
        std::vector<std::string> digests;
        // One directory, so that no path tells them apart.
        const Overlay overlay(toolchain.source_dir);
        for (const std::string& version : {text, apply_mutant(text, mutant)}) {
            overlay.write(mutant.file, version);
            const std::string object = overlay.path() + "/one.o";
            if (!overlay.compile(compilation, "-O2 -w -Wno-narrowing -g0", object)) return false;
            digests.push_back(digest({object}, ""));
        }
        if (digests[0] != digests[1]) return false;
    }
    return true;
}

}  // namespace capra::mutation
