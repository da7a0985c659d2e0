// Capra: a straight-line int8 accelerator. Control, units, program, scratchpad, accumulators.
//
// Shapes:      128-bit instructions, int8 scratchpad, int32 accumulators, 32-bit external words.
// Latency:     2 cycles of control per instruction plus its unit's cycles (see the units' headers).
// Throughput:  one instruction in flight.
// Reset:       idle, counters zero. Memories keep their contents.
// Does not:    branch, or share a port: one unit works at a time.
//
// start_i (accepted unless running) samples prog_len_i and ext_words_i, clears the counters and
// begins the fetch of pc 0 in the next cycle. The host writes the program memory while the machine
// is not running; a write while it runs is dropped. External reads are answered in order, the
// reference memory takes 8 cycles.
//
// retire_valid_o is registered: it is seen in the cycle after the instruction's last cycle. In that
// cycle the instruction's writes are visible in mem of u_spad and u_acc and in external memory, and
// retire_cycle_o (= total_o) is the total after the instruction's last cycle. HALT retires in its
// decode cycle, so its retire is seen together with state_o = halted.
`default_nettype none
`include "assert.vh"

module capra_top #(
    parameter SPAD_BYTES = 8192,
    parameter ACC_WORDS  = 1024,
    parameter PROG_WORDS = 1024,
    parameter TILE_ROWS  = 4,
    parameter TILE_COLS  = 4,
    parameter TILE_DEPTH = 256
) (
    input  wire         clk_i,
    input  wire         rst_i,
    input  wire         start_i,
    input  wire         prog_we_i,
    input  wire [15:0]  prog_addr_i,
    input  wire [127:0] prog_data_i,
    input  wire [15:0]  prog_len_i,
    input  wire [24:0]  ext_words_i,
    output wire         ext_re_o,
    output wire [23:0]  ext_addr_o,
    input  wire         ext_rvalid_i,
    input  wire [31:0]  ext_rdata_i,
    output wire         ext_we_o,
    output wire [31:0]  ext_wdata_o,
    output wire [1:0]   state_o,
    output wire [3:0]   code_o,
    output wire [15:0]  pc_o,
    output wire [63:0]  total_o,
    output wire [63:0]  matrix_o,
    output wire [63:0]  dma_o,
    output wire [63:0]  vector_o,
    output wire [63:0]  control_o,
    output wire         retire_valid_o,
    output wire [15:0]  retire_pc_o,
    output wire [1:0]   retire_unit_o,
    output wire [63:0]  retire_cycle_o
);
  `include "isa.vh"

  // One start bit a unit, numbered as in control.v: dma, mm, then the vector sub-units.
  wire [11:0]   unit_start;
  wire         dma_done, mm_done, vec_done;
  wire         dma_fault;
  wire         begun;
  wire         count_en;
  wire [1:0]   count_unit;
  wire         prog_re;
  wire [127:0] insn;
  wire         check_en;
  wire [3:0]   check_code;
  reg  [24:0]  ext_words_q;

  wire         spad_re, dma_re, mm_re, vec_re;
  wire [15:0]  spad_raddr, dma_raddr, mm_raddr, vec_raddr;
  wire [7:0]   spad_rdata;
  wire         spad_we, dma_we, vec_we;
  wire [15:0]  spad_waddr, dma_waddr, vec_waddr;
  wire [7:0]   spad_wdata, dma_wdata, vec_wdata;
  wire         acc_re;
  wire [15:0]  acc_raddr;
  wire [31:0]  acc_rdata;
  wire         acc_we;
  wire [15:0]  acc_waddr;
  wire [31:0]  acc_wdata;

  // The high nibble of the opcode names the unit, and the word is steady while the unit works.
  wire [1:0]   turn = insn[5:4];

  always @(posedge clk_i) begin
    if (begun) ext_words_q <= ext_words_i;
  end

  control #(
      .PROG_WORDS(PROG_WORDS)
  ) u_control (
      .clk_i         (clk_i),
      .rst_i         (rst_i),
      .start_i       (start_i),
      .prog_len_i    (prog_len_i),
      .prog_re_o     (prog_re),
      .insn_i        (insn),
      .check_en_o    (check_en),
      .check_code_i  (check_code),
      .begin_o       (begun),
      .unit_start_o  (unit_start),
      .done_i        (dma_done | mm_done | vec_done),
      .fault_i       (dma_fault),
      .count_en_o    (count_en),
      .count_unit_o  (count_unit),
      .state_o       (state_o),
      .code_o        (code_o),
      .pc_o          (pc_o),
      .retire_valid_o(retire_valid_o),
      .retire_pc_o   (retire_pc_o),
      .retire_unit_o (retire_unit_o)
  );

  check #(
      .SPAD_BYTES(SPAD_BYTES),
      .ACC_WORDS (ACC_WORDS),
      .TILE_ROWS (TILE_ROWS),
      .TILE_COLS (TILE_COLS),
      .TILE_DEPTH(TILE_DEPTH)
  ) u_check (
      .en_i       (check_en),
      .insn_i     (insn),
      .ext_words_i(ext_words_q),
      .code_o     (check_code)
  );

  counters u_counters (
      .clk_i    (clk_i),
      .rst_i    (rst_i),
      .clear_i  (begun),
      .en_i     (count_en),
      .unit_i   (count_unit),
      .total_o  (total_o),
      .matrix_o (matrix_o),
      .dma_o    (dma_o),
      .vector_o (vector_o),
      .control_o(control_o)
  );

  assign retire_cycle_o = total_o;

  ram_1r1w #(
      .WIDTH(128),
      .DEPTH(PROG_WORDS)
  ) u_prog (
      .clk_i  (clk_i),
      .re_i   (prog_re),
      .raddr_i(pc_o),
      .rdata_o(insn),
      .we_i   (prog_we_i && state_o != STATE_RUNNING),
      .waddr_i(prog_addr_i),
      .wdata_i(prog_data_i)
  );

  ram_1r1w #(
      .WIDTH(8),
      .DEPTH(SPAD_BYTES)
  ) u_spad (
      .clk_i  (clk_i),
      .re_i   (spad_re),
      .raddr_i(spad_raddr),
      .rdata_o(spad_rdata),
      .we_i   (spad_we),
      .waddr_i(spad_waddr),
      .wdata_i(spad_wdata)
  );

  ram_1r1w #(
      .WIDTH(32),
      .DEPTH(ACC_WORDS)
  ) u_acc (
      .clk_i  (clk_i),
      .re_i   (acc_re),
      .raddr_i(acc_raddr),
      .rdata_o(acc_rdata),
      .we_i   (acc_we),
      .waddr_i(acc_waddr),
      .wdata_i(acc_wdata)
  );

  // Enables are OR-ed, the others being idle. MM writes accumulators only.
  assign spad_re    = dma_re | mm_re | vec_re;
  assign spad_we    = dma_we | vec_we;
  assign spad_raddr = (turn == UNIT_MATRIX) ? mm_raddr : (turn == UNIT_DMA) ? dma_raddr : vec_raddr;
  assign spad_waddr = (turn == UNIT_DMA) ? dma_waddr : vec_waddr;
  assign spad_wdata = (turn == UNIT_DMA) ? dma_wdata : vec_wdata;

  dma_unit u_dma (
      .clk_i       (clk_i),
      .rst_i       (rst_i),
      .start_i     (unit_start[0]),
      .insn_i      (insn),
      .done_o      (dma_done),
      .fault_o     (dma_fault),
      .spad_re_o   (dma_re),
      .spad_raddr_o(dma_raddr),
      .spad_rdata_i(spad_rdata),
      .spad_we_o   (dma_we),
      .spad_waddr_o(dma_waddr),
      .spad_wdata_o(dma_wdata),
      .ext_re_o    (ext_re_o),
      .ext_addr_o  (ext_addr_o),
      .ext_rvalid_i(ext_rvalid_i),
      .ext_rdata_i (ext_rdata_i),
      .ext_we_o    (ext_we_o),
      .ext_wdata_o (ext_wdata_o)
  );

  mm_unit #(
      .TILE_ROWS (TILE_ROWS),
      .TILE_COLS (TILE_COLS),
      .TILE_DEPTH(TILE_DEPTH)
  ) u_mm (
      .clk_i       (clk_i),
      .rst_i       (rst_i),
      .start_i     (unit_start[1]),
      .insn_i      (insn),
      .done_o      (mm_done),
      .spad_re_o   (mm_re),
      .spad_raddr_o(mm_raddr),
      .spad_rdata_i(spad_rdata),
      .acc_we_o    (acc_we),
      .acc_waddr_o (acc_waddr),
      .acc_wdata_o (acc_wdata)
  );

  vector_unit u_vector (
      .clk_i       (clk_i),
      .rst_i       (rst_i),
      .start_i     (unit_start[11:2]),
      .insn_i      (insn),
      .done_o      (vec_done),
      .spad_re_o   (vec_re),
      .spad_raddr_o(vec_raddr),
      .spad_rdata_i(spad_rdata),
      .acc_re_o    (acc_re),
      .acc_raddr_o (acc_raddr),
      .acc_rdata_i (acc_rdata),
      .spad_we_o   (vec_we),
      .spad_waddr_o(vec_waddr),
      .spad_wdata_o(vec_wdata)
  );

  `ASSERT(spad_write_in_range, !spad_we || {16'd0, spad_waddr} < SPAD_BYTES)
  `ASSERT(acc_write_in_range, !acc_we || {16'd0, acc_waddr} < ACC_WORDS)
  `ASSERT(ext_access_in_range, !(ext_re_o || ext_we_o) || {1'b0, ext_addr_o} < ext_words_q)
endmodule

`default_nettype wire
