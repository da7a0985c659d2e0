// Bench of exp2: table ends, rounding, and the cut at k > 16.
`default_nettype none

module exp2_tb;
  localparam NAME = "exp2";
  `include "bench.vh"

  reg  [19:0] u = 20'd0;
  wire [15:0] e;

  exp2 dut (
      .u_i(u),
      .e_o(e)
  );

  task vector(input [48*8-1:0] law, input integer k, input integer f, input integer want);
    begin
      u = k * 256 + f;
      @(negedge clk);
      expect_eq(law, {48'd0, e}, want);
    end
  endtask

  integer i;
  reg [15:0] last;

  initial begin
    // 2^(1/256) = 1.00271127505
    vector("one_is_32768", 0, 0, 32768);
    vector("table", 0, 1, 32679);      // 32768 / 1.00271127505 = 32679.40
    vector("table", 0, 128, 23170);    // 32768 / sqrt 2 = 23170.475
    vector("table", 0, 255, 16428);    // 16384 * 1.00271127505 = 16428.42
    vector("table", 0, 64, 27554);     // 32768 / 2^0.25 = 27554.49
    vector("table", 0, 192, 19484);    // 32768 / 2^0.75 = 19483.97
    vector("halves", 1, 0, 16384);
    vector("rounds_half_up", 1, 1, 16340);     // 32679 / 2 = 16339.5
    vector("rounds_half_up", 1, 255, 8214);    // 16428 / 2
    vector("rounds_half_up", 2, 128, 5793);    // 23170 / 4 = 5792.5
    vector("halves", 10, 0, 32);
    vector("k_15", 15, 0, 1);                  // 1
    vector("k_15", 15, 255, 1);                // 16428 / 32768 = 0.501
    vector("k_16", 16, 0, 1);                  // 0.5 -> 1
    vector("k_16", 16, 1, 0);                  // 0.4987 -> 0
    vector("k_17_is_zero", 17, 0, 0);
    vector("k_17_is_zero", 32, 0, 0);          // the shift amount would wrap
    vector("k_17_is_zero", 48, 3, 0);
    vector("k_17_is_zero", 4095, 255, 0);
    // never rises with u
    last = 16'd32768;
    for (i = 0; i < 18 * 256; i = i + 1) begin
      u = i;
      @(negedge clk);
      expect_eq("falls_with_u", {63'd0, e <= last}, 64'd1);
      last = e;
    end
    finish;
  end
endmodule

`default_nettype wire
