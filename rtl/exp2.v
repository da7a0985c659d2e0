// 2^-u as a fraction of 2^15, from a table of 256 fractions and a rounded shift.
//
// Shapes:      u with 8 fraction bits (f = u[7:0], k = u >> 8); e 0..32768, 32768 stands for 1.
//              e = T[f] / 2^k rounded half up, T[f] = round(2^15 * 2^(-f/256)): 0 for every k above
//              SM_EXP_MAX_SHIFT (16).
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

  wire [11:0] k     = u_i[19:8];
  wire [15:0] t     = EXP2_TABLE[{u_i[7:0], 4'd0} +: 16];
  // 2^(k-1), and 0 for k = 0. Above k = 16 it is 0 as well, and the shift leaves nothing.
  wire [16:0] half  = (17'd1 << k[4:0]) >> 1;
  wire [16:0] sum   = {1'b0, t} + half;
  wire [16:0] e     = sum >> k[4:0];

  // The shifter takes five bits of k.
  assign e_o = (|k[11:5]) ? 16'd0 : e[15:0];
endmodule

`default_nettype wire
