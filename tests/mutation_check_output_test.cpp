// What the judges of curated mutants say, read from what the real programs write.
#include "isa/error.hpp"
#include "isa/files.hpp"
#include "mutation/check_output.hpp"
#include "mutation/curated.hpp"
#include "sim/process.hpp"
#include "tests/temporary_directory.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace capra::mutation {
namespace {

using Names = std::vector<std::string>;

TEST(CheckOutput, laws_and_replays_are_counted_and_named) {
    const auto output = read_laws(
        R"({"checks": [{"name": "a", "ok": true, "detail": "1"},)"
        R"( {"name": "b", "ok": false, "detail": "2 of 3"}],)"
        R"( "engines": {"model": {"routed": {"status": "diverged", "divergence": "at 5"},)"
        R"( "dense": {"status": "pass"}}}})",
        "x.json");
    EXPECT_EQ(output.held, 2U);
    EXPECT_EQ(output.failed, (Names{"b", "replay_model_routed"}));
    EXPECT_EQ(output.first, "b 2 of 3");
}

TEST(CheckOutput, what_is_no_list_of_laws_is_refused_by_the_name_of_its_file) {
    for (const auto* text : {"", "{}", R"({"checks": [{}], "engines": {}})"}) {
        try {
            read_laws(text, "x.json");
            FAIL() << text;
        } catch (const Error& error) {
            EXPECT_EQ(std::string(error.what()).substr(0, 8), "x.json: ");
        }
    }
}

/// The programs that judge, and what they write today: a law that nobody counts kills nothing.
TEST(CheckOutput, every_law_of_the_programs_that_judge_is_counted) {
    const TemporaryDirectory directory;
    for (const CheckProgram check : kCheckPrograms) {
        if (runs_tests(check)) continue;
        const std::string file = directory.path() + "/laws.json";
        const std::string program = std::string(CAPRA_BIN "/") + std::string(target_of(check));
        const auto result = sim::run_process({program, "--engine", "model", "--json", file});
        ASSERT_EQ(result.status, 0) << result.output;
        const auto laws = read_laws(read_file(file), file);
        EXPECT_EQ(laws.failed, Names{});
        const auto data = nlohmann::json::parse(read_file(file));
        EXPECT_EQ(laws.held, data["checks"].size() + data["engines"]["model"].size()) << program;
        EXPECT_GE(data["checks"].size(), 30U) << program;
    }
}

}  // namespace
}  // namespace capra::mutation
