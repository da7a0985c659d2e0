// Delays lane i of a word by i + 1 cycles, so that operands enter the systolic array diagonally.
//
// Shapes:      LANES lanes of BITS bits, lane 0 in the low bits.
// Latency:     1 cycle for lane 0, LANES for the last one.
// Throughput:  one word per cycle.
// Reset:       clear_i (with en_i) zeroes every lane.
// Does not:    know which lanes matter. Nothing moves while en_i is low.
`default_nettype none

module skew #(
    parameter LANES = 4,
    parameter BITS  = 8
) (
    input  wire                  clk_i,
    input  wire                  en_i,
    input  wire                  clear_i,
    input  wire [LANES*BITS-1:0] word_i,
    output wire [LANES*BITS-1:0] lanes_o
);
  localparam WORD = LANES * BITS;

  // The last LANES words, the newest in the low bits. Lane i needs only its own bits of words
  // 0..i; synthesis drops the rest, and one register is cheaper to simulate than a triangle.
  reg [LANES*WORD-1:0] words_q;

  genvar i;
  generate
    if (LANES == 1) begin : g_one
      always @(posedge clk_i) begin
        if (en_i) words_q <= clear_i ? {WORD{1'b0}} : word_i;
      end
    end else begin : g_many
      always @(posedge clk_i) begin
        if (en_i) begin
          if (clear_i) words_q <= {LANES*WORD{1'b0}};
          else         words_q <= {words_q[(LANES-1)*WORD-1:0], word_i};
        end
      end
    end
    for (i = 0; i < LANES; i = i + 1) begin : g_lane
      assign lanes_o[i*BITS +: BITS] = words_q[i*WORD + i*BITS +: BITS];
    end
  endgenerate
endmodule

`default_nettype wire
