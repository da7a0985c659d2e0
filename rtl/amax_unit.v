// AMAX: index of the largest of n scratchpad bytes; the lowest index wins a tie.
//
// Shapes:      n int8 in (n up to 128, so that the index is an int8), one int8 out.
// Latency:     n + 3 cycles.
// Throughput:  one element per cycle.
// Reset:       idle.
// Does not:    check bounds or n (check.v), or store the value found.
//
//   read | byte arrives, is registered | compared with the best | (after the last) index written
`default_nettype none
`include "assert.vh"

module amax_unit (
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
  reg        ask_q;     // reads are being issued
  reg [15:0] left_q;    // reads to issue, this one included
  reg [15:0] raddr_q;
  reg        byte_vld_q;
  reg        x_vld_q;
  reg [7:0]  x_q;
  reg [7:0]  index_q;   // index of x_q
  reg [7:0]  best_q;
  reg [7:0]  arg_q;     // index of best_q
  reg        write_q;

  // Strictly greater keeps the lowest index; the first element always wins.
  wire better = index_q == 8'd0 || $signed(x_q) > $signed(best_q);

  // Clocks the unit: an idle one stands still.
  wire awake = rst_i || start_i || busy_q;

  always @(posedge clk_i) begin
    if (awake) begin
      if (rst_i) begin
        busy_q     <= 1'b0;
        ask_q      <= 1'b0;
        byte_vld_q <= 1'b0;
        x_vld_q    <= 1'b0;
        write_q    <= 1'b0;
      end else if (start_i) begin
        busy_q  <= 1'b1;
        ask_q   <= 1'b1;
        left_q  <= insn_i[AMAX_N_LSB +: AMAX_N_WIDTH];
        raddr_q <= insn_i[AMAX_A_LSB +: AMAX_A_WIDTH];
        index_q <= 8'd0;
      end else begin
        byte_vld_q <= ask_q;
        x_vld_q    <= byte_vld_q;
        write_q    <= x_vld_q && !byte_vld_q;
        if (ask_q) begin
          raddr_q <= raddr_q + 16'd1;
          left_q  <= left_q - 16'd1;
          if (left_q == 16'd1) ask_q <= 1'b0;
        end
        if (byte_vld_q) x_q <= spad_rdata_i;
        if (x_vld_q) begin
          index_q <= index_q + 8'd1;
          if (better) begin
            best_q <= x_q;
            arg_q  <= index_q;
          end
        end
        if (write_q) busy_q <= 1'b0;
      end
    end
  end

  assign done_o       = write_q;
  assign spad_re_o    = ask_q;
  assign spad_raddr_o = raddr_q;
  assign spad_we_o    = write_q;
  assign spad_waddr_o = insn_i[AMAX_D_LSB +: AMAX_D_WIDTH];
  assign spad_wdata_o = arg_q;

  `ASSERT(no_start_while_busy, !start_i || !busy_q)
endmodule

`default_nettype wire
