// What is fixed before a simulation begins is mutated too, and tried as a patch.
#include "mutation/mutant_list.hpp"
#include "mutation/patch_check.hpp"
#include "mutation/patch_lane.hpp"
#include "mutation/verilog_constants.hpp"
#include "mutation/verilog_parse.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace capra::mutation {
namespace {

using Changes = std::vector<std::string>;

/// "op: original -> replacement" of the constants of one module with these parameters and items.
Changes constants(const std::string& parameters, const std::string& items,
                  const std::string& top = "") {
    VerilogFile file{.source = {"rtl/t.v", "module t" + parameters + " (input wire i);\n" + items +
                                               "\nendmodule\n"}};
    file.modules = parse_verilog(file.source);
    Changes found;
    for (const Mutant& m : find_constant_mutants(file, top))
        found.push_back(m.op + ": " + m.original + " -> " + m.replacement);
    return found;
}

TEST(MutationConstants, a_number_moves_both_ways) {
    EXPECT_EQ(constants("", "localparam N = 24;"),
              (Changes{"parameter: 24 -> (24) + 1", "parameter: 24 -> 24 - 1"}));
    EXPECT_EQ(constants("", "localparam [4:0] N = 5'd24;"),
              (Changes{"parameter: 5'd24 -> 5'd25", "parameter: 5'd24 -> 5'd23"}));
}

TEST(MutationConstants, what_is_worked_out_becomes_one_more) {
    EXPECT_EQ(constants("", "localparam W = (N > 1) ? $clog2(N) : 1;"),
              Changes{"parameter: (N > 1) ? $clog2(N) : 1 -> ((N > 1) ? $clog2(N) : 1) + 1"});
}

// A free code would be as good as the one it replaces.
TEST(MutationConstants, a_code_of_few_bits_takes_the_one_next_to_it) {
    EXPECT_EQ(constants("", "localparam [1:0] S_IDLE = 2'd0;\nlocalparam [1:0] S_RUN = 2'd1;"),
              (Changes{"parameter: 2'd0 -> 2'd1", "parameter: 2'd1 -> 2'd0"}));
}

TEST(MutationConstants, only_the_top_has_parameters_of_its_own) {
    EXPECT_EQ(constants(" #(parameter N = 4)", ""), Changes{});
    EXPECT_EQ(constants(" #(parameter N = 4)", "", "t"),
              (Changes{"parameter: 4 -> (4) + 1", "parameter: 4 -> 4 - 1"}));
}

TEST(MutationConstants, a_register_loses_its_highest_bit) {
    EXPECT_EQ(constants("", "reg [15:0] r;\nreg s;\nreg [0:0] u;\nwire [7:0] w = 8'd0;"),
              Changes{"width: 15 -> 14"});
}

TEST(MutationConstants, every_file_of_the_rtl_has_ids_of_its_own) {
    std::set<std::string> ids;
    std::size_t count = 0;
    for (const std::string& path : design_files(CAPRA_SOURCE "/rtl")) {
        for (const Mutant& m : find_constant_mutants(load_verilog(path), "capra_top")) {
            ids.insert(m.id);
            ++count;
        }
    }
    EXPECT_EQ(ids.size(), count);
    EXPECT_GT(count, 100U);
}

TEST(MutationPatchLane, benches_of_a_module_are_its_own_and_those_around_it) {
    EXPECT_EQ(benches_of(CAPRA_SOURCE, "pe"),
              (Changes{"bench/pe", "bench/systolic_array", "bench/mm_unit", "bench/capra_top"}));
    EXPECT_EQ(benches_of(CAPRA_SOURCE, "check_mm"), (Changes{"bench/check", "bench/capra_top"}));
}

/// The verdict and killer of one change of a file of the RTL.
Trial tried(const std::string& file, const std::string& original, const std::string& replacement) {
    const VerilogFile verilog = load_verilog(CAPRA_SOURCE "/" + file);
    const std::size_t begin = verilog.source.text.find(original);
    EXPECT_NE(begin, std::string::npos) << original;
    const std::vector<Mutant> mutant = mutants_of(
        "rtl", verilog.source, {{"test", {begin, begin + original.size()}, replacement}});
    // No program to replay: the benches and the lint judge.
    return try_patches(CAPRA_SOURCE, mutant, {.target = isa::reference_target()}, 1, {})[0];
}

TEST(MutationPatchLane, a_bench_kills) {
    const Trial trial = tried("rtl/pe.v", "if (clear_i)      acc_q <= 32'd0;", "");
    EXPECT_EQ(trial.verdict, Verdict::killed);
    EXPECT_EQ(trial.killers, Changes{"bench/pe"});
    EXPECT_NE(trial.detail, "");
}

TEST(MutationPatchLane, lint_kills) {
    EXPECT_EQ(tried("rtl/counters.v", "reg [63:0] total_q;", "reg [62:0] total_q;").killers,
              Changes{"lint/verilator"});
    // A latch that behaves, and that Verilator does not see beside the block's other variables.
    EXPECT_EQ(tried("rtl/control.v", "pc_d         = pc_q;", "if (rst_i) pc_d = 16'd0;").killers,
              Changes{"lint/yosys"});
}

TEST(MutationPatchLane, what_does_not_compile_is_not_built) {
    const Trial trial = tried("rtl/pe.v", "reg        valid_q;", "reg        valid_q");
    EXPECT_EQ(trial.verdict, Verdict::not_built);
    EXPECT_TRUE(trial.killers.empty());
}

TEST(MutationPatchLane, what_changes_nothing_survives) {
    EXPECT_EQ(tried("rtl/requant.v", "negative && relu_i", "relu_i && negative").verdict,
              Verdict::survived);
}

}  // namespace
}  // namespace capra::mutation
