// Bench of requant: the rounding rule, hand-worked.
`default_nettype none

module requant_tb;
  localparam NAME = "requant";
  `include "bench.vh"

  reg         rst = 1'b1;
  reg         valid = 1'b0;
  reg  [31:0] x = 32'd0;
  reg  [30:0] mult = 31'd0;
  reg  [5:0]  shift = 6'd0;
  reg         relu = 1'b0;
  wire        valid_o;
  wire [63:0] prod;
  wire [7:0]  y;

  requant dut (
      .clk_i  (clk),
      .rst_i  (rst),
      .en_i   (1'b1),
      .valid_i(valid),
      .x_i    (x),
      .mult_i (mult),
      .shift_i(shift),
      .relu_i (relu),
      .valid_o(valid_o),
      .prod_o (prod),
      .y_o    (y)
  );

  localparam integer MAX = 2147483647;
  localparam integer MIN = 32'sh80000000;

  task vector(input [48*8-1:0] law, input integer xi, input integer mi, input integer si,
              input ri, input integer want);
    reg signed [63:0] wide;
    begin
      x     = xi;
      wide  = xi;
      mult  = mi[30:0];
      shift = si[5:0];
      relu  = ri;
      valid = 1'b1;
      expect_eq("result_is_not_valid_in_the_same_cycle", {63'd0, valid_o}, 64'd0);
      @(negedge clk);
      valid = 1'b0;
      expect_eq("result_is_valid_one_cycle_later", {63'd0, valid_o}, 64'd1);
      expect_eq(law, {56'd0, y}, {56'd0, want[7:0]});
      expect_eq("what_was_rounded_is_shown", prod, wide * mi);
      @(negedge clk);
    end
  endtask

  initial begin
    @(negedge clk);
    @(negedge clk);
    rst = 1'b0;
    // shift 0: no rounding, saturation only
    vector("shift_0_is_exact", 5, 1, 0, 1'b0, 5);
    vector("shift_0_is_exact", -7, 3, 0, 1'b0, -21);
    vector("saturates_above", 127, 1, 0, 1'b0, 127);
    vector("saturates_above", 128, 1, 0, 1'b0, 127);
    vector("saturates_below", -128, 1, 0, 1'b0, -128);
    vector("saturates_below", -129, 1, 0, 1'b0, -128);
    vector("saturates_above", MAX, MAX, 0, 1'b0, 127);   // 2^62 - 2^32 + 1
    vector("saturates_below", MIN, MAX, 0, 1'b0, -128);  // -2^62 + 2^31
    // shift 1: (x + 1) >> 1
    vector("rounds_half_up", 5, 1, 1, 1'b0, 3);     //  2.5 ->  3
    vector("rounds_half_up", 4, 1, 1, 1'b0, 2);
    vector("rounds_half_up", 1, 1, 1, 1'b0, 1);     //  0.5 ->  1
    vector("rounds_half_up", -1, 1, 1, 1'b0, 0);    // -0.5 ->  0
    vector("rounds_half_up", -2, 1, 1, 1'b0, -1);
    vector("rounds_half_up", -3, 1, 1, 1'b0, -1);   // -1.5 -> -1
    vector("rounds_half_up", -5, 1, 1, 1'b0, -2);   // -2.5 -> -2
    vector("rounds_half_up", 253, 1, 1, 1'b0, 127); // 126.5 -> 127
    vector("saturates_after_rounding", 255, 1, 1, 1'b0, 127);   // 127.5 -> 128
    vector("saturates_after_rounding", -257, 1, 1, 1'b0, -128); // -128.5 -> -128, no saturation
    vector("saturates_after_rounding", -259, 1, 1, 1'b0, -128); // -129.5 -> -129
    vector("rounds_half_up", -255, 1, 1, 1'b0, -127);           // -127.5 -> -127
    // shift 2: (x + 2) >> 2
    vector("rounds_half_up", 6, 1, 2, 1'b0, 2);     //  1.5  ->  2
    vector("rounds_half_up", -6, 1, 2, 1'b0, -1);   // -1.5  -> -1
    vector("rounds_half_up", -7, 1, 2, 1'b0, -2);   // -1.75 -> -2
    // shift 31
    vector("shift_31", 1073741824, 1, 31, 1'b0, 1);    // 2^30 / 2^31 = 0.5 -> 1
    vector("shift_31", 1073741823, 1, 31, 1'b0, 0);    // just below
    vector("shift_31", -1073741824, 1, 31, 1'b0, 0);   // -0.5 -> 0
    vector("shift_31", -1073741825, 1, 31, 1'b0, -1);  // just below
    vector("shift_31", MAX, 1, 31, 1'b0, 1);
    vector("shift_31", MIN, 1, 31, 1'b0, -1);
    vector("shift_31", 100, MAX, 31, 1'b0, 100);       // 100 - 100/2^31
    vector("shift_31", -100, MAX, 31, 1'b0, -100);     // -100 + 100/2^31
    vector("shift_31", MAX, MAX, 31, 1'b0, 127);
    vector("shift_31", MIN, MAX, 31, 1'b0, -128);
    // shift 62: products of almost 2^62, half is 2^61
    vector("shift_62", MAX, MAX, 62, 1'b0, 1);         // 1 - 2^-30.. -> 1
    vector("shift_62", MIN, MAX, 62, 1'b0, -1);        // -1 + 2^-31
    vector("shift_62", 1073741824, MAX, 62, 1'b0, 0);  // 0.5 - 2^-32 -> 0
    vector("shift_62", -1073741824, MAX, 62, 1'b0, 0); // -0.5 + 2^-32 -> 0
    vector("shift_62", -1073741825, MAX, 62, 1'b0, -1); // -(2^61 + 2^30 - 1): below -0.5
    // shift 63: half is 2^62, the largest sum is just below 2^63
    vector("shift_63", MAX, MAX, 63, 1'b0, 0);         // 0.5 - 2^-31.. -> 0
    vector("shift_63", MIN, MAX, 63, 1'b0, 0);         // -0.5 + 2^-32 -> 0
    vector("shift_63", 0, 0, 63, 1'b0, 0);
    // mult 0
    vector("mult_0_gives_0", MAX, 0, 0, 1'b0, 0);
    vector("mult_0_gives_0", MIN, 0, 1, 1'b0, 0);
    vector("mult_0_gives_0", MIN, 0, 62, 1'b0, 0);
    // relu
    vector("relu_clears_negative", -5, 1, 0, 1'b1, 0);
    vector("relu_clears_negative", MIN, MAX, 0, 1'b1, 0);
    vector("relu_clears_negative", MIN, 1, 31, 1'b1, 0);
    vector("relu_keeps_positive", 5, 1, 1, 1'b1, 3);
    vector("relu_keeps_positive", MAX, MAX, 0, 1'b1, 127);
    vector("relu_keeps_positive", -1, 1, 1, 1'b1, 0);
    // one value per cycle
    x = 32'd10; mult = 31'd1; shift = 6'd0; relu = 1'b0; valid = 1'b1;
    @(negedge clk);
    expect_eq("one_value_per_cycle", {56'd0, y}, 64'd10);
    x = 32'd11;
    @(negedge clk);
    expect_eq("one_value_per_cycle", {56'd0, y}, 64'd11);
    valid = 1'b0;
    x = 32'd12;
    @(negedge clk);
    expect_eq("no_valid_without_input", {63'd0, valid_o}, 64'd0);
    finish;
  end
endmodule

`default_nettype wire
