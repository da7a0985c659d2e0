// Bench of systolic_array: a 3 x 2 array, hand-worked, with its latency and its drain.
`default_nettype none

module systolic_array_tb;
  localparam NAME = "systolic_array";
  `include "bench.vh"

  reg         en = 1'b1;
  reg         clear = 1'b1;
  reg  [2:0]  row_en = 3'b111;
  reg  [1:0]  col_en = 2'b11;
  reg         valid = 1'b0;
  reg  [23:0] a = 24'd0;
  reg  [15:0] b = 16'd0;
  reg  [2:0]  shift = 3'd0;
  wire [95:0] out;

  systolic_array #(
      .ROWS(3),
      .COLS(2)
  ) dut (
      .clk_i   (clk),
      .en_i    (en),
      .clear_i (clear),
      .row_en_i(row_en),
      .col_en_i(col_en),
      .valid_i (valid),
      .a_i     (a),
      .b_i     (b),
      .shift_i (shift),
      .out_o   (out)
  );

  // A = | 1  2 |   B = | 5 -6 |   A B = |  19   10 |
  //     | 3 -4 |       | 7  8 |         | -13  -50 |
  //     | 0  9 |                        |  63   72 |
  task steps;
    begin
      valid = 1'b1;
      a = {8'd0, 8'd3, 8'd1};
      b = {-8'sd6, 8'd5};
      @(negedge clk);
      a = {8'd9, -8'sd4, 8'd2};
      b = {8'd8, 8'd7};
      @(negedge clk);
      valid = 1'b0;
      a = 24'h555555;
      b = 16'h5555;
    end
  endtask

  // Row heads, then one shift to the left of every row.
  task expect_column(input [48*8-1:0] law, input integer r0, input integer r1, input integer r2);
    begin
      expect_eq(law, {32'd0, out[31:0]}, {32'd0, r0});
      expect_eq(law, {32'd0, out[63:32]}, {32'd0, r1});
      expect_eq(law, {32'd0, out[95:64]}, {32'd0, r2});
    end
  endtask

  task shift_all;
    begin
      shift = 3'b111;
      @(negedge clk);
      shift = 3'b000;
    end
  endtask

  task empty;
    begin
      clear = 1'b1;
      @(negedge clk);
      clear = 1'b0;
      expect_column("clear_empties", 0, 0, 0);
    end
  endtask

  initial begin
    @(negedge clk);
    empty;
    steps;
    // Entered in 2 cycles; row 2, column 0 ends 1 (skew) + 2 (rows) + 1 (adder) later: cycle 6.
    repeat (3) @(negedge clk);
    expect_column("row_2_is_late", 19, -13, 0);    // 0 * 5 is in, 9 * 7 is not
    @(negedge clk);
    expect_column("column_0", 19, -13, 63);
    @(negedge clk);                                // row 2, column 1: one more
    shift_all;
    expect_column("column_1", 10, -50, 72);
    shift_all;
    expect_column("zeros_come_in_from_the_right", 0, 0, 0);

    // Only row 0 and column 0 work: the rest stays zero.
    empty;
    row_en = 3'b001;
    col_en = 2'b01;
    steps;
    repeat (6) @(negedge clk);
    expect_column("disabled_rows_stay_zero", 19, 0, 0);
    shift_all;
    expect_column("disabled_columns_stay_zero", 0, 0, 0);

    // One row shifts, the others stay.
    empty;
    row_en = 3'b111;
    col_en = 2'b11;
    steps;
    repeat (6) @(negedge clk);
    shift = 3'b010;
    @(negedge clk);
    shift = 3'b000;
    expect_column("rows_shift_alone", 19, -50, 63);
    // Without en nothing moves.
    en    = 1'b0;
    shift = 3'b111;
    @(negedge clk);
    expect_column("still_without_enable", 19, -50, 63);
    finish;
  end
endmodule

`default_nettype wire
