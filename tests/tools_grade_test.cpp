// capra grade, on a course of one exercise whose grader is a shell script.
#include "tests/tools_support.hpp"

namespace capra {
namespace {

class Grade : public ToolsTest {
  protected:
    void SetUp() override {
        make_exercise("3-three", "# Exercise 3: Counting to three\n\nCount.\n");
        write_file(folder("3-three") + "/starter.s", "one\n");
        fs::create_directories(path("build/bin"));
        build_with("COMMAND true");
        grader_is("echo PASSED: fine");
    }

    std::string folder(const std::string& name) { return path("exercises/" + name); }
    std::string answer() { return folder("3-three") + "/answer.s"; }

    void make_exercise(const std::string& name, const std::string& sheet) {
        fs::create_directories(folder(name));
        write_file(folder(name) + "/README.md", sheet);
    }

    /// Building exercise_3 runs this command.
    void build_with(const std::string& command) {
        fs::create_directories(path("source"));
        write_file(path("source/CMakeLists.txt"),
                   "cmake_minimum_required(VERSION 3.25)\nproject(course LANGUAGES NONE)\n"
                   "add_custom_target(exercise_3 " +
                       command + " VERBATIM)\n");
        const auto result = sim::run_process(
            {CAPRA_CMAKE, "-G", "Ninja", "-S", path("source"), "-B", path("build")});
        ASSERT_EQ(result.status, 0) << result.output;
    }

    void grader_is(const std::string& script) {
        const std::string file = path("build/bin/exercise_3");
        write_file(file, "#!/bin/sh\n" + script + "\n");
        fs::permissions(file, fs::perms::owner_all);
    }

    ProcessResult grade(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(),
                         {"grade", "--exercises", path("exercises"), "--build", path("build")});
        return capra(arguments);
    }

    void expect_told(int status, const std::string& what) {
        const auto result = grade({"3"});
        EXPECT_EQ(result.status, status) << result.output;
        EXPECT_NE(result.output.find(what), std::string::npos) << result.output;
    }
};

TEST_F(Grade, the_grader_is_given_the_answer_and_decides) {
    grader_is("grep -q two \"$1\" && echo PASSED: two || { echo 'NOT PASSED: no two'; exit 1; }");
    expect_told(1, "NOT PASSED: no two\n");
    write_file(answer(), "two\n");
    expect_told(0, "PASSED: two\n");
}

TEST_F(Grade, an_answer_that_ends_the_grader_has_not_passed) {
    grader_is("exit 0");
    expect_told(1, "NOT PASSED: Your answer ended the whole grader");
    grader_is("exit 7");
    expect_told(1, "NOT PASSED: Your answer ended the whole grader");
    grader_is("echo PASSED: here; exit 1");
    expect_told(1, "PASSED: here");
}

TEST_F(Grade, trouble_of_the_build_is_not_blamed_on_the_answer) {
    build_with("COMMAND sh -c \"echo 'ld: error: disk is full'; exit 1\"");
    expect_told(2, "no fault of the answer: ld: error: disk is full\n");
    build_with("COMMAND sh -c \"exit 1\"");
    expect_told(2, "no fault of the answer");
    build_with(
        "COMMAND sh -c \"echo 'undefined reference to `capra::exercise::answer()'; exit 1\"");
    expect_told(1, "does not define the function `answer` of exercise.hpp");
}

TEST_F(Grade, a_grader_that_has_to_be_built_first_is_announced) {
    EXPECT_EQ(grade({"3"}).output.find("building the grader"), std::string::npos);
    fs::remove(path("build/bin/exercise_3"));
    EXPECT_NE(grade({"3"}).output.find("building the grader"), std::string::npos);
}

TEST_F(Grade, the_answer_is_the_starter_at_first_and_the_students_from_then_on) {
    expect_told(0, "answer.s is yours to edit");
    EXPECT_EQ(read_file(answer()), "one\n");
    write_file(answer(), "mine\n");
    expect_told(0, "fine");
    EXPECT_EQ(read_file(answer()), "mine\n");
    EXPECT_EQ(read_file(folder("3-three") + "/starter.s"), "one\n");
}

TEST_F(Grade, the_list_tells_what_is_begun_and_what_passed_as_it_stands) {
    const auto expect_state = [&](const std::string& state) {
        const auto result = grade({});
        EXPECT_EQ(result.status, 0);
        EXPECT_NE(result.output.find("3  " + state), std::string::npos) << result.output;
        EXPECT_NE(result.output.find("Counting to three"), std::string::npos) << result.output;
    };
    expect_state("not begun");
    grader_is("exit 1");
    grade({"3"});
    expect_state("begun");
    grader_is("echo PASSED: now");
    grade({"3"});
    expect_state("passed");
    write_file(answer(), "something else\n");
    expect_state("begun");
}

TEST_F(Grade, what_the_compiler_says_is_shown_without_the_build_tools_own_lines) {
    build_with(
        "COMMAND sh -c \"echo '../exercises/3-three/answer.s:3: error: no such thing'; exit 1\"");
    grader_is("echo ran");
    const auto result = grade({"3"});
    EXPECT_EQ(result.status, 1);
    EXPECT_NE(
        result.output.find("\n" + answer() + ":3: error: no such thing\nNOT PASSED: " + answer()),
        std::string::npos)
        << result.output;
    for (const char* unwanted : {"ran\n", "FAILED: ", "ninja", "exit 1", "[1/1]"})
        EXPECT_EQ(result.output.find(unwanted), std::string::npos) << result.output;
}

TEST_F(Grade, the_compilers_path_of_the_answer_is_one_from_here) {
    build_with("COMMAND sh -c \"echo '../exercises/3-three/answer.s:3: error'; exit 1\"");
    expect_told(1, "\n" + answer() + ":3: error\n");
}

TEST_F(Grade, an_answer_that_does_not_end_or_crashes_is_told_so) {
    grader_is("kill -XCPU $$");
    expect_told(1, "NOT PASSED: Your answer did not end");
    grader_is("kill -ALRM $$");
    expect_told(1, "NOT PASSED: Your answer did not end");
    grader_is("kill -SEGV $$");
    expect_told(1, "NOT PASSED: Your answer crashed (Segmentation fault)");
}

TEST_F(Grade, an_answer_may_print_2000_lines_and_not_one_more) {
    grader_is("seq 1999; echo PASSED: long");
    expect_told(0, "\n1999\nPASSED: long\n");
    grader_is("seq 2001");
    expect_told(1, "NOT PASSED: Your answer printed 2000 lines and went on");
}

TEST_F(Grade, a_request_that_cannot_be_met_is_one_line) {
    expect_bad(grade({"4"}), "no exercise 4; there are: 3");
    expect_bad(capra({"grade", "--exercises", path("nowhere")}), "nowhere: No such file");
    fs::create_directories(folder("notes"));
    fs::create_directories(folder("4four"));
    write_file(path("exercises/5-notes"), "");
    EXPECT_EQ(grade({}).status, 0);
    make_exercise("5-five", "# Five\n");
    expect_bad(grade({}), "5-five/README.md: line 1: expected \"# Exercise 5: TITLE\"");
    make_exercise("5-five", "# Exercise 5: Five\n");
    expect_bad(grade({}), "5-five: expected one starter, found 0");
    write_file(folder("5-five") + "/starter.s", "");
    write_file(folder("5-five") + "/starter.cpp", "");
    expect_bad(grade({}), "5-five: expected one starter, found 2");
}

TEST_F(Grade, exercises_are_listed_by_number) {
    for (const unsigned number : {20U, 100U, 7U, 12U, 1U}) {
        const std::string name = std::to_string(number) + "-more";
        make_exercise(name, "# Exercise " + std::to_string(number) + ": More\n");
        write_file(folder(name) + "/starter.cpp", "");
    }
    const std::string output = grade({}).output;
    std::size_t last = 0;
    for (const char* name :
         {"/1-more/", "/3-three/", "/7-more/", "/12-more/", "/20-more/", "/100-more/"}) {
        const std::size_t at = output.find(name);
        ASSERT_NE(at, std::string::npos) << name;
        EXPECT_LT(last, at) << output;
        last = at;
    }
}

}  // namespace
}  // namespace capra
