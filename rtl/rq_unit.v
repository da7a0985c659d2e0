// RQ: n accumulators, or n scratchpad bytes, requantised to scratchpad bytes.
//
// Shapes:      n int32 (flag acc) or n int8 in, n int8 out.
// Latency:     n + 2 cycles.
// Throughput:  one value per cycle.
// Reset:       idle.
// Does not:    check bounds or overlap (check.v), or do the arithmetic (requant.v).
//
//   source read | value arrives, is multiplied | rounded, saturated, written
//
// A byte is written two cycles after it is read, so a destination at or before its source is safe.
`default_nettype none
`include "assert.vh"

module rq_unit (
    input  wire         clk_i,
    input  wire         rst_i,
    input  wire         start_i,
    input  wire [127:0] insn_i,       // steady from start_i to done_o
    output wire         done_o,
    output wire         spad_re_o,
    output wire         acc_re_o,
    output wire [15:0]  raddr_o,      // address of either source
    input  wire [7:0]   spad_rdata_i,
    input  wire [31:0]  acc_rdata_i,
    output wire         spad_we_o,
    output wire [15:0]  spad_waddr_o,
    output wire [7:0]   spad_wdata_o
);
  `include "isa.vh"

  wire from_acc = insn_i[RQ_ACC_LSB];

  reg        busy_q;
  reg        ask_q;     // reads are being issued
  reg [15:0] left_q;    // reads to issue, this one included
  reg [15:0] raddr_q;
  reg [15:0] waddr_q;
  reg        vld_q;     // the memory's answer is there

  wire       out_vld;

  // Bytes meant for other units stop here, before they are widened.
  wire [7:0]  spad_byte = spad_rdata_i & {8{vld_q}};
  wire [31:0] x         = from_acc ? acc_rdata_i : {{24{spad_byte[7]}}, spad_byte};

  requant u_requant (
      .clk_i  (clk_i),
      .rst_i  (rst_i),
      .en_i   (busy_q),
      .valid_i(vld_q),
      .x_i    (x),
      .mult_i (insn_i[RQ_MULT_LSB +: RQ_MULT_WIDTH]),
      .shift_i(insn_i[RQ_SHIFT_LSB +: RQ_SHIFT_WIDTH]),
      .relu_i (insn_i[RQ_RELU_LSB]),
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
        ask_q  <= 1'b0;
        vld_q  <= 1'b0;
      end else if (start_i) begin
        busy_q  <= 1'b1;
        ask_q   <= 1'b1;
        left_q  <= insn_i[RQ_N_LSB +: RQ_N_WIDTH];
        raddr_q <= insn_i[RQ_A_LSB +: RQ_A_WIDTH];
        waddr_q <= insn_i[RQ_D_LSB +: RQ_D_WIDTH];
      end else begin
        vld_q <= ask_q;
        if (ask_q) begin
          raddr_q <= raddr_q + 16'd1;
          left_q  <= left_q - 16'd1;
          if (left_q == 16'd1) ask_q <= 1'b0;
        end
        if (out_vld) waddr_q <= waddr_q + 16'd1;
        if (done_o) busy_q <= 1'b0;
      end
    end
  end

  // The stream has no gaps: the first write without a successor is the last one.
  assign done_o       = out_vld && !vld_q;
  assign spad_re_o    = ask_q && !from_acc;
  assign acc_re_o     = ask_q && from_acc;
  assign raddr_o      = raddr_q;
  assign spad_we_o    = out_vld;
  assign spad_waddr_o = waddr_q;

  `ASSERT(no_start_while_busy, !start_i || !busy_q)
endmodule

`default_nettype wire
