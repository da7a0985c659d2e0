// Bench of divider: exact quotients and 24 cycles.
`default_nettype none

module divider_tb;
  localparam NAME = "divider";
  `include "bench.vh"

  reg         rst = 1'b1;
  reg         start = 1'b0;
  reg  [23:0] rem = 24'd0;
  reg  [23:0] den = 24'd1;
  wire        done;
  wire [23:0] quot;

  divider dut (
      .clk_i  (clk),
      .rst_i  (rst),
      .start_i(start),
      .rem_i  (rem),
      .den_i  (den),
      .done_o (done),
      .quot_o (quot)
  );

  task vector(input [48*8-1:0] law, input integer r, input integer d, input integer want);
    integer c;
    begin
      rem   = r;
      den   = d;
      start = 1'b1;
      @(negedge clk);
      start = 1'b0;
      den   = 24'd5;  // the divider holds its own copy
      for (c = 1; c < 24; c = c + 1) begin
        expect_eq("not_done_before_cycle_24", {63'd0, done}, 64'd0);
        @(negedge clk);
      end
      expect_eq("done_in_cycle_24", {63'd0, done}, 64'd1);
      @(negedge clk);
      expect_eq("done_lasts_one_cycle", {63'd0, done}, 64'd0);
      expect_eq(law, {40'd0, quot}, want);
      @(negedge clk);
      expect_eq("quotient_stays", {40'd0, quot}, want);
    end
  endtask

  initial begin
    @(negedge clk);
    @(negedge clk);
    rst = 1'b0;
    // r * 2^24 / d; 32512 = 127 * 2^8
    vector("softmax_of_one", 32512, 32768, 16646144);      // 127 * 2^17
    vector("softmax_of_two_equal", 32512, 65536, 8323072); // 127 * 2^16
    vector("softmax_of_256", 32512, 8388608, 65024);       // 127 * 2^9
    vector("floor", 32512, 98304, 5548714);                // 127 * 2^17 / 3 = 5548714.67
    vector("floor", 32512, 32513, 16776699);               // 2^24 - 2^24/32513 = 2^24 - 516.02
    vector("zero", 0, 7, 0);
    vector("half", 1, 2, 8388608);
    vector("floor", 1, 3, 5592405);                        // 2^24 / 3 = 5592405.33
    vector("floor", 2, 3, 11184810);
    vector("widest", 8388607, 8388608, 16777214);          // 2^24 - 2
    finish;
  end
endmodule

`default_nettype wire
