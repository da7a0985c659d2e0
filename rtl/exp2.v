// 2^-u as a fraction of 2^15, from a table of 256 fractions and a rounded shift.
//
// Shapes:      u with 8 fraction bits (f = u[7:0], k = u >> 8); e 0..32768, 32768 stands for 1.
//              e = 0 for k > SM_EXP_MAX_SHIFT (16), else T[f] / 2^k rounded half up,
//              T[f] = round(2^15 * 2^(-f/256)).
// Latency:     0, purely combinational.
// Throughput:  one value per cycle.
// Reset:       no state.
// Does not:    take negative u: softmax_unit.v subtracts from the maximum first.
`default_nettype none

module exp2 (
    input  wire [19:0] u_i,
    output wire [15:0] e_o
);
  `include "isa.vh"

  localparam [11:0] K_MAX = SM_EXP_MAX_SHIFT;

  wire [11:0] k     = u_i[19:8];
  wire [15:0] t     = EXP2_TABLE[{u_i[7:0], 4'd0} +: 16];
  // 2^(k-1), and 0 for k = 0.
  wire [16:0] half  = (17'd1 << k[4:0]) >> 1;
  wire [16:0] sum   = {1'b0, t} + ((k == 12'd0) ? 17'd0 : half);
  wire [16:0] e     = sum >> k[4:0];

  assign e_o = (k > K_MAX) ? 16'd0 : e[15:0];
endmodule

`default_nettype wire
