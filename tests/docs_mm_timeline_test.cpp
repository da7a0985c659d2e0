// mm_timeline against what rtl/mm_unit.v says of itself, and the picture in docs/ against it.
#include "isa/target.hpp"
#include "tests/tools_support.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sstream>

namespace capra {
namespace {

class DocsMatrixTimeline : public ToolsTest {
  protected:
    /// The waveform of a program that is an example's text or its own.
    std::string waveform_of(const std::string& text) {
        write_file(path("p.s"), text);
        EXPECT_EQ(capra({"asm", path("p.s"), "-o", path("p.json")}).status, 0);
        EXPECT_EQ(capra({"run", path("p.json"), "--write-replay", path("p.hex")}).status, 0);
        const ProcessResult replayed =
            sim::run_process({"vvp", "-n", CAPRA_BENCHES "/replay_tb.vvp",
                              "+replay=" + path("p.hex"), "+wave=" + path("p.vcd")});
        EXPECT_EQ(replayed.status, 0) << replayed.output;
        return path("p.vcd");
    }
    std::string waveform_of_example(const std::string& name) {
        return waveform_of(read_file(CAPRA_SOURCE "/examples/" + name));
    }

    static std::string timeline(std::vector<std::string> arguments) {
        const ProcessResult result = tool("mm_timeline", std::move(arguments));
        EXPECT_EQ(result.status, 0) << result.output;
        return result.output;
    }
};

std::string mm_program(const std::vector<isa::Instruction>& tiles) {
    std::string text = ".memory 200\nLD d=0 n=200 x=0\n";
    for (const isa::Instruction& mm : tiles)
        text += fmt::format("MM d=0 a=0 b=0 m={} k={} n={} sa={} sb={} sd={}\n", mm.m, mm.k, mm.n,
                            mm.sa, mm.sb, mm.sd);
    return text + "HALT\n";
}

isa::Instruction tile(std::uint32_t m, std::uint32_t k, std::uint32_t n) {
    return {.op = isa::Opcode::mm, .m = m, .k = k, .n = n, .sa = k, .sb = n, .sd = n};
}

TEST_F(DocsMatrixTimeline, phases_have_the_lengths_of_mm_unit_and_the_sum_of_the_manual) {
    std::vector<isa::Instruction> tiles;
    for (const std::uint32_t k : {1U, 2U, 16U, 33U})
        for (const std::uint32_t m : {1U, 2U, 4U})
            for (const std::uint32_t n : {1U, 3U, 4U}) tiles.push_back(tile(m, k, n));
    std::istringstream lines(timeline({waveform_of(mm_program(tiles))}));
    std::string line;
    std::getline(lines, line);
    EXPECT_EQ(line, "  m   k   n  SETUP  LOAD  RUN  DRAIN  cycles");
    const isa::Target target = isa::reference_target();
    for (const isa::Instruction& mm : tiles) {
        std::uint32_t m{}, k{}, n{}, setup{}, load{}, run{}, drain{}, cycles{};
        lines >> m >> k >> n >> setup >> load >> run >> drain >> cycles;
        EXPECT_EQ(m, mm.m);
        EXPECT_EQ(k, mm.k);
        EXPECT_EQ(n, mm.n);
        EXPECT_EQ(setup, 1U);
        EXPECT_EQ(load, k * m + k * n + 2);
        EXPECT_EQ(run, k + m + n + 1);
        EXPECT_EQ(drain, m * n + 1);
        EXPECT_EQ(cycles, target.unit_cycles(mm));
    }
    EXPECT_FALSE(lines >> line);
}

// Worked out by hand: A is two bytes, then B's two rows of two; a word is written two cycles after
// its last byte was asked for. RUN: a word read, then in the skew registers, then in the PEs.
TEST_F(DocsMatrixTimeline, draws_each_cycle_of_the_first_product) {
    const std::string vcd = waveform_of(mm_program({tile(1, 2, 2), tile(1, 1, 1)}));
    EXPECT_EQ(timeline({vcd, "--picture"}),
              "cycle                    1\n"
              "                123456789012345678\n"
              "phase           SLLLLLLLLRRRRRRDDD\n"
              "read A          .##...............\n"
              "read B          ...####...........\n"
              "write tile      ...##.#.#.........\n"
              "read tile       .........##.......\n"
              "enter array     ..........##......\n"
              "add products    ............###...\n"
              "leave array     ...............##.\n"
              "write result    ................##\n");
}

TEST_F(DocsMatrixTimeline, shows_the_wavefront_cross_the_array) {
    EXPECT_EQ(timeline({waveform_of(mm_program({tile(2, 2, 3)})), "--array"}),
              "cycle  1     2     3     4     5     6     7     8\n"
              "row 0  ....  ....  ....  0...  10..  .10.  ..1.  ....\n"
              "row 1  ....  ....  ....  ....  0...  10..  .10.  ..1.\n"
              "row 2  ....  ....  ....  ....  ....  ....  ....  ....\n"
              "row 3  ....  ....  ....  ....  ....  ....  ....  ....\n");
}

TEST_F(DocsMatrixTimeline, breaks_a_long_run_into_lines_that_fit) {
    const std::string text = timeline({waveform_of(mm_program({tile(1, 16, 4)})), "--array"});
    EXPECT_NE(text.find("\n\ncycle  14    15 "), std::string::npos) << text;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U);
}

TEST_F(DocsMatrixTimeline, the_picture_in_docs_is_of_todays_rtl) {
    timeline({waveform_of_example("mm-1x4x4.s"), "--svg", path("p.svg")});
    EXPECT_EQ(read_file(path("p.svg")), read_file(CAPRA_SOURCE "/docs/mm-1x4x4.svg"))
        << "chapter 2 shows how to draw it again";
}

TEST_F(DocsMatrixTimeline, refuses_what_is_no_waveform_of_an_mm) {
    write_file(path("a.vcd"), "$scope module other $end\n$var wire 1 ! x $end\n$upscope $end\n");
    expect_bad(tool("mm_timeline", {path("a.vcd")}), "a.vcd: no waveform of replay_tb.dut.u_mm");
    expect_bad(tool("mm_timeline", {path("none.vcd")}), "none.vcd");
    expect_bad(tool("mm_timeline", {waveform_of(".memory 1\nHALT\n")}), "p.vcd: no MM runs");
    std::string broken = read_file(waveform_of(
        ".memory 8\nLD d=0 n=8 x=0\nMM d=0 a=0 b=4 m=1 k=1 n=1 sa=1 sb=1 sd=1\nHALT\n"));
    for (std::size_t at = 0; (at = broken.find("b100 ", at)) != std::string::npos; ++at)
        broken.replace(at, 4, "b111");  // 4 is DRAIN
    write_file(path("broken.vcd"), broken);
    expect_bad(tool("mm_timeline", {path("broken.vcd")}),
               "broken.vcd: replay_tb.dut.u_mm.state_q: 7 is no state");
}

}  // namespace
}  // namespace capra
