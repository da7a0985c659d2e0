// Bench of skew: lane i comes i + 1 cycles later.
`default_nettype none

module skew_tb;
  localparam NAME = "skew";
  `include "bench.vh"

  reg         en = 1'b1;
  reg         clear = 1'b1;
  reg  [23:0] word = 24'h112233;
  wire [23:0] lanes;
  reg         one_in = 1'b1;
  wire        one_out;

  skew #(
      .LANES(3),
      .BITS (8)
  ) dut (
      .clk_i  (clk),
      .en_i   (en),
      .clear_i(clear),
      .word_i (word),
      .lanes_o(lanes)
  );

  skew #(
      .LANES(1),
      .BITS (1)
  ) dut_one (
      .clk_i  (clk),
      .en_i   (en),
      .clear_i(clear),
      .word_i (one_in),
      .lanes_o(one_out)
  );

  initial begin
    @(negedge clk);
    @(negedge clk);
    clear = 1'b0;
    expect_eq("clear_zeroes_every_lane", {40'd0, lanes}, 64'd0);
    expect_eq("clear_zeroes_every_lane", {63'd0, one_out}, 64'd0);
    word = 24'h030201;
    @(negedge clk);
    expect_eq("lane_0_after_1", {40'd0, lanes}, 64'h000001);
    expect_eq("lane_0_after_1", {63'd0, one_out}, 64'd1);
    word   = 24'h131211;
    one_in = 1'b0;
    @(negedge clk);
    expect_eq("lane_1_after_2", {40'd0, lanes}, 64'h000211);
    expect_eq("lane_0_after_1", {63'd0, one_out}, 64'd0);
    word = 24'h232221;
    en   = 1'b0;
    @(negedge clk);
    expect_eq("still_without_enable", {40'd0, lanes}, 64'h000211);
    en = 1'b1;
    @(negedge clk);
    expect_eq("lane_2_after_3", {40'd0, lanes}, 64'h031221);
    word = 24'd0;
    @(negedge clk);
    expect_eq("one_word_a_cycle", {40'd0, lanes}, 64'h132200);
    @(negedge clk);
    expect_eq("one_word_a_cycle", {40'd0, lanes}, 64'h230000);
    finish;
  end
endmodule

`default_nettype wire
