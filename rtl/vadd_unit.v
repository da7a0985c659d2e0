// VADD: element-wise saturating sum of two scratchpad vectors.
//
// Shapes:      n int8 + n int8 -> n int8.
// Latency:     2n + 2 cycles.
// Throughput:  one element every two cycles: both operands come through the one read port.
// Reset:       idle.
// Does not:    check bounds or overlap (check.v), or scale its operands (RQ does that first).
//
//   read a | read b, a arrives | b arrives, sum registered | write
`default_nettype none
`include "assert.vh"

module vadd_unit (
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
  reg        second_q;    // there is a read, and it is the one of b
  reg [15:0] left_q;      // elements to read, this one included
  reg [15:0] aaddr_q;
  reg [15:0] baddr_q;
  reg [15:0] waddr_q;
  reg        b_vld_q;     // b has arrived
  reg        sum_vld_q;
  reg [7:0]  a_q;
  reg [7:0]  sum_q;

  // Nine bits hold every sum; the top two are equal exactly when eight bits do as well.
  function [7:0] saturated(input [8:0] sum);
    saturated = (sum[8] == sum[7]) ? sum[7:0] : {sum[8], {7{!sum[8]}}};
  endfunction

  // Clocks the unit: an idle one stands still.
  wire awake = rst_i || start_i || busy_q;

  always @(posedge clk_i) begin
    if (awake) begin
      if (rst_i) begin
        busy_q    <= 1'b0;
        ask_q     <= 1'b0;
        second_q  <= 1'b0;
        b_vld_q   <= 1'b0;
        sum_vld_q <= 1'b0;
      end else if (start_i) begin
        busy_q   <= 1'b1;
        ask_q    <= 1'b1;
        left_q   <= insn_i[VADD_N_LSB +: VADD_N_WIDTH];
        aaddr_q  <= insn_i[VADD_A_LSB +: VADD_A_WIDTH];
        baddr_q  <= insn_i[VADD_B_LSB +: VADD_B_WIDTH];
        waddr_q  <= insn_i[VADD_D_LSB +: VADD_D_WIDTH];
      end else begin
        b_vld_q   <= second_q;
        sum_vld_q <= b_vld_q;
        if (ask_q) second_q <= !second_q;
        if (second_q) begin
          a_q     <= spad_rdata_i;
          aaddr_q <= aaddr_q + 16'd1;
          baddr_q <= baddr_q + 16'd1;
          left_q  <= left_q - 16'd1;
          if (left_q == 16'd1) ask_q <= 1'b0;
        end
        if (b_vld_q) sum_q <= saturated({a_q[7], a_q} + {spad_rdata_i[7], spad_rdata_i});
        if (sum_vld_q) waddr_q <= waddr_q + 16'd1;
        if (done_o) busy_q <= 1'b0;
      end
    end
  end

  // Sums come every other cycle: the one without a read at the same time is the last.
  assign done_o       = sum_vld_q && !ask_q;
  assign spad_re_o    = ask_q;
  assign spad_raddr_o = second_q ? baddr_q : aaddr_q;
  assign spad_we_o    = sum_vld_q;
  assign spad_waddr_o = waddr_q;
  assign spad_wdata_o = sum_q;

  `ASSERT(no_start_while_busy, !start_i || !busy_q)
endmodule

`default_nettype wire
