// MM: accumulators (m x n) = A (m x k) times B (k x n), from the scratchpad, through a tile.
//
// Shapes:      m <= TILE_ROWS, n <= TILE_COLS, k <= TILE_DEPTH; int8 operands, int32 results.
// Latency:     k*m + k*n + k + m + n + m*n + 5 cycles:
//                SETUP  1                accumulators emptied, loader started
//                LOAD   k*m + k*n + 2    operands to the tile memories (mm_loader.v)
//                RUN    k + m + n + 1    1 to read a tile word, 1 to skew it, k steps,
//                                        m - 1 + n - 1 to cross the array, 1 product to the adder
//                DRAIN  m*n + 1          row-major, through one output register
// Throughput:  one tile at a time.
// Reset:       idle.
// Does not:    check bounds (check.v), add to old accumulators (they are overwritten), or loop over
//              larger matrices (the compiler cuts them into tiles).
`default_nettype none
`include "assert.vh"

module mm_unit #(
    parameter TILE_ROWS  = 4,
    parameter TILE_COLS  = 4,
    parameter TILE_DEPTH = 256
) (
    input  wire         clk_i,
    input  wire         rst_i,
    input  wire         start_i,
    input  wire [127:0] insn_i,       // steady from start_i to done_o
    output wire         done_o,
    output wire         spad_re_o,
    output wire [15:0]  spad_raddr_o,
    input  wire [7:0]   spad_rdata_i,
    output wire         acc_we_o,
    output wire [15:0]  acc_waddr_o,
    output wire [31:0]  acc_wdata_o
);
  `include "isa.vh"

  localparam [2:0] ST_IDLE  = 3'd0;
  localparam [2:0] ST_SETUP = 3'd1;
  localparam [2:0] ST_LOAD  = 3'd2;
  localparam [2:0] ST_RUN   = 3'd3;
  localparam [2:0] ST_DRAIN = 3'd4;

  localparam LANES = (TILE_ROWS > TILE_COLS) ? TILE_ROWS : TILE_COLS;

  wire [11:0] k  = insn_i[MM_K_LSB +: MM_K_WIDTH];
  wire [7:0]  m  = insn_i[MM_M_LSB +: MM_M_WIDTH];
  wire [7:0]  n  = insn_i[MM_N_LSB +: MM_N_WIDTH];
  wire [15:0] sd = {4'd0, insn_i[MM_SD_LSB +: MM_SD_WIDTH]};

  reg  [2:0]  state_q;
  reg  [2:0]  state_d;
  reg  [15:0] run_q;        // cycles of RUN done; also the step being read
  reg         tile_vld_q;   // the tile memories' answer is there
  reg  [7:0]  row_q;        // DRAIN: the accumulator being taken
  reg  [7:0]  col_q;
  reg  [15:0] row_addr_q;
  reg         draining_q;
  reg         out_vld_q;
  reg  [15:0] out_addr_q;
  reg  [31:0] out_q;

  wire                   load_done;
  wire                   a_we;
  wire                   b_we;
  wire [15:0]            tile_waddr;
  wire [LANES*8-1:0]     tile_wdata;
  wire [TILE_ROWS*8-1:0] a_word;
  wire [TILE_COLS*8-1:0] b_word;
  wire [TILE_ROWS-1:0]   row_en;
  wire [TILE_COLS-1:0]   col_en;
  wire [TILE_ROWS-1:0]   shift;
  wire [TILE_ROWS*32-1:0] heads;

  wire [15:0] k16      = {4'd0, k};
  wire [15:0] run_end  = k16 + {8'd0, m} + {8'd0, n};
  wire        clear    = state_q == ST_SETUP;
  // Clock the state and the rest: what is idle stands still.
  wire        awake    = rst_i || start_i || state_q != ST_IDLE;
  wire        working  = state_q == ST_SETUP || state_q == ST_RUN || state_q == ST_DRAIN;
  wire        tile_re  = state_q == ST_RUN && run_q < k16;
  wire        run_last = state_q == ST_RUN && run_q == run_end;
  wire        col_last = col_q == n - 8'd1;
  wire        row_last = row_q == m - 8'd1;

  mm_loader #(
      .LANES(LANES)
  ) u_loader (
      .clk_i       (clk_i),
      .rst_i       (rst_i),
      .start_i     (state_q == ST_SETUP),
      .insn_i      (insn_i),
      .done_o      (load_done),
      .spad_re_o   (spad_re_o),
      .spad_raddr_o(spad_raddr_o),
      .spad_rdata_i(spad_rdata_i),
      .a_we_o      (a_we),
      .b_we_o      (b_we),
      .tile_addr_o (tile_waddr),
      .tile_data_o (tile_wdata)
  );

  ram_1r1w #(
      .WIDTH(TILE_ROWS * 8),
      .DEPTH(TILE_DEPTH)
  ) u_tile_a (
      .clk_i  (clk_i),
      .re_i   (tile_re),
      .raddr_i(run_q),
      .rdata_o(a_word),
      .we_i   (a_we),
      .waddr_i(tile_waddr),
      .wdata_i(tile_wdata[TILE_ROWS*8-1:0])
  );

  ram_1r1w #(
      .WIDTH(TILE_COLS * 8),
      .DEPTH(TILE_DEPTH)
  ) u_tile_b (
      .clk_i  (clk_i),
      .re_i   (tile_re),
      .raddr_i(run_q),
      .rdata_o(b_word),
      .we_i   (b_we),
      .waddr_i(tile_waddr),
      .wdata_i(tile_wdata[TILE_COLS*8-1:0])
  );

  systolic_array #(
      .ROWS(TILE_ROWS),
      .COLS(TILE_COLS)
  ) u_array (
      .clk_i   (clk_i),
      .en_i    (working),
      .clear_i (clear),
      .row_en_i(row_en),
      .col_en_i(col_en),
      .valid_i (tile_vld_q),
      .a_i     (a_word),
      .b_i     (b_word),
      .shift_i (shift),
      .out_o   (heads)
  );

  genvar i;
  generate
    for (i = 0; i < TILE_ROWS; i = i + 1) begin : g_row_en
      localparam [7:0] ROW = i;
      assign row_en[i] = ROW < m;
      assign shift[i]  = draining_q && row_q == ROW;
    end
    for (i = 0; i < TILE_COLS; i = i + 1) begin : g_col_en
      localparam [7:0] COL = i;
      assign col_en[i] = COL < n;
    end
  endgenerate

  always @* begin
    state_d = state_q;
    case (state_q)
      ST_SETUP: state_d = ST_LOAD;
      ST_LOAD:  if (load_done) state_d = ST_RUN;
      ST_RUN:   if (run_last) state_d = ST_DRAIN;
      ST_DRAIN: if (!draining_q) state_d = ST_IDLE;
      default:  if (start_i) state_d = ST_SETUP;
    endcase
  end

  always @(posedge clk_i) begin
    if (awake) begin
      if (rst_i) begin
        state_q    <= ST_IDLE;
        draining_q <= 1'b0;
        out_vld_q  <= 1'b0;
      end else begin
        state_q    <= state_d;
        draining_q <= run_last || (draining_q && !(col_last && row_last));
        out_vld_q  <= draining_q;
      end
    end
  end

  always @(posedge clk_i) begin
    if (working) begin
      case (state_q)
        ST_SETUP: begin
          tile_vld_q <= 1'b0;
          run_q      <= 16'd0;
          row_q      <= 8'd0;
          col_q      <= 8'd0;
          row_addr_q <= insn_i[MM_D_LSB +: MM_D_WIDTH];
        end
        ST_RUN: begin
          run_q      <= run_q + 16'd1;
          tile_vld_q <= tile_re;
        end
        ST_DRAIN: begin
          out_q      <= heads[{row_q, 5'd0} +: 32];
          out_addr_q <= row_addr_q + {8'd0, col_q};
          col_q      <= col_last ? 8'd0 : col_q + 8'd1;
          if (col_last) begin
            row_q      <= row_q + 8'd1;
            row_addr_q <= row_addr_q + sd;
          end
        end
        default: ;
      endcase
    end
  end

  assign done_o      = state_q == ST_DRAIN && !draining_q;
  assign acc_we_o    = out_vld_q;
  assign acc_waddr_o = out_addr_q;
  assign acc_wdata_o = out_q;

  `ASSERT(no_start_while_busy, !start_i || state_q == ST_IDLE)
  `ASSERT(tile_is_read_after_it_is_loaded, !tile_re || !(a_we || b_we))
endmodule

`default_nettype wire
