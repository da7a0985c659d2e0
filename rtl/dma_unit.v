// LD, ST, LDX and LDXW: words between external memory and the scratchpad.
//
// Shapes:      n words of 32 bits outside, n bytes inside. LD keeps the low byte, ST sign-extends.
//              LDX and LDXW load as LD does, from that row of a table which an index names; LDX
//              has it in one or two scratchpad bytes, LDXW in an external word.
// Latency:     LD n + 9 cycles with a memory that answers 8 cycles after the request, ST n + 2,
//              LDX n + 13, LDXW n + 19. An index beyond the table ends LDX in its cycle 4 and LDXW
//              in its cycle 10.
// Throughput:  one word per cycle.
// Reset:       idle.
// Does not:    check bounds (check.v) or limit outstanding reads: the memory answers in order, every
//              request since reset once, and nothing else.
//
//   LD   request | 8 cycles of memory | answer registered | scratchpad write
//   ST   scratchpad read | byte arrives, is registered | external write
//   LDX  low byte read | it arrives, high byte read | it arrives | row found | as LD
//   LDXW request | 8 cycles of memory | row found | as LD
`default_nettype none
`include "assert.vh"

module dma_unit (
    input  wire         clk_i,
    input  wire         rst_i,
    input  wire         start_i,
    input  wire [127:0] insn_i,        // steady from start_i to done_o
    output wire         done_o,
    output wire         fault_o,       // with done_o: no such row, and nothing was written
    output wire         spad_re_o,
    output wire [15:0]  spad_raddr_o,
    input  wire [7:0]   spad_rdata_i,
    output wire         spad_we_o,
    output wire [15:0]  spad_waddr_o,
    output wire [7:0]   spad_wdata_o,
    output wire         ext_re_o,
    output wire [23:0]  ext_addr_o,
    input  wire         ext_rvalid_i,
    input  wire [31:0]  ext_rdata_i,
    output wire         ext_we_o,
    output wire [31:0]  ext_wdata_o
);
  `include "isa.vh"

  localparam [2:0] ST_IDLE  = 3'd0;
  localparam [2:0] ST_LOAD  = 3'd1;
  localparam [2:0] ST_STORE = 3'd2;
  localparam [2:0] ST_BYTES = 3'd3;  // LDX waits for the index
  localparam [2:0] ST_WORD  = 3'd4;  // LDXW waits for the index
  localparam [2:0] ST_ROW   = 3'd5;  // the index is there

  reg [2:0]  state_q;
  reg [2:0]  state_d;
  reg        ask_q;     // requests left to send (ST: to the scratchpad, else outside), once started
  reg [15:0] left_q;    // requests to send, this one included
  reg [15:0] spad_q;    // LD: next cell to write; else: cell being read
  reg [23:0] ext_q;     // LD: word being requested; ST: next word to write
  reg [15:0] todo_q;    // LD: answers still to be written
  reg        byte_vld_q;  // ST: the scratchpad's answer is there
  reg        data_vld_q;  // load_q or store_q is to be written
  reg [7:0]  load_q;
  reg [7:0]  store_q;     // apart from load_q, so that a load does not toggle ext_wdata_o
  reg [1:0]  byte_q;      // LDX: the byte that arrives, 1 low, 2 high
  reg [15:0] index_q;
  reg        large_q;     // the index has more than 16 bits

  // Fields of one name lie in one place in all four.
  wire [15:0] n = insn_i[LD_N_LSB +: LD_N_WIDTH];
  wire [23:0] x = insn_i[LD_X_LSB +: LD_X_WIDTH];
  wire [15:0] d = insn_i[LD_D_LSB +: LD_D_WIDTH];
  wire [15:0] a = insn_i[ST_A_LSB +: ST_A_WIDTH];

  wire is_ldx     = insn_i[7:0] == OP_LDX;
  wire is_ldxw    = insn_i[7:0] == OP_LDXW;
  wire is_load    = insn_i[7:0] == OP_LD;
  wire is_wide    = insn_i[LDX_WIDE_LSB];
  wire no_row     = large_q || index_q >= insn_i[LDX_ROWS_LSB +: LDX_ROWS_WIDTH];
  wire load_done  = data_vld_q && todo_q == 16'd1;
  wire store_done = data_vld_q && !byte_vld_q;

  always @* begin
    state_d = state_q;
    case (state_q)
      ST_LOAD:  if (load_done) state_d = ST_IDLE;
      ST_STORE: if (store_done) state_d = ST_IDLE;
      ST_BYTES: if (byte_q == 2'd2) state_d = ST_ROW;
      ST_WORD:  if (ext_rvalid_i) state_d = ST_ROW;
      ST_ROW:   state_d = no_row ? ST_IDLE : ST_LOAD;
      default: begin
        if (start_i) state_d = is_load ? ST_LOAD : is_ldx ? ST_BYTES : is_ldxw ? ST_WORD : ST_STORE;
      end
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

  // Requests: n of them, before which LDXW has one for its index. What LDX counts while its index
  // comes reaches nobody: ST_ROW begins anew.
  always @(posedge clk_i) begin
    if (awake) begin
      if (start_i || state_q == ST_ROW) begin
        ask_q  <= 1'b1;
        left_q <= n;
      end else if (ask_q) begin
        left_q <= left_q - 16'd1;
        if (left_q == 16'd1 || state_q == ST_WORD) ask_q <= 1'b0;
      end
    end
  end

  // The index.
  always @(posedge clk_i) begin
    if (awake) begin
      if (start_i) begin
        byte_q  <= 2'd0;
        large_q <= 1'b0;
      end else if (state_q == ST_BYTES) begin
        byte_q <= byte_q + 2'd1;
        if (byte_q == 2'd1) index_q <= {8'd0, spad_rdata_i};
        else if (is_wide)   index_q[15:8] <= spad_rdata_i;  // the second time it is the high byte
      end else if (state_q == ST_WORD) begin                // the last time it is the answer
        index_q <= ext_rdata_i[15:0];
        large_q <= ext_rdata_i[31:16] != 16'd0;
      end
    end
  end

  // Answers, and the two addresses.
  always @(posedge clk_i) begin
    if (awake) begin
      if (rst_i) begin
        byte_vld_q <= 1'b0;
        data_vld_q <= 1'b0;
      end else if (start_i) begin
        todo_q <= n;
        spad_q <= is_load ? d : a;
        ext_q  <= is_ldxw ? insn_i[LDXW_W_LSB +: LDXW_W_WIDTH] : x;
      end else case (state_q)
        ST_LOAD: begin
          if (ask_q) ext_q <= ext_q + 24'd1;
          data_vld_q <= ext_rvalid_i;
          if (ext_rvalid_i) load_q <= ext_rdata_i[7:0];
          if (data_vld_q) begin
            spad_q <= spad_q + 16'd1;
            todo_q <= todo_q - 16'd1;
          end
        end
        ST_STORE: begin
          if (ask_q) spad_q <= spad_q + 16'd1;
          byte_vld_q <= ask_q;
          data_vld_q <= byte_vld_q;
          if (byte_vld_q) store_q <= spad_rdata_i;
          if (data_vld_q) ext_q <= ext_q + 24'd1;
        end
        ST_BYTES: spad_q <= spad_q + 16'd1;
        ST_ROW: begin
          spad_q <= d;
          ext_q  <= x + {8'd0, index_q} * {8'd0, n};
        end
        default: ;
      endcase
    end
  end

  assign fault_o      = state_q == ST_ROW && no_row;
  assign done_o       = (state_q == ST_LOAD) ? load_done : (store_done || fault_o);
  assign spad_re_o    = (state_q == ST_STORE && ask_q)
                        || (state_q == ST_BYTES && (byte_q == 2'd0 || (byte_q == 2'd1 && is_wide)));
  assign spad_raddr_o = spad_q;
  assign spad_we_o    = state_q == ST_LOAD && data_vld_q;
  assign spad_waddr_o = spad_q;
  assign spad_wdata_o = load_q;
  assign ext_re_o     = (state_q == ST_LOAD || state_q == ST_WORD) && ask_q;
  assign ext_addr_o   = ext_q;
  assign ext_we_o     = state_q == ST_STORE && data_vld_q;
  assign ext_wdata_o  = {{24{store_q[7]}}, store_q};

  `ASSERT(no_start_while_busy, !start_i || state_q == ST_IDLE)
  `ASSERT(no_answer_unasked,
          !ext_rvalid_i || (state_q == ST_LOAD && todo_q > {15'd0, data_vld_q})
          || (state_q == ST_WORD && !ask_q))
endmodule

`default_nettype wire
