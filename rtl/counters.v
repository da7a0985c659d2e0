// Cycle counters: total, and the four parts that always add up to it.
//
// Shapes:      64-bit counters; unit_i is a UNIT_ code (0 control, 1 dma, 2 matrix, 3 vector).
// Latency:     a cycle with en_i is in the counts from the next cycle on.
// Throughput:  one cycle counted per cycle.
// Reset:       all zero; clear_i does the same and wins over en_i.
// Does not:    decide who is active; control.v does. The identity is checked by the benches: four
//              64-bit adders in every cycle would cost a simulator more than the machine.
`default_nettype none

module counters (
    input  wire        clk_i,
    input  wire        rst_i,
    input  wire        clear_i,
    input  wire        en_i,
    input  wire [1:0]  unit_i,
    output wire [63:0] total_o,
    output wire [63:0] matrix_o,
    output wire [63:0] dma_o,
    output wire [63:0] vector_o,
    output wire [63:0] control_o
);
  `include "isa.vh"

  reg [63:0] total_q;
  reg [63:0] matrix_q;
  reg [63:0] dma_q;
  reg [63:0] vector_q;
  reg [63:0] control_q;

  wire clear = rst_i || clear_i;

  always @(posedge clk_i) begin
    if (clear) begin
      total_q   <= 64'd0;
      matrix_q  <= 64'd0;
      dma_q     <= 64'd0;
      vector_q  <= 64'd0;
      control_q <= 64'd0;
    end else if (en_i) begin
      total_q <= total_q + 64'd1;
      case (unit_i)
        UNIT_DMA:    dma_q     <= dma_q + 64'd1;
        UNIT_MATRIX: matrix_q  <= matrix_q + 64'd1;
        UNIT_VECTOR: vector_q  <= vector_q + 64'd1;
        default:     control_q <= control_q + 64'd1;
      endcase
    end
  end

  assign total_o   = total_q;
  assign matrix_o  = matrix_q;
  assign dma_o     = dma_q;
  assign vector_o  = vector_q;
  assign control_o = control_q;
endmodule

`default_nettype wire
