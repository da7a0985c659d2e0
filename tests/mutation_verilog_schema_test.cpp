// A mutant selected in the schema is the mutant applied as a patch, in a simulator.
#include "isa/files.hpp"
#include "mutation/verilog_parse.hpp"
#include "mutation/verilog_schema.hpp"
#include "sim/process.hpp"
#include "tests/mutation_verilog_support.hpp"
#include "tests/temporary_directory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace capra::mutation {
namespace {

/// Simulates with Icarus and returns what it printed.
class Icarus {
  public:
    void add(const std::string& name, const std::string& text) {
        write_file(directory_.path() + "/" + name, text);
        files_.push_back(directory_.path() + "/" + name);
    }

    /// An empty string when all is well.
    std::string compile() const {
        std::vector<std::string> command = {"iverilog", "-g2012", "-I" CAPRA_SOURCE "/rtl", "-o",
                                            program()};
        command.insert(command.end(), files_.begin(), files_.end());
        const auto result = sim::run_process(command);
        return result.status == 0 ? "" : result.output + "failed";
    }

    std::string run(const std::string& plusarg) const {
        return sim::run_process({"vvp", "-n", program(), plusarg}).output;
    }

  private:
    [[nodiscard]] std::string program() const { return directory_.path() + "/t.vvp"; }

    TemporaryDirectory directory_;
    std::vector<std::string> files_;
};

TEST(MutationVerilogSchema, a_mutant_applied_as_a_patch_is_verilog) {
    // The first mutant of each operator, and a sample of all.
    constexpr std::size_t kStride = 97;
    std::set<std::string> operators;
    std::size_t count = 0;
    for (const std::string& path : rtl_paths()) {
        const VerilogFile file = load_verilog(path);
        for (const Mutant& mutant : find_mutants(file)) {
            if (!operators.insert(mutant.op).second && ++count % kStride != 0) continue;
            Icarus icarus;
            for (const std::string& other : rtl_paths())
                icarus.add(
                    std::filesystem::path(other).filename().string(),
                    other == path ? apply_mutant(file.source.text, mutant) : read_file(other));
            EXPECT_EQ(icarus.compile(), "") << mutant.id;
        }
    }
    EXPECT_EQ(operators.size(), 13u);
}

// Every kind of site and operator, small enough to try all mutants with all inputs.
constexpr const char* kSmallTop = R"(module t (
    input  wire       clk_i,
    input  wire       rst_i,
    input  wire [3:0] a_i,
    output wire [3:0] y_o,
    output reg  [3:0] q_o
);
  localparam [1:0] ST_ONE = 2'd0;
  localparam [1:0] ST_TWO = 2'd1;
  reg [1:0] state_q;
  function [3:0] clip(input [3:0] x, input [3:0] most);
    if ($signed(x) > $signed(most)) clip = most;
    else                            clip = x;
  endfunction
  wire signed [4:0] wide = $signed({a_i[3], a_i}) - 5'sd1;
  wire [3:0] inner;
  leaf u_leaf (.a_i(a_i), .en_i(a_i[0] || state_q == ST_ONE), .y_o(inner));
  assign y_o = (state_q == ST_TWO) ? wide[3:0] : inner;
  always @(posedge clk_i) begin
    if (rst_i) begin
      state_q <= ST_ONE;
      q_o     <= 4'd0;
    end else begin
      case (state_q)
        ST_ONE:  if (a_i[1:0] == 2'd3) state_q <= ST_TWO;
        default: state_q <= ST_ONE;
      endcase
      q_o <= clip(q_o + a_i, 4'd5);
    end
  end
endmodule
module leaf (input wire [3:0] a_i, input wire en_i, output reg [3:0] y_o);
  genvar i;
  wire [3:0] bits;
  generate for (i = 0; i < 4; i = i + 1) begin : g_bit
    assign bits[i] = a_i[i] ^ (i == 2);
  end endgenerate
  always @* begin
    y_o = 4'd0;
    if (en_i) y_o = bits & ~a_i;
  end
endmodule
)";
constexpr const char* kSmallBench = R"(module bench;
  reg clk = 1'b0;
  reg rst = 1'b1;
  reg [3:0] a = 4'd0;
  wire [3:0] y, q;
  integer i;
  t dut (.clk_i(clk), .rst_i(rst), .a_i(a), .y_o(y), .q_o(q));
  initial begin
    for (i = 0; i < 40; i = i + 1) begin
      a = i * 7 + i / 16;
      #1 $write("%b %b,", y, q);
      clk = 1'b1;
      #1 $write("%b %b,", y, q);
      clk = 1'b0;
      rst = 1'b0;
    end
  end
endmodule
)";

TEST(MutationVerilogSchema, a_selected_mutant_behaves_as_the_same_mutant_applied_as_a_patch) {
    const VerilogFile file = file_of(kSmallTop);
    const auto mutants = find_mutants(file);
    ASSERT_GT(mutants.size(), 60u);
    Icarus schema;
    schema.add("t.v", render_schema(file, "t", 1));
    schema.add("bench.v", kSmallBench);
    schema.compile();  // it mentions constant selects, which do not matter
    const auto patched = [](const std::string& text) {
        Icarus icarus;
        icarus.add("t.v", text);
        icarus.add("bench.v", kSmallBench);
        EXPECT_EQ(icarus.compile(), "");
        return icarus.run("+none");
    };
    const std::string original = patched(file.source.text);
    EXPECT_NE(original.find("1111"), std::string::npos);
    EXPECT_EQ(schema.run("+none"), original);
    std::size_t different = 0;
    for (std::size_t i = 0; i < mutants.size(); ++i) {
        const std::string expected = patched(apply_mutant(file.source.text, mutants[i]));
        EXPECT_EQ(schema.run("+mutant=" + std::to_string(i + 1)), expected) << mutants[i].id;
        if (expected != original) ++different;
    }
    EXPECT_GT(different, mutants.size() / 2);
}

TEST(MutationVerilogSchema, numbers_follow_the_given_first_one) {
    const VerilogFile file = file_of(kSmallTop);
    const std::string text = render_schema(file, "t", 40);
    EXPECT_NE(text.find("16'd40 "), std::string::npos);
    EXPECT_EQ(text.find("16'd39"), std::string::npos);
}

}  // namespace
}  // namespace capra::mutation
