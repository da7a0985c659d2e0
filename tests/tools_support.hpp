// Running the command-line tools in a test.
#pragma once

#include "isa/files.hpp"
#include "sim/process.hpp"
#include "tests/temporary_directory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace capra {

namespace fs = std::filesystem;
using sim::ProcessResult;

class ToolsTest : public testing::Test {
  protected:
    static ProcessResult tool(const std::string& name, std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), std::string(CAPRA_BIN) + "/" + name);
        return sim::run_process(arguments);
    }
    static ProcessResult capra(std::vector<std::string> arguments) {
        return tool("capra", std::move(arguments));
    }

    /// A path in this test's own directory, whose name has a space.
    std::string path(const std::string& name) {
        fs::create_directories(directory_.path() + "/a place");
        return directory_.path() + "/a place/" + name;
    }

    std::string small_program() {
        write_file(path("p.s"),
                   ".memory 8\n.data 0 1 -2 3\n.output y 4 1 3 0.5\n"
                   "LD d=0 n=3 x=0\nVADD d=0 a=0 b=0 n=3\nST a=0 n=3 x=4\nHALT\n");
        EXPECT_EQ(capra({"asm", path("p.s"), "-o", path("p.json")}).status, 0);
        return path("p.json");
    }

    /// Status 2, one line, naming what is wrong.
    static void expect_bad(const ProcessResult& result, const std::string& naming) {
        EXPECT_EQ(result.status, 2) << result.output;
        EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 1) << result.output;
        EXPECT_NE(result.output.find(naming), std::string::npos) << result.output;
    }

  private:
    TemporaryDirectory directory_;
};

}  // namespace capra
