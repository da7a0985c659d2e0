// Bench of pe: products, accumulation, forwarding, shift, clear, enable.
`default_nettype none

module pe_tb;
  localparam NAME = "pe";
  `include "bench.vh"

  reg         en = 1'b1;
  reg         clear = 1'b1;
  reg         shift = 1'b0;
  reg         valid = 1'b0;
  reg  [7:0]  a = 8'd0;
  reg  [7:0]  b = 8'd0;
  reg  [31:0] acc_in = 32'd0;
  wire        valid_o;
  wire [7:0]  a_o;
  wire [7:0]  b_o;
  wire [31:0] acc;

  pe dut (
      .clk_i  (clk),
      .en_i   (en),
      .clear_i(clear),
      .shift_i(shift),
      .valid_i(valid),
      .a_i    (a),
      .b_i    (b),
      .acc_i  (acc_in),
      .valid_o(valid_o),
      .a_o    (a_o),
      .b_o    (b_o),
      .acc_o  (acc)
  );

  task feed(input integer x, input integer y);
    begin
      a     = x;
      b     = y;
      valid = 1'b1;
      @(negedge clk);
      valid = 1'b0;
      expect_eq("operands_pass_on", {47'd0, valid_o, a_o, b_o}, {47'd0, 1'b1, x[7:0], y[7:0]});
    end
  endtask

  task expect_acc(input [48*8-1:0] law, input integer want);
    expect_eq(law, {32'd0, acc}, {32'd0, want});
  endtask

  initial begin
    @(negedge clk);
    @(negedge clk);
    clear = 1'b0;
    expect_eq("clear_ends_validity", {63'd0, valid_o}, 64'd0);
    expect_acc("clear_empties", 0);
    feed(3, -5);
    expect_acc("product_arrives_in_two_cycles", 0);
    @(negedge clk);
    expect_acc("product_arrives_in_two_cycles", -15);
    expect_eq("valid_lasts_one_cycle", {63'd0, valid_o}, 64'd0);
    feed(-128, -128);
    feed(-128, 127);
    feed(127, 127);
    expect_acc("accumulates", -15 + 16384 - 16256);
    @(negedge clk);
    expect_acc("accumulates", -15 + 16384 - 16256 + 16129);
    a = 8'd9;
    b = 8'd9;
    @(negedge clk);
    @(negedge clk);
    expect_acc("invalid_operands_do_not_count", 16242);
    expect_eq("invalid_operands_do_not_pass", {48'd0, a_o, b_o}, {48'd0, 8'd127, 8'd127});
    // nothing moves without en
    en    = 1'b0;
    valid = 1'b1;
    shift = 1'b1;
    @(negedge clk);
    @(negedge clk);
    expect_acc("still_without_enable", 16242);
    expect_eq("still_without_enable", {63'd0, valid_o}, 64'd0);
    en     = 1'b1;
    valid  = 1'b0;
    acc_in = 32'h80000001;
    @(negedge clk);
    shift = 1'b0;
    expect_eq("shift_takes_the_neighbour", {32'd0, acc}, 64'h80000001);
    feed(1, 1);
    clear = 1'b1;
    @(negedge clk);
    clear = 1'b0;
    expect_acc("clear_wins", 0);
    @(negedge clk);
    expect_acc("clear_wins", 0);
    finish;
  end
endmodule

`default_nettype wire
