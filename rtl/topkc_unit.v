// TOPKC: the k largest of n accumulators, each times the multiplier of its column, with their
// indices; the lowest index wins a tie. Products are compared before they are rounded.
//
// Shapes:      n int32 and n 16-bit multipliers in (n up to 128, so that an index is an int8), k
//              indices and k requantised bytes out.
// Latency:     k (2n + 4) cycles: a pass over the row for every winner.
// Throughput:  one element every two cycles, see column_reader.v.
// Reset:       idle.
// Does not:    check bounds, n or k (check.v), compare (topk_select.v) or round (requant.v).
//
//   low byte read | high byte, accumulator read | pair valid, multiplied | product compared |
//   (after the last) index written | byte written
`default_nettype none
`include "assert.vh"

module topkc_unit (
    input  wire         clk_i,
    input  wire         rst_i,
    input  wire         start_i,
    input  wire [127:0] insn_i,       // steady from start_i to done_o
    output wire         done_o,
    output wire         spad_re_o,
    output wire [15:0]  spad_raddr_o,
    input  wire [7:0]   spad_rdata_i,
    output wire         acc_re_o,
    output wire [15:0]  acc_raddr_o,
    input  wire [31:0]  acc_rdata_i,
    output wire         spad_we_o,
    output wire [15:0]  spad_waddr_o,
    output wire [7:0]   spad_wdata_o
);
  `include "isa.vh"

  reg         busy_q;

  wire        ask;
  wire        pair_vld;
  wire [15:0] mult;
  wire        prod_vld;
  wire [63:0] prod;       // |x * mult| < 2^31 * 2^16: 48 bits hold it
  wire [7:0]  y;
  wire        again;

  column_reader u_reader (
      .clk_i       (clk_i),
      .rst_i       (rst_i),
      .start_i     (start_i || again),
      .en_i        (busy_q),
      .a_i         (insn_i[TOPKC_A_LSB +: TOPKC_A_WIDTH]),
      .b_i         (insn_i[TOPKC_B_LSB +: TOPKC_B_WIDTH]),
      .n_i         (insn_i[TOPKC_N_LSB +: TOPKC_N_WIDTH]),
      .cols_i      (insn_i[TOPKC_N_LSB +: TOPKC_N_WIDTH]),
      .ask_o       (ask),
      .spad_re_o   (spad_re_o),
      .spad_raddr_o(spad_raddr_o),
      .spad_rdata_i(spad_rdata_i),
      .acc_re_o    (acc_re_o),
      .acc_raddr_o (acc_raddr_o),
      .valid_o     (pair_vld),
      .mult_o      (mult)
  );

  requant u_requant (
      .clk_i  (clk_i),
      .rst_i  (rst_i),
      .en_i   (busy_q),
      .valid_i(pair_vld),
      .x_i    (acc_rdata_i),
      .mult_i ({15'd0, mult}),
      .shift_i(insn_i[TOPKC_SHIFT_LSB +: TOPKC_SHIFT_WIDTH]),
      .relu_i (1'b0),
      .valid_o(prod_vld),
      .prod_o (prod),
      .y_o    (y)
  );

  // Products come every other cycle: the one without a read at the same time ends the row.
  topk_select #(
      .WIDTH(48)
  ) u_select (
      .clk_i  (clk_i),
      .rst_i  (rst_i),
      .start_i(start_i),
      .en_i   (busy_q),
      .d_i    (insn_i[TOPKC_D_LSB +: TOPKC_D_WIDTH]),
      .k_i    (insn_i[TOPKC_K_LSB +: TOPKC_K_WIDTH]),
      .valid_i(prod_vld),
      .x_i    (prod[47:0]),
      .y_i    (y),
      .last_i (!ask),
      .again_o(again),
      .done_o (done_o),
      .we_o   (spad_we_o),
      .waddr_o(spad_waddr_o),
      .wdata_o(spad_wdata_o)
  );

  // Clocks the unit: an idle one stands still.
  wire awake = rst_i || start_i || busy_q;

  always @(posedge clk_i) begin
    if (awake) begin
      if (rst_i)        busy_q <= 1'b0;
      else if (start_i) busy_q <= 1'b1;
      else if (done_o)  busy_q <= 1'b0;
    end
  end

  `ASSERT(no_start_while_busy, !start_i || !busy_q)
endmodule

`default_nettype wire
