// C++ mutants as real patches: compiled beside the project, linked ahead of it, judged.
#include "isa/error.hpp"
#include "isa/files.hpp"
#include "mutation/cpp_patch.hpp"
#include "sim/process.hpp"
#include "tests/mutation_planted_project.hpp"
#include "tests/temporary_directory.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace capra::mutation {
namespace {

/// A library of one file and a header, and a judge that fails a test named "five" or "header".
const Files kPatched = {
    {"sim/rule.cpp", "int five() {\n    const int x = 4;\n    return 1 + x;\n}\n"},
    {"sim/twice.hpp", "inline int twice(int x) { return 2 * x; }\n"},
    {"sim/caller.cpp", "#include \"sim/twice.hpp\"\nint four() { return twice(2); }\n"},
    {"judge.cpp",
     "#include <string>\nint five();\nint four();\n"
     "int main(int, char** argv) {\n    const std::string tests = argv[4];\n"
     "    if (tests.find(\"five\") != std::string::npos && five() != 5) return 1;\n"
     "    if (tests.find(\"header\") != std::string::npos && four() != 4) return 1;\n"
     "    return std::string(argv[1]) == \"--mutant\" ? 0 : 2;\n}\n"}};

class CppPatch : public testing::Test {
  protected:
    void SetUp() override {
        plant(project.path(), kPatched);
        std::string objects;
        for (const auto* name : {"judge.cpp", "sim/rule.cpp", "sim/caller.cpp"}) {
            const std::string object = file(name) + ".o";
            sim::run_process({"c++", "-I" + project.path(), "-o", object, "-c", file(name)});
            objects += object + "\n";
        }
        plant(project.path(),
              {{"build/compile_commands.json", commands()}, {"build/link.txt", objects}});
    }
    [[nodiscard]] std::string file(const std::string& name) const {
        return project.path() + "/" + name;
    }
    [[nodiscard]] std::string commands() const {
        std::string list;
        for (const auto* source : {"sim/rule.cpp", "sim/caller.cpp"})
            list += fmt::format(R"({}{{"directory": "{}", "command": "c++ -I{} -o x.o -c {}",)"
                                R"( "file": "{}"}})",
                                list.empty() ? "" : ",\n", project.path(), project.path(),
                                file(source), file(source));
        return "[" + list + "]";
    }
    [[nodiscard]] PatchToolchain toolchain() const {
        return {project.path(), file("build/compile_commands.json"), file("build/link.txt")};
    }
    [[nodiscard]] Mutant mutant(const std::string& name, const std::string& original,
                                const std::string& replacement) const {
        const std::size_t begin = kPatched.at(name).find(original);
        return {.id = "m",
                .file = name,
                .begin = begin,
                .end = begin + original.size(),
                .original = original,
                .replacement = replacement};
    }
    TemporaryDirectory project;
};

TEST_F(CppPatch, the_tests_named_are_the_judge) {
    const Mutant seen = mutant("sim/rule.cpp", "1 + x", "2 + x");
    EXPECT_EQ(try_cpp_patch(toolchain(), seen, {"five", "header"}), PatchResult::different);
    EXPECT_EQ(try_cpp_patch(toolchain(), seen, {"header"}), PatchResult::equal);
    EXPECT_EQ(try_cpp_patch(toolchain(), mutant("sim/rule.cpp", "1 + x", "x + 1"), {"five"}),
              PatchResult::equal);
    EXPECT_EQ(read_file(file("sim/rule.cpp")), kPatched.at("sim/rule.cpp")) << "only read";
}

TEST_F(CppPatch, what_the_compiler_refuses_is_not_built) {
    EXPECT_EQ(try_cpp_patch(toolchain(), mutant("sim/rule.cpp", "1 + x", "1 + y"), {"five"}),
              PatchResult::not_built);
}

TEST_F(CppPatch, a_header_is_seen_by_those_that_include_it) {
    EXPECT_EQ(try_cpp_patch(toolchain(), mutant("sim/twice.hpp", "2 * x", "3 * x"), {"header"}),
              PatchResult::different);
}

TEST_F(CppPatch, a_patch_that_does_not_fit_is_an_error) {
    Mutant stale = mutant("sim/rule.cpp", "1 + x", "2 + x");
    stale.original = "3 + x";
    EXPECT_THROW(try_cpp_patch(toolchain(), stale, {"five"}), Error);
}

TEST_F(CppPatch, equal_objects_prove_two_texts_equal) {
    EXPECT_TRUE(same_object(toolchain(), mutant("sim/rule.cpp", "1 + x", "x + 1")));
    EXPECT_FALSE(same_object(toolchain(), mutant("sim/rule.cpp", "1 + x", "2 + x")));
    EXPECT_TRUE(same_object(toolchain(), mutant("sim/twice.hpp", "2 * x", "x * 2")));
    EXPECT_FALSE(same_object(toolchain(), mutant("sim/rule.cpp", "1 + x", "1 + y")))
        << "what does not compile is equal to nothing";
}

}  // namespace
}  // namespace capra::mutation
