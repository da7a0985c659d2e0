// One signal out of three: gives a memory port to the unit whose turn it is.
//
// Shapes:      BITS bits from each unit; unit_i is a UNIT_ code.
// Latency:     0, purely combinational.
// Throughput:  one request per cycle.
// Reset:       no state.
// Does not:    arbitrate: the other units are idle by construction. Enables are simply OR-ed
//              outside, so a stale unit_i while nobody asks is harmless.
`default_nettype none

module unit_mux #(
    parameter BITS = 16
) (
    input  wire [1:0]      unit_i,
    input  wire [BITS-1:0] dma_i,
    input  wire [BITS-1:0] matrix_i,
    input  wire [BITS-1:0] vector_i,
    output wire [BITS-1:0] out_o
);
  `include "isa.vh"

  assign out_o = (unit_i == UNIT_MATRIX) ? matrix_i : (unit_i == UNIT_DMA) ? dma_i : vector_i;
endmodule

`default_nettype wire
