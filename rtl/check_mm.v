// Legality of the operands of MM, for check.v.
//
// Shapes:      one 128-bit instruction, taken to be an MM.
// Latency:     0, purely combinational.
// Throughput:  one instruction per cycle.
// Reset:       no state.
// Does not:    rank the findings. A range verdict is meaningless while field_bad_o is set (a zero
//              count wraps), which is why check.v looks at field_bad_o first.
`default_nettype none

module check_mm #(
    parameter SPAD_BYTES = 8192,
    parameter ACC_WORDS  = 1024,
    parameter TILE_ROWS  = 4,
    parameter TILE_COLS  = 4,
    parameter TILE_DEPTH = 256
) (
    input  wire         en_i,         // outputs are 0 while it is low
    input  wire [127:0] insn_i,
    output reg          field_bad_o,
    output reg          spad_bad_o,
    output reg          acc_bad_o
);
  `include "isa.vh"

  // Last cells are compared in 26 bits: 65,535 + 4,094 * 4,095 + 4,094 < 2^25.
  localparam [25:0] SPAD_END = SPAD_BYTES;
  localparam [25:0] ACC_END  = ACC_WORDS;
  localparam [11:0] K_MAX = TILE_DEPTH;
  localparam [7:0]  M_MAX = TILE_ROWS;
  localparam [7:0]  N_MAX = TILE_COLS;

  // Last cell of `rows` rows of `cols` cells, `stride` apart.
  function [25:0] last_of(input [15:0] start, input [11:0] rows, input [11:0] cols,
                          input [11:0] stride);
    last_of = {10'd0, start} + {14'd0, rows - 12'd1} * {14'd0, stride}
              + {14'd0, cols - 12'd1};
  endfunction

  wire [15:0] d  = insn_i[MM_D_LSB +: MM_D_WIDTH];
  wire [15:0] a  = insn_i[MM_A_LSB +: MM_A_WIDTH];
  wire [15:0] b  = insn_i[MM_B_LSB +: MM_B_WIDTH];
  wire [11:0] k  = insn_i[MM_K_LSB +: MM_K_WIDTH];
  wire [7:0]  m  = insn_i[MM_M_LSB +: MM_M_WIDTH];
  wire [7:0]  n  = insn_i[MM_N_LSB +: MM_N_WIDTH];
  wire [11:0] sa = insn_i[MM_SA_LSB +: MM_SA_WIDTH];
  wire [11:0] sb = insn_i[MM_SB_LSB +: MM_SB_WIDTH];
  wire [11:0] sd = insn_i[MM_SD_LSB +: MM_SD_WIDTH];

  wire [11:0] m12 = {4'd0, m};
  wire [11:0] n12 = {4'd0, n};

  // B is stored k x n, or n x k when the transpose flag is set.
  wire [11:0] b_rows = insn_i[MM_BT_LSB] ? n12 : k;
  wire [11:0] b_cols = insn_i[MM_BT_LSB] ? k : n12;

  always @* begin
    field_bad_o = 1'b0;
    spad_bad_o  = 1'b0;
    acc_bad_o   = 1'b0;
    if (en_i) begin
      field_bad_o = k == 12'd0 || k > K_MAX
                    || m == 8'd0 || m > M_MAX
                    || n == 8'd0 || n > N_MAX
                    || sa == 12'd0 || sb == 12'd0 || sd == 12'd0;
      spad_bad_o = last_of(a, m12, k, sa) >= SPAD_END
                   || last_of(b, b_rows, b_cols, sb) >= SPAD_END;
      acc_bad_o = last_of(d, m12, n12, sd) >= ACC_END;
    end
  end
endmodule

`default_nettype wire
