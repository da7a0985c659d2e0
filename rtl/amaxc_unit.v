// AMAXC: index of the largest of n accumulators, each times the multiplier of its column; the
// lowest index wins a tie.
//
// Shapes:      n int32 and n 16-bit multipliers in (n up to 128, so that the index is an int8), one
//              int8 out.
// Latency:     2n + 3 cycles.
// Throughput:  one element every two cycles, see column_reader.v.
// Reset:       idle.
// Does not:    check bounds or n (check.v), round, or store the value found.
//
//   low byte read | high byte, accumulator read | pair valid, multiplied | product compared with
//   the best | (after the last) index written
`default_nettype none
`include "assert.vh"

module amaxc_unit (
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

  reg                busy_q;
  reg                prod_vld_q;
  reg signed  [47:0] prod_q;    // |x * mult| < 2^31 * 2^16
  reg         [7:0]  index_q;   // index of prod_q
  reg signed  [47:0] best_q;
  reg         [7:0]  arg_q;     // index of best_q
  reg                write_q;

  wire        ask;
  wire        pair_vld;
  wire [15:0] mult;

  column_reader u_reader (
      .clk_i       (clk_i),
      .rst_i       (rst_i),
      .start_i     (start_i),
      .en_i        (busy_q),
      .a_i         (insn_i[AMAXC_A_LSB +: AMAXC_A_WIDTH]),
      .b_i         (insn_i[AMAXC_B_LSB +: AMAXC_B_WIDTH]),
      .n_i         (insn_i[AMAXC_N_LSB +: AMAXC_N_WIDTH]),
      .cols_i      (insn_i[AMAXC_N_LSB +: AMAXC_N_WIDTH]),
      .ask_o       (ask),
      .spad_re_o   (spad_re_o),
      .spad_raddr_o(spad_raddr_o),
      .spad_rdata_i(spad_rdata_i),
      .acc_re_o    (acc_re_o),
      .acc_raddr_o (acc_raddr_o),
      .valid_o     (pair_vld),
      .mult_o      (mult)
  );

  // Strictly greater keeps the lowest index; the first element always wins.
  wire better = index_q == 8'd0 || prod_q > best_q;

  // Clocks the unit: an idle one stands still.
  wire awake = rst_i || start_i || busy_q;

  always @(posedge clk_i) begin
    if (awake) begin
      if (rst_i) begin
        busy_q     <= 1'b0;
        prod_vld_q <= 1'b0;
        write_q    <= 1'b0;
      end else if (start_i) begin
        busy_q  <= 1'b1;
        index_q <= 8'd0;
      end else begin
        prod_vld_q <= pair_vld;
        // Products come every other cycle: the one without a read at the same time is the last.
        write_q    <= prod_vld_q && !ask;
        // The multiplier is unsigned: a zero in front makes it a positive signed number.
        if (pair_vld) prod_q <= $signed(acc_rdata_i) * $signed({1'b0, mult});
        if (prod_vld_q) begin
          index_q <= index_q + 8'd1;
          if (better) begin
            best_q <= prod_q;
            arg_q  <= index_q;
          end
        end
        if (write_q) busy_q <= 1'b0;
      end
    end
  end

  assign done_o       = write_q;
  assign spad_we_o    = write_q;
  assign spad_waddr_o = insn_i[AMAXC_D_LSB +: AMAXC_D_WIDTH];
  assign spad_wdata_o = arg_q;

  `ASSERT(no_start_while_busy, !start_i || !busy_q)
endmodule

`default_nettype wire
