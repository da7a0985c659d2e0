// LUT: n scratchpad bytes replaced by their entries in a table of 256 bytes in the scratchpad.
//
// Shapes:      n int8 in, n int8 out; entry e of the table is the image of the byte e, unsigned.
// Latency:     2n + 2 cycles.
// Throughput:  one element every two cycles: byte and entry come through the one read port.
// Reset:       idle.
// Does not:    check bounds or overlap (check.v).
//
//   byte read | byte arrives, its entry read | entry arrives, is registered | written
`default_nettype none
`include "assert.vh"

module lut_unit (
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
  reg        ask_q;        // reads are being issued
  reg        second_q;     // there is a read, and it is the one of the entry
  reg [15:0] left_q;       // elements to read, this one included
  reg [15:0] aaddr_q;
  reg [15:0] waddr_q;
  reg        entry_vld_q;  // the entry has arrived
  reg        y_vld_q;
  reg [7:0]  y_q;

  // Clocks the unit: an idle one stands still.
  wire awake = rst_i || start_i || busy_q;

  always @(posedge clk_i) begin
    if (awake) begin
      if (rst_i) begin
        busy_q      <= 1'b0;
        ask_q       <= 1'b0;
        second_q    <= 1'b0;
        entry_vld_q <= 1'b0;
        y_vld_q     <= 1'b0;
      end else if (start_i) begin
        busy_q  <= 1'b1;
        ask_q   <= 1'b1;
        left_q  <= insn_i[LUT_N_LSB +: LUT_N_WIDTH];
        aaddr_q <= insn_i[LUT_A_LSB +: LUT_A_WIDTH];
        waddr_q <= insn_i[LUT_D_LSB +: LUT_D_WIDTH];
      end else begin
        entry_vld_q <= second_q;
        y_vld_q     <= entry_vld_q;
        if (ask_q) second_q <= !second_q;
        if (second_q) begin
          aaddr_q <= aaddr_q + 16'd1;
          left_q  <= left_q - 16'd1;
          if (left_q == 16'd1) ask_q <= 1'b0;
        end
        if (entry_vld_q) y_q <= spad_rdata_i;
        if (y_vld_q) waddr_q <= waddr_q + 16'd1;
        if (done_o) busy_q <= 1'b0;
      end
    end
  end

  wire [15:0] entry_addr = insn_i[LUT_B_LSB +: LUT_B_WIDTH] + {8'd0, spad_rdata_i};

  // Entries come every other cycle: the one without a read at the same time is the last.
  assign done_o       = y_vld_q && !ask_q;
  assign spad_re_o    = ask_q;
  assign spad_raddr_o = second_q ? entry_addr : aaddr_q;
  assign spad_we_o    = y_vld_q;
  assign spad_waddr_o = waddr_q;
  assign spad_wdata_o = y_q;

  `ASSERT(no_start_while_busy, !start_i || !busy_q)
endmodule

`default_nettype wire
