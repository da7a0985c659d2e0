// Bench of capra_top: one hand-worked program through every unit, the host port, starts, traps and
// restarts. Long comparisons belong to replay_tb.
`default_nettype none

module capra_top_tb;
  localparam NAME = "capra_top";
  `include "isa.vh"
  `include "bench.vh"

  reg          rst = 1'b1;
  reg          start = 1'b0;
  reg          prog_we = 1'b0;
  reg  [15:0]  prog_addr = 16'd0;
  reg  [127:0] prog_data = 128'd0;
  reg  [15:0]  prog_len = 16'd0;
  reg  [24:0]  ext_words = 25'd256;
  wire         ext_re, ext_rvalid, ext_we, retire;
  wire [23:0]  ext_addr;
  wire [31:0]  ext_rdata, ext_wdata;
  wire [1:0]   state, retire_unit;
  wire [3:0]   code;
  wire [15:0]  pc, retire_pc;
  wire [63:0]  total, matrix, dma, vector, control, retire_cycle;

  capra_top dut (
      .clk_i         (clk),
      .rst_i         (rst),
      .start_i       (start),
      .prog_we_i     (prog_we),
      .prog_addr_i   (prog_addr),
      .prog_data_i   (prog_data),
      .prog_len_i    (prog_len),
      .ext_words_i   (ext_words),
      .ext_re_o      (ext_re),
      .ext_addr_o    (ext_addr),
      .ext_rvalid_i  (ext_rvalid),
      .ext_rdata_i   (ext_rdata),
      .ext_we_o      (ext_we),
      .ext_wdata_o   (ext_wdata),
      .state_o       (state),
      .code_o        (code),
      .pc_o          (pc),
      .total_o       (total),
      .matrix_o      (matrix),
      .dma_o         (dma),
      .vector_o      (vector),
      .control_o     (control),
      .retire_valid_o(retire),
      .retire_pc_o   (retire_pc),
      .retire_unit_o (retire_unit),
      .retire_cycle_o(retire_cycle)
  );

  ext_mem #(
      .WORDS(256)
  ) u_ext (
      .clk_i   (clk),
      .rst_i   (rst),
      .words_i (ext_words),
      .re_i    (ext_re),
      .addr_i  (ext_addr),
      .rvalid_o(ext_rvalid),
      .rdata_o (ext_rdata),
      .we_i    (ext_we),
      .wdata_i (ext_wdata)
  );

  always @(negedge clk) begin
    if (!rst) begin
      if (^{ext_re, ext_we, retire, state, code, pc} === 1'bx) fail("no X on an output", 0, 0);
      if (^{total, matrix, dma, vector, control} === 1'bx) fail("no X on a counter", 0, 0);
      if (total !== matrix + dma + vector + control) fail("parts_add_up", total, 0);
      if (retire && ^{retire_pc, retire_unit, retire_cycle} === 1'bx) fail("no X", 0, 0);
    end
  end

  task host(input integer at, input [127:0] word);
    begin
      prog_we   = 1'b1;
      prog_addr = at;
      prog_data = word;
      @(negedge clk);
      prog_we = 1'b0;
    end
  endtask

  function [127:0] stream(input [7:0] op, input [15:0] d, input [15:0] a, input [15:0] b,
                          input [15:0] n, input [31:0] top);
    stream = {top, 16'd0, n, b, a, d, 8'd0, op};
  endfunction

  task go(input integer len);
    begin
      prog_len = len;
      start = 1'b1;
      @(negedge clk);
      start = 1'b0;
    end
  endtask

  // The next retire is this one.
  task expect_retire(input integer at, input integer cycle, input [1:0] unit);
    begin
      while (retire !== 1'b1) @(negedge clk);
      expect_eq("retire_pc", {48'd0, retire_pc}, at);
      expect_eq("retire_cycle", retire_cycle, cycle);
      expect_eq("retire_unit", {62'd0, retire_unit}, {62'd0, unit});
      @(negedge clk);
    end
  endtask

  task expect_stop(input [48*8-1:0] law, input [1:0] state_want, input [3:0] code_want,
                   input integer pc_want, input integer cycles);
    begin
      while (state === STATE_RUNNING) @(negedge clk);
      expect_eq(law, {42'd0, state, code, pc}, {42'd0, state_want, code_want, pc_want[15:0]});
      expect_eq(law, total, cycles);
      repeat (3) @(negedge clk);
      expect_eq("stopped_counts_nothing", total, cycles);
    end
  endtask

  function [63:0] spad_byte(input integer addr);
    spad_byte = {56'd0, dut.u_spad.mem[addr]};
  endfunction

  integer i;

  initial begin
    for (i = 0; i < 256; i = i + 1) u_ext.mem[i] = 32'd0;
    // h = (1 -2 3), W = (4 5 6): h W = 12
    u_ext.mem[0] = 32'd1;
    u_ext.mem[1] = -32'sd2;
    u_ext.mem[2] = 32'd3;
    u_ext.mem[3] = 32'd4;
    u_ext.mem[4] = 32'd5;
    u_ext.mem[5] = 32'd6;
    @(negedge clk);
    @(negedge clk);
    rst = 1'b0;
    expect_eq("idle_after_reset", {42'd0, state, code, pc}, 64'd0);
    host(0, stream(8'h10, 16'd0, 16'd0, 16'd0, 16'd6, 32'd0));
    // d = 7, a = 0, b = 3, k = 3, m = 1, n = 1, strides 3, 1, 1
    host(1, {12'd1, 12'd1, 12'd3, 8'd1, 8'd1, 12'd3, 16'd3, 16'd0, 16'd7, 8'd0, 8'h20});
    // acc 7 * 3 / 2^1 = 18 -> spad 10
    host(2, {1'b0, 31'd3, 10'd0, 6'd1, 16'd1, 16'd0, 16'd7, 16'd10, 8'd1, 8'h30});
    // spad 20..22 = (1 -2 3) + (4 5 6) = 5 3 9
    host(3, stream(8'h31, 16'd20, 16'd0, 16'd3, 16'd3, 32'd0));
    // softmax of (5 3 9) with the largest scale: 0 0 127
    host(4, stream(8'h32, 16'd30, 16'd20, 16'd0, 16'd3, 32'h00ffffff));
    host(5, stream(8'h33, 16'd40, 16'd30, 16'd0, 16'd3, 32'd0));
    host(6, stream(8'h11, 16'd0, 16'd30, 16'd0, 16'd3, 32'd253));
    host(7, 128'h01);
    go(8);
    // 2 + (6 + 9); 2 + (3 + 3 + 3 + 1 + 1 + 1 + 5); 2 + 3; 2 + 8; 2 + 43; 2 + 6; 2 + 5; 2
    host(0, 128'h01);  // dropped: it runs
    start = 1'b1;      // ignored: it runs
    @(negedge clk);
    start = 1'b0;
    expect_retire(0, 17, UNIT_DMA);
    expect_eq("writes_are_visible_at_retire", spad_byte(5), 64'd6);
    expect_retire(1, 36, UNIT_MATRIX);
    expect_eq("writes_are_visible_at_retire", {32'd0, dut.u_acc.mem[7]}, 64'd12);
    expect_retire(2, 41, UNIT_VECTOR);
    expect_eq("writes_are_visible_at_retire", spad_byte(10), 64'd18);
    expect_retire(3, 51, UNIT_VECTOR);
    expect_eq("vadd", spad_byte(20), 64'd5);
    expect_eq("vadd", spad_byte(21), 64'd3);
    expect_eq("vadd", spad_byte(22), 64'd9);
    expect_retire(4, 96, UNIT_VECTOR);
    expect_eq("softmax", spad_byte(30), 64'd0);
    expect_eq("softmax", spad_byte(32), 64'd127);
    expect_retire(5, 104, UNIT_VECTOR);
    expect_eq("amax", spad_byte(40), 64'd2);
    expect_retire(6, 111, UNIT_DMA);
    expect_eq("st", {32'd0, u_ext.mem[253]}, 64'd0);
    expect_eq("st", {32'd0, u_ext.mem[255]}, 64'd127);
    expect_retire(7, 113, UNIT_CONTROL);
    expect_stop("halts", STATE_HALTED, TRAP_NONE, 7, 113);
    expect_eq("matrix_cycles", matrix, 64'd17);
    expect_eq("dma_cycles", dma, 64'd20);
    expect_eq("vector_cycles", vector, 64'd60);
    expect_eq("control_cycles", control, 64'd16);
    // the same program again: it survived, counters start afresh
    go(8);
    expect_retire(0, 17, UNIT_DMA);
    expect_stop("restarts", STATE_HALTED, TRAP_NONE, 7, 113);
    // one word less of external memory: the ST traps and writes nothing
    u_ext.mem[253] = 32'd99;
    ext_words = 25'd255;
    go(8);
    ext_words = 25'd256;  // sampled at the start
    expect_stop("traps", STATE_TRAPPED, TRAP_EXT_RANGE, 6, 106);
    expect_eq("a_trap_writes_nothing", {32'd0, u_ext.mem[253]}, 64'd99);
    // off the end, and empty
    go(3);
    expect_stop("runs_off_the_end", STATE_TRAPPED, TRAP_PC_RANGE, 3, 43);
    go(0);
    expect_stop("empty_program", STATE_TRAPPED, TRAP_PC_RANGE, 0, 2);
    // reset in the middle, then a clean run; host writes beyond the program memory are dropped
    go(8);
    repeat (30) @(negedge clk);
    rst = 1'b1;
    @(negedge clk);
    rst = 1'b0;
    expect_eq("reset_stops", {42'd0, state, code, pc}, 64'd0);
    expect_eq("reset_clears_the_counters", total, 64'd0);
    host(1024, 128'h00);
    go(8);
    expect_stop("runs_after_reset", STATE_HALTED, TRAP_NONE, 7, 113);
    finish;
  end
endmodule

`default_nettype wire
