// RQC: n accumulators requantised to scratchpad bytes, with one multiplier a column.
//
// Shapes:      n int32 in, rows of cols elements; cols 16-bit multipliers; n int8 out.
// Latency:     2n + 2 cycles.
// Throughput:  one value every two cycles: its multiplier is two bytes, read through one port.
// Reset:       idle.
// Does not:    check bounds or overlap (check.v), read operands (column_reader.v), or do the
//              arithmetic (requant.v).
//
//   low byte read | high byte, accumulator read | pair valid, multiplied | rounded, written
`default_nettype none
`include "assert.vh"

module rqc_unit (
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
  reg  [15:0] waddr_q;

  wire        ask;
  wire        pair_vld;
  wire [15:0] mult;
  wire        out_vld;

  column_reader u_reader (
      .clk_i       (clk_i),
      .rst_i       (rst_i),
      .start_i     (start_i),
      .en_i        (busy_q),
      .a_i         (insn_i[RQC_A_LSB +: RQC_A_WIDTH]),
      .b_i         (insn_i[RQC_B_LSB +: RQC_B_WIDTH]),
      .n_i         (insn_i[RQC_N_LSB +: RQC_N_WIDTH]),
      .cols_i      (insn_i[RQC_COLS_LSB +: RQC_COLS_WIDTH]),
      .ask_o       (ask),
      .spad_re_o   (spad_re_o),
      .spad_raddr_o(spad_raddr_o),
      .spad_rdata_i(spad_rdata_i),
      .acc_re_o    (acc_re_o),
      .acc_raddr_o (acc_raddr_o),
      .valid_o     (pair_vld),
      .mult_o      (mult)
  );

  // Only the multiplication looks at the multiplier, so it may change from value to value.
  requant u_requant (
      .clk_i  (clk_i),
      .rst_i  (rst_i),
      .en_i   (busy_q),
      .valid_i(pair_vld),
      .x_i    (acc_rdata_i),
      .mult_i ({15'd0, mult}),
      .shift_i(insn_i[RQC_SHIFT_LSB +: RQC_SHIFT_WIDTH]),
      .relu_i (insn_i[RQC_RELU_LSB]),
      .valid_o(out_vld),
      .prod_o (),
      .y_o    (spad_wdata_o)
  );

  // Clocks the unit: an idle one stands still.
  wire awake = rst_i || start_i || busy_q;

  always @(posedge clk_i) begin
    if (awake) begin
      if (rst_i) begin
        busy_q <= 1'b0;
      end else if (start_i) begin
        busy_q  <= 1'b1;
        waddr_q <= insn_i[RQC_D_LSB +: RQC_D_WIDTH];
      end else begin
        if (out_vld) waddr_q <= waddr_q + 16'd1;
        if (done_o) busy_q <= 1'b0;
      end
    end
  end

  // Values come every other cycle: the one without a read at the same time is the last.
  assign done_o       = out_vld && !ask;
  assign spad_we_o    = out_vld;
  assign spad_waddr_o = waddr_q;

  `ASSERT(no_start_while_busy, !start_i || !busy_q)
endmodule

`default_nettype wire
