// Every exercise fails its starter, passes its solution, and tells at least three typical wrong
// answers what is wrong with each. The answers and the phrase each must be told stand in
// tests/exercises/N-NAME.
#include "isa/files.hpp"
#include "sim/process.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace capra {
namespace {

namespace fs = std::filesystem;

constexpr int kFewestWrongAnswers = 3;

/// Graders break long lines; a phrase is looked for as one line, with single spaces.
std::string one_line(const std::string& text) {
    std::istringstream words(text);
    std::string result;
    for (std::string word; words >> word;) result += (result.empty() ? "" : " ") + word;
    return result;
}

struct Outcome {
    int status;
    std::string output;
    std::string phrase;  ///< what expected.txt says it must hold
};

class Answers : public testing::TestWithParam<std::string> {
  protected:
    static fs::path exercise() { return fs::path(CAPRA_SOURCE) / "exercises" / GetParam(); }
    static fs::path answers() { return fs::path(CAPRA_SOURCE) / "tests/exercises" / GetParam(); }

    /// Every answer there is, by name: the starter, and what lies in the exercise's test folder.
    static std::map<std::string, fs::path> files() {
        std::map<std::string, fs::path> found;
        for (const auto& entry : fs::directory_iterator(answers()))
            if (entry.path().filename() != "expected.txt")
                found[entry.path().stem()] = entry.path();
        for (const auto& entry : fs::directory_iterator(exercise()))
            if (entry.path().stem() == "starter") found["starter"] = entry.path();
        return found;
    }

    /// Lines `NAME: PHRASE`.
    static std::map<std::string, std::string> phrases() {
        std::istringstream lines(read_file(answers() / "expected.txt"));
        std::map<std::string, std::string> result;
        for (std::string line; std::getline(lines, line);) {
            const auto colon = line.find(": ");
            EXPECT_NE(colon, std::string::npos) << line;
            result[line.substr(0, colon)] = one_line(line.substr(colon + 2));
        }
        return result;
    }

    static Outcome grade(const std::string& name, const fs::path& file, const std::string& phrase) {
        const std::string number = GetParam().substr(0, GetParam().find('-'));
        const bool cxx = file.extension() == ".cpp";
        const std::string grader = CAPRA_BIN "/exercise_" + number + (cxx ? "_answers" : "");
        const auto result = sim::run_process({grader, cxx ? name : file.string()});
        return {result.status, one_line(result.output), phrase};
    }

    static std::map<std::string, Outcome> grade_all() {
        const auto expected = phrases();
        std::map<std::string, Outcome> outcomes;
        for (const auto& [name, file] : files()) {
            EXPECT_TRUE(expected.contains(name)) << name << " is not in expected.txt";
            const auto phrase = expected.find(name);
            outcomes[name] = grade(name, file, phrase == expected.end() ? "" : phrase->second);
        }
        for (const auto& [name, phrase] : expected)
            EXPECT_TRUE(outcomes.contains(name)) << "no answer " << name;
        return outcomes;
    }
};

TEST_P(Answers, only_solutions_pass_and_each_answer_is_told_its_own_mistake) {
    const auto outcomes = grade_all();
    ASSERT_TRUE(outcomes.contains("starter"));
    ASSERT_TRUE(outcomes.contains("solution"));
    const auto wrong = std::ranges::count_if(
        outcomes, [](const auto& entry) { return entry.first.starts_with("wrong_"); });
    EXPECT_GE(wrong, kFewestWrongAnswers);
    for (const auto& [name, outcome] : outcomes) {
        EXPECT_EQ(outcome.status, name.starts_with("solution") ? 0 : 1)
            << name << ": " << outcome.output;
        EXPECT_NE(outcome.output.find(outcome.phrase), std::string::npos)
            << name << " is not told \"" << outcome.phrase << "\": " << outcome.output;
    }
    for (const auto& [name, outcome] : outcomes)
        for (const auto& [other, theirs] : outcomes) {
            const bool both_wrong = name.starts_with("wrong_") && other.starts_with("wrong_");
            if (!both_wrong || name == other) continue;
            EXPECT_EQ(outcome.output.find(theirs.phrase), std::string::npos)
                << name << " is told what " << other << " is told: " << outcome.output;
        }
}

/// What `capra grade` asks the build for is there, with a student's answer or without.
TEST_P(Answers, the_build_knows_the_grader_of_the_student) {
    const std::string number = GetParam().substr(0, GetParam().find('-'));
    const auto query = [](const std::string& target) {
        return sim::run_process({"ninja", "-C", CAPRA_BIN "/..", "-t", "query", target});
    };
    EXPECT_EQ(query("exercise_" + number).status, 0) << query("exercise_" + number).output;
    EXPECT_NE(query("exercise_none").status, 0);
}

std::vector<std::string> exercise_folders() {
    std::set<std::string> names;
    for (const char* parent : {CAPRA_SOURCE "/exercises", CAPRA_SOURCE "/tests/exercises"})
        for (const auto& entry : fs::directory_iterator(parent))
            if (entry.is_directory()) names.insert(entry.path().filename());
    return {names.begin(), names.end()};
}

/// 6-nearest-key as exercise_6_nearest_key.
std::string test_name(const testing::TestParamInfo<std::string>& folder) {
    std::string name = "exercise_" + folder.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Exercise, Answers, testing::ValuesIn(exercise_folders()), test_name);

}  // namespace
}  // namespace capra
