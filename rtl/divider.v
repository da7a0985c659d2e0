// Restoring divider, one quotient bit per cycle.
//
// Shapes:      quotient = floor(rem_i * 2^24 / den_i), 24 bits; rem_i < den_i < 2^23 + 1.
//              The dividend's low 24 bits are zero, so only its high part rem_i comes in.
// Latency:     24 cycles after the cycle of start_i; done_o in the last one, quot_o from the next.
// Throughput:  one division at a time.
// Reset:       idle.
// Does not:    handle den_i <= rem_i (the quotient would need more bits) or den_i = 0.
`default_nettype none
`include "assert.vh"

module divider (
    input  wire        clk_i,
    input  wire        rst_i,
    input  wire        start_i,
    input  wire [23:0] rem_i,
    input  wire [23:0] den_i,
    output wire        done_o,
    output wire [23:0] quot_o
);
  localparam [4:0] STEPS = 5'd24;

  reg [4:0]  left_q;    // steps to do; 0 is idle
  reg [23:0] rem_q;
  reg [23:0] den_q;
  reg [23:0] quot_q;

  // Shift in one (zero) bit of the dividend; subtract where it goes. What remains is below den_q,
  // so 24 bits hold it.
  wire [24:0] twice = {rem_q, 1'b0};
  wire        goes  = twice >= {1'b0, den_q};
  wire [23:0] after = goes ? twice[23:0] - den_q : twice[23:0];

  // Clocks the unit: an idle one stands still.
  wire awake = rst_i || start_i || left_q != 5'd0;

  always @(posedge clk_i) begin
    if (awake) begin
      if (rst_i) begin
        left_q <= 5'd0;
      end else if (start_i) begin
        left_q <= STEPS;
        rem_q  <= rem_i;
        den_q  <= den_i;
      end else begin
        left_q <= left_q - 5'd1;
        rem_q  <= after;
        quot_q <= {quot_q[22:0], goes};
      end
    end
  end

  assign done_o = left_q == 5'd1;
  assign quot_o = quot_q;

  `ASSERT(quotient_fits, !start_i || rem_i < den_i)
endmodule

`default_nettype wire
