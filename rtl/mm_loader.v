// Reads the operands of an MM from the scratchpad and packs them into the tile memories.
//
// Shapes:      A: m x k bytes, read column by column into words of m bytes; B: k x n bytes, read
//              row by row into words of n bytes. Word t holds what the array needs in step t;
//              lanes beyond m or n are zero.
// Latency:     k*m + k*n + 2 cycles after the cycle of start_i; done_o in the last one.
// Throughput:  one byte per cycle.
// Reset:       idle.
// Does not:    check bounds (check.v).
//
//   scratchpad read | byte arrives, joins the word | a complete word is written
`default_nettype none
`include "assert.vh"

module mm_loader #(
    parameter LANES = 4             // bytes in a tile word
) (
    input  wire               clk_i,
    input  wire               rst_i,
    input  wire               start_i,
    input  wire [127:0]       insn_i,       // steady from start_i to done_o
    output wire               done_o,
    output wire               spad_re_o,
    output wire [15:0]        spad_raddr_o,
    input  wire [7:0]         spad_rdata_i,
    output wire               a_we_o,
    output wire               b_we_o,
    output wire [15:0]        tile_addr_o,
    output wire [LANES*8-1:0] tile_data_o
);
  `include "isa.vh"

  wire [15:0] a  = insn_i[MM_A_LSB +: MM_A_WIDTH];
  wire [15:0] b  = insn_i[MM_B_LSB +: MM_B_WIDTH];
  wire [11:0] k  = insn_i[MM_K_LSB +: MM_K_WIDTH];
  wire [7:0]  m  = insn_i[MM_M_LSB +: MM_M_WIDTH];
  wire [7:0]  n  = insn_i[MM_N_LSB +: MM_N_WIDTH];
  wire [15:0] sa = {4'd0, insn_i[MM_SA_LSB +: MM_SA_WIDTH]};
  wire [15:0] sb = {4'd0, insn_i[MM_SB_LSB +: MM_SB_WIDTH]};
  wire        bt = insn_i[MM_BT_LSB];

  // Read side: which byte is asked for.
  reg         ask_q;
  reg         of_b_q;       // A is finished, B is read
  reg  [7:0]  lane_q;
  reg  [11:0] step_q;
  reg  [15:0] addr_q;
  reg  [15:0] base_q;       // address of lane 0 of this step
  // Write side: where the byte that arrives goes, and the word that is being written.
  reg         byte_vld_q;
  reg         byte_last_q;  // it completes its word
  reg  [7:0]  wlane_q;
  reg         full_q;       // word_q is complete
  reg         wof_b_q;
  reg  [15:0] wstep_q;
  reg  [LANES*8-1:0] word_q;

  // Lanes of A are rows, sa apart, and a step is the next column. The same holds for a transposed
  // B; a plain B has its lanes side by side and its steps sb apart.
  wire [15:0] lane_stride = !of_b_q ? sa : (bt ? sb : 16'd1);
  wire [15:0] step_stride = (of_b_q && !bt) ? sb : 16'd1;
  wire        lane_last   = lane_q == (of_b_q ? n : m) - 8'd1;
  wire        step_last   = step_q == k - 12'd1;
  wire        wstep_last  = wstep_q[11:0] == k - 12'd1;
  // Clocks the write side: an idle loader stands still.
  wire        awake       = rst_i || start_i || ask_q || byte_vld_q || full_q;
  wire        reading     = rst_i || start_i || ask_q;

  always @(posedge clk_i) begin
    if (reading) begin
      if (rst_i) begin
        ask_q <= 1'b0;
      end else if (start_i) begin
        ask_q  <= 1'b1;
        of_b_q <= 1'b0;
        lane_q <= 8'd0;
        step_q <= 12'd0;
        addr_q <= a;
        base_q <= a;
      end else if (!lane_last) begin
        lane_q <= lane_q + 8'd1;
        addr_q <= addr_q + lane_stride;
      end else begin
        lane_q <= 8'd0;
        if (!step_last) begin
          step_q <= step_q + 12'd1;
          base_q <= base_q + step_stride;
          addr_q <= base_q + step_stride;
        end else begin
          step_q <= 12'd0;
          base_q <= b;
          addr_q <= b;
          of_b_q <= 1'b1;
          if (of_b_q) ask_q <= 1'b0;
        end
      end
    end
  end

  always @(posedge clk_i) begin
    if (awake) begin
      if (rst_i) begin
        byte_vld_q <= 1'b0;
        full_q     <= 1'b0;
      end else if (start_i) begin
        wof_b_q <= 1'b0;
        wlane_q <= 8'd0;
        wstep_q <= 16'd0;
      end else begin
        byte_vld_q  <= ask_q;
        byte_last_q <= lane_last;
        full_q      <= byte_vld_q && byte_last_q;
        if (byte_vld_q) begin
          wlane_q <= byte_last_q ? 8'd0 : wlane_q + 8'd1;
          if (wlane_q == 8'd0) word_q <= {LANES*8{1'b0}};
          word_q[{wlane_q, 3'd0} +: 8] <= spad_rdata_i;
        end
        if (full_q) begin
          wstep_q <= wstep_last ? 16'd0 : wstep_q + 16'd1;
          if (wstep_last) wof_b_q <= 1'b1;
        end
      end
    end
  end

  assign done_o       = full_q && wof_b_q && wstep_last;
  assign spad_re_o    = ask_q;
  assign spad_raddr_o = addr_q;
  assign a_we_o       = full_q && !wof_b_q;
  assign b_we_o       = full_q && wof_b_q;
  assign tile_addr_o  = wstep_q;
  assign tile_data_o  = word_q;

  `ASSERT(no_start_while_busy, !start_i || !(ask_q || byte_vld_q || full_q))
endmodule

`default_nettype wire
