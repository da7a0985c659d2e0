// ROWS x COLS output-stationary array: C = A B, one word of A and one of B per step.
//
// Shapes:      a_i is column t of A (ROWS bytes), b_i is row t of B (COLS bytes); C[i][j] stays in
//              PE (i, j) until it is shifted out.
// Latency:     K steps of operands take K + ROWS + COLS cycles at most until the last accumulator
//              is final: 1 to skew, ROWS - 1 + COLS - 1 to cross, 1 for the product, 1 to add.
// Throughput:  one step per cycle.
// Reset:       clear_i, with en_i before every tile, ends validity and empties the accumulators.
// Does not:    count steps or drain by itself; mm_unit.v does.
//
// Row i works for i < rows, column j for j < cols: the others stay still, and at zero after a
// clear. shift_i[i] moves row i's accumulators one PE to the left; its first one is in out_o.
`default_nettype none

module systolic_array #(
    parameter ROWS = 4,
    parameter COLS = 4
) (
    input  wire               clk_i,
    input  wire               en_i,
    input  wire               clear_i,
    input  wire [ROWS-1:0]    row_en_i,
    input  wire [COLS-1:0]    col_en_i,
    input  wire               valid_i,
    input  wire [ROWS*8-1:0]  a_i,
    input  wire [COLS*8-1:0]  b_i,
    input  wire [ROWS-1:0]    shift_i,
    output wire [ROWS*32-1:0] out_o
);
  wire [ROWS*8-1:0] a_in;
  wire [COLS*8-1:0] b_in;
  wire [ROWS-1:0]   v_in;

  skew #(
      .LANES(ROWS),
      .BITS (8)
  ) u_skew_a (
      .clk_i  (clk_i),
      .en_i   (en_i),
      .clear_i(clear_i),
      .word_i (a_i),
      .lanes_o(a_in)
  );

  skew #(
      .LANES(COLS),
      .BITS (8)
  ) u_skew_b (
      .clk_i  (clk_i),
      .en_i   (en_i),
      .clear_i(clear_i),
      .word_i (b_i),
      .lanes_o(b_in)
  );

  skew #(
      .LANES(ROWS),
      .BITS (1)
  ) u_skew_valid (
      .clk_i  (clk_i),
      .en_i   (en_i),
      .clear_i(clear_i),
      .word_i ({ROWS{valid_i}} & row_en_i),
      .lanes_o(v_in)
  );

  genvar i;
  genvar j;

  generate
    for (i = 0; i < ROWS; i = i + 1) begin : g_row
      for (j = 0; j < COLS; j = j + 1) begin : g_col
        wire        v_from;
        wire        v_to;
        wire [7:0]  a_from;
        wire [7:0]  a_to;
        wire [7:0]  b_from;
        wire [7:0]  b_to;
        wire [31:0] acc_from;
        wire [31:0] acc;

        if (j == 0) begin : g_left
          assign v_from = v_in[i];
          assign a_from = a_in[i*8 +: 8];
          assign out_o[i*32 +: 32] = acc;
        end else begin : g_inner
          assign v_from = g_row[i].g_col[j-1].v_to & col_en_i[j];
          assign a_from = g_row[i].g_col[j-1].a_to;
        end
        if (i == 0) begin : g_top
          assign b_from = b_in[j*8 +: 8];
        end else begin : g_below
          assign b_from = g_row[i-1].g_col[j].b_to;
        end
        if (j == COLS - 1) begin : g_right
          assign acc_from = 32'd0;
        end else begin : g_next
          assign acc_from = g_row[i].g_col[j+1].acc;
        end

        pe u_pe (
            .clk_i  (clk_i),
            .en_i   (en_i),
            .clear_i(clear_i),
            .shift_i(shift_i[i]),
            .valid_i(v_from),
            .a_i    (a_from),
            .b_i    (b_from),
            .acc_i  (acc_from),
            .valid_o(v_to),
            .a_o    (a_to),
            .b_o    (b_to),
            .acc_o  (acc)
        );
      end
    end
  endgenerate
endmodule

`default_nettype wire
