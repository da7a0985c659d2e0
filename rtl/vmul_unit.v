// VMUL: element-wise product of two scratchpad vectors, requantised; or of a vector and one byte.
//
// Shapes:      n int8 * n int8 -> n int8; with flag bcast, n int8 * 1 int8 -> n int8.
// Latency:     2n + 3 cycles.
// Throughput:  one element every two cycles: both operands come through the one read port, the
//              broadcast byte as well.
// Reset:       idle.
// Does not:    check bounds or overlap (check.v), or round (requant.v).
//
//   read a | read b, a arrives | b arrives, product registered | scaled | rounded, written
`default_nettype none
`include "assert.vh"

module vmul_unit (
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

  reg               busy_q;
  reg               ask_q;       // reads are being issued
  reg               second_q;    // there is a read, and it is the one of b
  reg        [15:0] left_q;      // elements to read, this one included
  reg        [15:0] aaddr_q;
  reg        [15:0] baddr_q;
  reg        [15:0] waddr_q;
  reg               b_vld_q;     // b has arrived
  reg               prod_vld_q;
  reg        [7:0]  a_q;
  reg signed [15:0] prod_q;      // at most 2^14

  wire              out_vld;

  requant u_requant (
      .clk_i  (clk_i),
      .rst_i  (rst_i),
      .en_i   (busy_q),
      .valid_i(prod_vld_q),
      .x_i    ({{16{prod_q[15]}}, prod_q}),
      .mult_i (insn_i[VMUL_MULT_LSB +: VMUL_MULT_WIDTH]),
      .shift_i(insn_i[VMUL_SHIFT_LSB +: VMUL_SHIFT_WIDTH]),
      .relu_i (1'b0),
      .valid_o(out_vld),
      .prod_o (),
      .y_o    (spad_wdata_o)
  );

  // Clocks the unit: an idle one stands still.
  wire awake = rst_i || start_i || busy_q;

  always @(posedge clk_i) begin
    if (awake) begin
      if (rst_i) begin
        busy_q     <= 1'b0;
        ask_q      <= 1'b0;
        second_q   <= 1'b0;
        b_vld_q    <= 1'b0;
        prod_vld_q <= 1'b0;
      end else if (start_i) begin
        busy_q  <= 1'b1;
        ask_q   <= 1'b1;
        left_q  <= insn_i[VMUL_N_LSB +: VMUL_N_WIDTH];
        aaddr_q <= insn_i[VMUL_A_LSB +: VMUL_A_WIDTH];
        baddr_q <= insn_i[VMUL_B_LSB +: VMUL_B_WIDTH];
        waddr_q <= insn_i[VMUL_D_LSB +: VMUL_D_WIDTH];
      end else begin
        b_vld_q    <= second_q;
        prod_vld_q <= b_vld_q;
        if (ask_q) second_q <= !second_q;
        if (second_q) begin
          a_q     <= spad_rdata_i;
          aaddr_q <= aaddr_q + 16'd1;
          if (!insn_i[VMUL_BCAST_LSB]) baddr_q <= baddr_q + 16'd1;
          left_q  <= left_q - 16'd1;
          if (left_q == 16'd1) ask_q <= 1'b0;
        end
        if (b_vld_q) prod_q <= $signed(a_q) * $signed(spad_rdata_i);
        if (out_vld) waddr_q <= waddr_q + 16'd1;
        if (done_o) busy_q <= 1'b0;
      end
    end
  end

  // Values come every other cycle: the one without an arrival at the same time is the last.
  assign done_o       = out_vld && !b_vld_q;
  assign spad_re_o    = ask_q;
  assign spad_raddr_o = second_q ? baddr_q : aaddr_q;
  assign spad_we_o    = out_vld;
  assign spad_waddr_o = waddr_q;

  `ASSERT(no_start_while_busy, !start_i || !busy_q)
endmodule

`default_nettype wire
