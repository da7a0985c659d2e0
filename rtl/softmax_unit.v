// SM: softmax of one row of int8 scores to int8 probabilities of scale 1/127.
//
// Shapes:      n int8 in, n int8 out (0..127), n up to SM_MAX; scale in 2^-20 of log2 per step.
// Latency:     4n + 31 cycles: n to find the maximum, n to sum the exponentials, 3 for the last
//              one to come through, 1 to hand the sum to the divider, 24 to divide, 2n - 1 to
//              normalise, 4 for the last one to come through.
// Throughput:  one row at a time.
// Reset:       idle.
// Does not:    keep the exponentials: the third pass reads the row again, which costs no memory of
//              SM_MAX words and is safe because the destination never runs ahead of the source.
//
//   read | byte arrives: d = max - x, u = d * scale | e = exp2(u) | sum, or low product | high
//          product, rounded and written
//
// The normalising product e * R is 16 x 24 bits and goes through one 16 x 12 multiplier twice, low
// half first; this is why the third pass takes two cycles per element.
`default_nettype none
`include "assert.vh"

module softmax_unit (
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

  localparam [2:0] ST_IDLE = 3'd0;
  localparam [2:0] ST_MAX  = 3'd1;  // n reads
  localparam [2:0] ST_SUM  = 3'd2;  // n reads
  localparam [2:0] ST_WAIT = 3'd3;  // the last element walks to the sum
  localparam [2:0] ST_LOAD = 3'd4;  // the sum is handed to the divider
  localparam [2:0] ST_DIV  = 3'd5;
  localparam [2:0] ST_NORM = 3'd6;  // n reads, one every other cycle, the first one at once
  localparam [2:0] ST_TAIL = 3'd7;  // the last element walks to its write

  // SM_ONE * 2^SM_RECIPROCAL_BITS (127 * 2^32 = 32,512 * 2^24) without the bits that the divider
  // appends as it makes its 24 quotient bits.
  localparam [23:0] DIVIDEND = SM_ONE << (SM_RECIPROCAL_BITS - 24);
  // The fraction bits of a product that u does not keep, and half of the last one it does.
  localparam U_SHIFT = SM_SCALE_BITS - SM_FRACTION_BITS;
  localparam [31:0] U_HALF = 32'd1 << (U_SHIFT - 1);

  reg [2:0]  state_q;
  reg [2:0]  state_d;
  reg [15:0] left_q;        // reads left in this pass, this one included
  reg        odd_q;         // NORM: the cycle without a read
  reg [15:0] raddr_q;
  reg [15:0] waddr_q;
  reg        max_vld_q;     // the byte that arrives belongs to the first pass
  reg        x_vld_q;       // the byte that arrives belongs to the second or third pass
  reg        u_vld_q;
  reg        e_vld_q;
  reg        p_vld_q;
  reg [7:0]  max_q;
  reg [19:0] u_q;
  reg [15:0] e_q;
  reg [23:0] sum_q;
  reg [27:0] low_q;

  wire [15:0] n     = insn_i[SM_N_LSB +: SM_N_WIDTH];
  wire [15:0] a     = insn_i[SM_A_LSB +: SM_A_WIDTH];
  wire [23:0] scale = insn_i[SM_SCALE_LSB +: SM_SCALE_WIDTH];

  wire        last    = left_q == 16'd1;
  // The last element of a pass is in the sum, or written, after this cycle.
  wire        summed  = !x_vld_q && !u_vld_q;
  wire        written = summed && !e_vld_q;
  wire        div_done;
  wire [23:0] recip;
  wire [15:0] e;
  wire        asking  = state_q == ST_MAX || state_q == ST_SUM || (state_q == ST_NORM && !odd_q);

  // max - x lies in 0..255, so eight bits of the difference are the difference. The product and
  // its rounding fit 32 bits: 255 * (2^24 - 1) + 2^11 < 2^32.
  function [19:0] exponent(input [7:0] max, input [7:0] x, input [23:0] step);
    reg [7:0]  diff;
    reg [31:0] wide;
    begin
      diff     = max - x;
      wide     = {24'd0, diff} * {8'd0, step} + U_HALF;
      exponent = wide[U_SHIFT +: 20];
    end
  endfunction

  wire [11:0] factor = e_vld_q ? recip[11:0] : recip[23:12];
  wire [27:0] part   = {12'd0, e_q} * {16'd0, factor};
  // (e * R + 2^31) >> 32, R = high * 2^12 + low; at most 127.
  wire [40:0] p_sum  = {1'b0, part, 12'd0} + {13'd0, low_q} + 41'h0_8000_0000;

  exp2 u_exp2 (
      .u_i(u_q),
      .e_o(e)
  );

  divider u_divider (
      .clk_i  (clk_i),
      .rst_i  (rst_i),
      .start_i(state_q == ST_LOAD),
      .rem_i  (DIVIDEND),
      .den_i  (sum_q),
      .done_o (div_done),
      .quot_o (recip)
  );

  always @* begin
    state_d = state_q;
    case (state_q)
      ST_MAX:  if (last) state_d = ST_SUM;
      ST_SUM:  if (last) state_d = ST_WAIT;
      ST_WAIT: if (summed) state_d = ST_LOAD;
      ST_LOAD: state_d = ST_DIV;
      ST_DIV:  if (div_done) state_d = ST_NORM;
      ST_NORM: if (last) state_d = ST_TAIL;
      ST_TAIL: if (written) state_d = ST_IDLE;
      default: if (start_i) state_d = ST_MAX;
    endcase
  end

  // Clocks the unit: an idle one stands still.
  wire awake = rst_i || start_i || state_q != ST_IDLE;

  always @(posedge clk_i) begin
    if (awake) begin
      if (rst_i) state_q <= ST_IDLE;
      else       state_q <= state_d;
    end
  end

  // Addresses and pass counters.
  always @(posedge clk_i) begin
    if (awake) begin
      if (start_i) begin
        left_q  <= n;
        raddr_q <= a;
        waddr_q <= insn_i[SM_D_LSB +: SM_D_WIDTH];
        odd_q   <= 1'b0;
      end else begin
        if (state_q == ST_NORM) odd_q <= !odd_q;
        if (asking) raddr_q <= last ? a : raddr_q + 16'd1;
        if (state_q == ST_MAX || state_q == ST_SUM || odd_q) left_q <= last ? n : left_q - 16'd1;
        if (p_vld_q) waddr_q <= waddr_q + 16'd1;
      end
    end
  end

  // The pipeline behind the read.
  always @(posedge clk_i) begin
    if (awake) begin
      if (rst_i) begin
        max_vld_q <= 1'b0;
        x_vld_q   <= 1'b0;
        u_vld_q   <= 1'b0;
        e_vld_q   <= 1'b0;
        p_vld_q   <= 1'b0;
      end else if (start_i) begin
        max_q <= 8'h80;
        sum_q <= 24'd0;
      end else begin
        max_vld_q <= state_q == ST_MAX;
        x_vld_q   <= asking && state_q != ST_MAX;
        u_vld_q   <= x_vld_q;
        e_vld_q   <= u_vld_q;
        p_vld_q   <= e_vld_q && (state_q == ST_NORM || state_q == ST_TAIL);
        if (max_vld_q && $signed(spad_rdata_i) > $signed(max_q)) max_q <= spad_rdata_i;
        if (x_vld_q) u_q <= exponent(max_q, spad_rdata_i, scale);
        if (u_vld_q) e_q <= e;
        // Harmless in the third pass, where the divider already holds its own copy.
        if (e_vld_q) begin
          sum_q <= sum_q + {8'd0, e_q};
          low_q <= part;
        end
      end
    end
  end

  assign done_o       = state_q == ST_TAIL && written;
  assign spad_re_o    = asking;
  assign spad_raddr_o = raddr_q;
  assign spad_we_o    = p_vld_q;
  assign spad_waddr_o = waddr_q;
  assign spad_wdata_o = p_sum[39:32];

  `ASSERT(no_start_while_busy, !start_i || state_q == ST_IDLE)
  `ASSERT(divider_is_idle_but_in_its_state, !div_done || state_q == ST_DIV)
endmodule

`default_nettype wire
