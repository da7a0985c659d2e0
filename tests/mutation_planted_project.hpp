// A planted project of a few lines that builds in a second and has the two programs that judge the
// chapter's mutants.
#pragma once

#include "isa/files.hpp"

#include <filesystem>
#include <map>
#include <string>

namespace capra::mutation {

using Files = std::map<std::string, std::string>;

/// rule() is checked by both programs, doubled() by the tests only, unseen() by nothing.
inline const Files kPlantedProject = {
    {"CMakeLists.txt",
     "cmake_minimum_required(VERSION 3.25)\n"
     "project(planted LANGUAGES CXX)\n"
     "set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)\n"
     "add_compile_options(-Wall -Wextra -Werror)\n"
     "add_executable(ch17_run rule/rule.cpp laws.cpp)\n"
     "add_executable(capra_model_tests rule/rule.cpp tests.cpp)\n"},
    {"rule/rule.cpp",
     "int rule(int x) {\n    const int five = 5;\n    return five * x + 3;\n}\n"
     "int doubled(int x) { return 2 * x; }\n"
     "int unseen(int x) { return 2 * x; }\n"},
    {"laws.cpp",
     "#include <stdio.h>\n#include <string.h>\nint rule(int);\n"
     "int main(int argc, char** argv) {\n"
     "    const int r = rule(1);\n"
     "    if (r == -1) return fprintf(stderr, \"ch17_run: no rule\\n\"), 2;\n"
     "    if (argc != 5 || strcmp(argv[3], \"--json\") != 0) return 2;\n"
     "    FILE* out = fopen(argv[4], \"w\");\n"
     "    fprintf(out, \"{\\\"checks\\\": [{\\\"name\\\": \\\"rule_of_one\\\", \\\"ok\\\": %s, \"\n"
     "            \"\\\"detail\\\": \\\"%d of 8\\\"}, {\\\"name\\\": \\\"other\\\", \\\"ok\\\": "
     "true, \"\n"
     "            \"\\\"detail\\\": \\\"\\\"}], \\\"engines\\\": {\\\"model\\\": {\\\"routed\\\": "
     "\"\n"
     "            \"{\\\"status\\\": \\\"%s\\\", \\\"divergence\\\": \\\"\\\"}}}}\",\n"
     "            r == 8 ? \"true\" : \"false\", r, r < 9 ? \"pass\" : \"diverged\");\n"
     "    fclose(out);\n"
     "    return r == 8 ? 0 : 1;\n}\n"},
    {"tests.cpp",
     "#include <stdio.h>\n#include <stdlib.h>\nint rule(int);\nint doubled(int);\nint bad = 0;\n"
     "void test(const char* name, int got, int want) {\n"
     "    bad += got != want;\n"
     "    if (got != want) printf(\"%s:%d: Failure\\n\", __FILE__, __LINE__);\n"
     "    printf(\"[  %s ] %s%s (0 ms)\\n\", got == want ? \"     OK\" : \"FAILED \", name,\n"
     "           got == want ? \"\" : \", where GetParam() = 2\");\n}\n"
     "void begin(const char* name) { printf(\"[ RUN      ] %s\\n\", name); fflush(stdout); }\n"
     "int main() {\n    if (getenv(\"GTEST_FILTER\")) return 0;\n"
     "    begin(\"Rule.of_two\"); test(\"Rule.of_two\", rule(2), 13);\n"
     "    begin(\"E/Rule.doubled/2\"); test(\"E/Rule.doubled/2\", doubled(2), 4);\n"
     "    if (bad) printf(\"[  FAILED  ] %d tests, listed below:\\n[  FAILED  ] again\\n\", bad);\n"
     "    return bad ? 1 : 0;\n}\n"}};

inline void plant(const std::string& directory, const Files& files) {
    for (const auto& [name, text] : files) {
        std::filesystem::create_directories(
            (std::filesystem::path(directory) / name).parent_path());
        write_file(directory + "/" + name, text);
    }
}

}  // namespace capra::mutation
