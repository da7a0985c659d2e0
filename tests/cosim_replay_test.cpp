// The replay bench in both simulators: it passes what is right, and a file that is not whole, or a
// result that is not expected, is never a pass.
#include "sim/replay_file.hpp"

#include "isa/files.hpp"
#include "sim/process.hpp"
#include "tests/sim_support.hpp"
#include "tests/temporary_directory.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <sstream>

namespace capra::sim {
namespace {

using isa::Opcode;

class EachReplayBench : public testing::TestWithParam<const char*> {
  protected:
    /// Runs the bench of this simulator on a replay file of this text.
    ProcessResult run(const std::string& text) {
        path_ = directory_.path() + "/replay file.hex";
        write_file(path_, text);
        return run_file(path_);
    }

    static ProcessResult run_file(const std::string& path) {
        const std::string bench = std::string(CAPRA_BENCHES) + "/replay_tb";
        std::vector<std::string> command = {bench + "/Vreplay_tb"};
        if (std::string(GetParam()) == "icarus") command = {"vvp", "-n", bench + ".vvp"};
        command.push_back("+replay=" + path);
        return run_process(command);
    }

  private:
    TemporaryDirectory directory_;
    std::string path_;
};
INSTANTIATE_TEST_SUITE_P(Cosim, EachReplayBench, testing::Values("icarus", "verilator"),
                         [](const auto& name) { return std::string(name.param); });

const isa::Program kProgram = program_of({{.op = Opcode::ld, .d = 5, .x = 0, .n = 3},
                                          {.op = Opcode::vadd, .d = 5, .a = 5, .b = 5, .n = 3},
                                          {.op = Opcode::st, .a = 5, .x = 3, .n = 3},
                                          {.op = Opcode::halt}},
                                         8);
const std::vector<std::int32_t> kImage = {-7, 8, 100};

std::string good() {
    const Job job{&kProgram, kImage};
    return make_replay(isa::reference_target(64), {&job, 1}, {.check = true});
}

std::vector<std::string> tokens_of(const std::string& text) {
    std::istringstream in(text);
    return {std::istream_iterator<std::string>(in), {}};
}

std::string joined(const std::vector<std::string>& tokens) {
    std::string text;
    for (const std::string& token : tokens) text += token + "\n";
    return text;
}

/// The output and status of a run that must have refused its file.
void expect_refused(const ProcessResult& result, const std::string& what) {
    EXPECT_NE(result.status, 0) << what << "\n" << result.output;
    EXPECT_NE(result.output.find("REPLAY ERROR"), std::string::npos) << what << result.output;
    EXPECT_EQ(result.output.find("PASS"), std::string::npos) << what;
}

TEST_P(EachReplayBench, a_correct_file_passes) {
    const ProcessResult result = run(good());
    EXPECT_EQ(result.status, 0) << result.output;
    EXPECT_NE(result.output.find("PASS programs=1 "), std::string::npos) << result.output;
}

TEST_P(EachReplayBench, a_missing_file_is_refused) {
    expect_refused(run_file("/nonexistent/replay.hex"), "missing");
}

TEST_P(EachReplayBench, a_truncated_file_is_refused_wherever_it_ends) {
    const auto tokens = tokens_of(good());
    for (std::size_t keep = 0; keep < tokens.size(); keep += 7) {
        const std::vector<std::string> cut(tokens.begin(),
                                           tokens.begin() + static_cast<std::ptrdiff_t>(keep));
        expect_refused(run(joined(cut)), "cut at token " + std::to_string(keep));
    }
}

TEST_P(EachReplayBench, an_over_long_or_garbled_file_is_refused) {
    expect_refused(run(good() + "00000000\n"), "a token too many");
    auto tokens = tokens_of(good());
    tokens[0] = "43415053";
    expect_refused(run(joined(tokens)), "wrong magic");
    tokens = tokens_of(good());
    tokens[1] = "00000002";
    expect_refused(run(joined(tokens)), "wrong version");
    tokens = tokens_of(good());
    tokens.insert(tokens.begin() + 20, "00000000");
    EXPECT_NE(run(joined(tokens)).status, 0) << "a token slipped in";
    tokens = tokens_of(good());
    tokens[7] = "00000401";
    expect_refused(run(joined(tokens)), "more code than the program memory holds");
    tokens = tokens_of(good());
    tokens[10] = "0000gg00";
    expect_refused(run(joined(tokens)), "not hexadecimal");
}

/// Position of the first retire record: header 6, marker and lengths 3, code 4*4, image 3, count 1.
constexpr std::size_t kFirstRetire = 6 + 3 + 16 + 3 + 1;

TEST_P(EachReplayBench, every_expected_value_is_really_compared) {
    // Of the first record: pc, cycle, unit, then (behind space, base, rows, cols, stride) values.
    // Of the end: every token from the state to the last memory word.
    const auto right = tokens_of(good());
    std::vector<std::size_t> places = {kFirstRetire, kFirstRetire + 1, kFirstRetire + 2};
    for (std::size_t value = 0; value < 3; ++value) places.push_back(kFirstRetire + 8 + value);
    // Trailer 2, memory 8, its length 1, counters 10, state code pc.
    const std::size_t end = right.size() - 2;
    for (std::size_t back = 1; back <= 8; ++back) places.push_back(end - back);
    for (std::size_t back = 10; back <= 22; ++back) places.push_back(end - back);
    for (const std::size_t place : places) {
        auto tokens = right;
        char& digit = tokens[place].back();
        digit = digit == '0' ? '1' : '0';
        const ProcessResult result = run(joined(tokens));
        EXPECT_NE(result.status, 0) << "token " << place;
        EXPECT_NE(result.output.find("DIVERGE program=0"), std::string::npos)
            << "token " << place << "\n"
            << result.output;
    }
}

/// The file with `count` tokens less from `at` on, and the right number of them in its trailer.
std::vector<std::string> without(std::vector<std::string> tokens, std::size_t at,
                                 std::size_t count) {
    const auto begin = tokens.begin() + static_cast<std::ptrdiff_t>(at);
    tokens.erase(begin, begin + static_cast<std::ptrdiff_t>(count));
    char text[9];
    std::snprintf(text, sizeof text, "%08zx", tokens.size() - 2);
    tokens.back() = text;
    return tokens;
}

/// A write that no instruction of the file accounts for.
TEST_P(EachReplayBench, a_stray_write_is_seen_at_the_end_of_its_program) {
    // VADD is said to write two cells of the three it does.
    constexpr std::size_t kVadd = kFirstRetire + 8 + 3;
    auto tokens = tokens_of(good());
    tokens[kVadd + 6] = "00000002";
    std::string output = run(joined(without(tokens, kVadd + 8 + 2, 1))).output;
    EXPECT_NE(output.find("what=spad element=7 expected=100 got=127\n"), std::string::npos)
        << output;

    // ST is said to write nothing, and the words it does write are not asked for.
    constexpr std::size_t kSt = kVadd + 8 + 3;
    tokens = tokens_of(good());
    tokens[kSt + 5] = "00000000";
    const std::size_t words = tokens.size() - 2 - 8;
    tokens[words - 1] = "00000003";
    output = run(joined(without(without(tokens, words + 3, 5), kSt + 8, 3))).output;
    EXPECT_NE(output.find("what=memory element=3 expected=0 got=-14\n"), std::string::npos)
        << output;
}

TEST_P(EachReplayBench, the_first_difference_is_named_completely) {
    auto tokens = tokens_of(good());
    tokens[kFirstRetire + 8 + 1] = "00000009";
    const std::string output = run(joined(tokens)).output;
    EXPECT_NE(output.find("DIVERGE program=0 index=0 pc=0 cycle=14 what=spad element=6 "
                          "expected=9 got=8\n"),
              std::string::npos)
        << output;
}

}  // namespace
}  // namespace capra::sim
