// TOPK: the k largest of n scratchpad bytes, with their indices; the lowest index wins a tie.
//
// Shapes:      n int8 in (n up to 128, so that an index is an int8), k indices and k bytes out.
// Latency:     k (n + 4) cycles: a pass over the row for every winner.
// Throughput:  one element per cycle.
// Reset:       idle.
// Does not:    check bounds, n or k (check.v), or compare (topk_select.v).
//
//   read | byte arrives, is registered | compared | (after the last) index written | byte written
`default_nettype none
`include "assert.vh"

module topk_unit (
    input  wire         clk_i,
    input  wire         rst_i,
    input  wire         start_i,
    input  wire [127:0] insn_i,       // steady from start_i to done_o
    output wire         done_o,
    output wire         spad_re_o,
    output wire [15:0]  spad_raddr_o,
    input  wire [7:0]   spad_rdata_i,
    output wire         spad_we_o,
    output wire [15:0]  spad_waddr_o,
    output wire [7:0]   spad_wdata_o
);
  `include "isa.vh"

  reg        busy_q;
  reg        ask_q;       // reads are being issued
  reg [15:0] left_q;      // reads to issue in this pass, this one included
  reg [15:0] raddr_q;
  reg        byte_vld_q;
  reg        x_vld_q;
  reg [7:0]  x_q;

  wire       again;

  topk_select #(
      .WIDTH(8)
  ) u_select (
      .clk_i   (clk_i),
      .rst_i   (rst_i),
      .start_i (start_i),
      .en_i    (busy_q),
      .d_i     (insn_i[TOPK_D_LSB +: TOPK_D_WIDTH]),
      .k_i     (insn_i[TOPK_K_LSB +: TOPK_K_WIDTH]),
      .valid_i (x_vld_q),
      .x_i     (x_q),
      .y_i     (x_q),
      .last_i  (!byte_vld_q),
      .again_o (again),
      .done_o  (done_o),
      .we_o    (spad_we_o),
      .waddr_o (spad_waddr_o),
      .wdata_o (spad_wdata_o)
  );

  // Clocks the unit: an idle one stands still.
  wire awake = rst_i || start_i || busy_q;

  always @(posedge clk_i) begin
    if (awake) begin
      if (rst_i) begin
        busy_q     <= 1'b0;
        ask_q      <= 1'b0;
        byte_vld_q <= 1'b0;
        x_vld_q    <= 1'b0;
      end else if (start_i || again) begin
        busy_q  <= 1'b1;
        ask_q   <= 1'b1;
        left_q  <= insn_i[TOPK_N_LSB +: TOPK_N_WIDTH];
        raddr_q <= insn_i[TOPK_A_LSB +: TOPK_A_WIDTH];
      end else begin
        byte_vld_q <= ask_q;
        x_vld_q    <= byte_vld_q;
        if (ask_q) begin
          raddr_q <= raddr_q + 16'd1;
          left_q  <= left_q - 16'd1;
          if (left_q == 16'd1) ask_q <= 1'b0;
        end
        if (byte_vld_q) x_q <= spad_rdata_i;
        if (done_o) busy_q <= 1'b0;
      end
    end
  end

  assign spad_re_o    = ask_q;
  assign spad_raddr_o = raddr_q;

  `ASSERT(no_start_while_busy, !start_i || !busy_q)
endmodule

`default_nettype wire
