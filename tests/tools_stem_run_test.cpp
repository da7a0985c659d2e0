// stem_run: what it prints and writes, when it fails, and that it refuses bad input.
#include "tests/tools_support.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>

namespace capra {
namespace {

class ToolsStemRun : public ToolsTest {};

TEST_F(ToolsStemRun, refuses_bad_input_in_one_line) {
    expect_bad(tool("stem_run", {"--engine", "fpga"}), "fpga");
    expect_bad(tool("stem_run", {"--decoder", "moe"}), "moe");
    expect_bad(tool("stem_run", {"--steps", "0"}), "1 to 254");
    expect_bad(tool("stem_run", {"--steps", "255"}), "1 to 254");
    expect_bad(tool("stem_run", {"--start", "16"}), "--start");
    expect_bad(tool("stem_run", {"--json", path("no/s.json")}), "no directory");
}

}  // namespace
}  // namespace capra
