// Bench of control: the two control cycles, starts, retires, traps, halts, restarts.
`default_nettype none

module control_tb;
  localparam NAME = "control";
  `include "isa.vh"
  `include "bench.vh"

  reg          rst = 1'b1;
  reg          start = 1'b0;
  reg  [15:0]  prog_len = 16'd0;
  reg  [127:0] insn;
  reg  [3:0]   verdict = 4'd0;
  reg          done = 1'b0;
  reg          fault = 1'b0;
  wire         prog_re, begun, count_en, retire, check_en;
  wire [11:0]   unit_start;
  wire [1:0]   count_unit, state, retire_unit;
  wire [3:0]   code;
  wire [15:0]  pc, retire_pc;

  control #(
      .PROG_WORDS(8)
  ) dut (
      .clk_i         (clk),
      .rst_i         (rst),
      .start_i       (start),
      .prog_len_i    (prog_len),
      .prog_re_o     (prog_re),
      .insn_i        (insn),
      .check_en_o    (check_en),
      .check_code_i  (verdict),
      .begin_o       (begun),
      .unit_start_o  (unit_start),
      .done_i        (done),
      .fault_i       (fault),
      .count_en_o    (count_en),
      .count_unit_o  (count_unit),
      .state_o       (state),
      .code_o        (code),
      .pc_o          (pc),
      .retire_valid_o(retire),
      .retire_pc_o   (retire_pc),
      .retire_unit_o (retire_unit)
  );

  always @(negedge clk) begin
    if (!rst) begin
      if (^{prog_re, begun, count_en, retire, unit_start, state, code, pc} === 1'bx) begin
        fail("no X on a control output", 0, 0);
      end
      if (count_en && ^count_unit === 1'bx) fail("no X on the counted unit", 0, 0);
      if (retire && ^{retire_pc, retire_unit} === 1'bx) fail("no X on a retire", 0, 0);
    end
  end

  task go(input integer len);
    begin
      prog_len = len;
      start = 1'b1;
      #1 expect_eq("start_is_accepted", {63'd0, begun}, 64'd1);
      @(negedge clk);
      start = 1'b0;
      expect_eq("fetch_follows_start", {48'd0, pc}, 64'd0);
      expect_eq("running_after_start", {58'd0, state, code}, {58'd0, STATE_RUNNING, 4'd0});
    end
  endtask

  // From the fetch cycle through the unit's `cycles` to the next fetch cycle.
  task unit_insn(input [7:0] op, input integer which, input [1:0] unit, input integer cycles,
                 input integer at);
    begin
      expect_eq("fetch_reads_the_program", {63'd0, prog_re}, 64'd1);
      expect_eq("fetch_is_control", {61'd0, count_en, count_unit}, {61'd0, 1'b1, UNIT_CONTROL});
      expect_eq("nothing_starts_in_fetch", {51'd0, check_en, unit_start}, 64'd0);
      @(posedge clk);
      #1 insn = {120'd0, op};  // as the program memory answers
      @(negedge clk);
      expect_eq("decode_starts_the_unit", {52'd0, unit_start}, 64'd1 << which);
      expect_eq("decode_asks_for_a_verdict", {63'd0, check_en}, 64'd1);
      expect_eq("decode_is_control", {61'd0, count_en, count_unit}, {61'd0, 1'b1, UNIT_CONTROL});
      expect_eq("retire_lasts_one_cycle", {63'd0, retire}, 64'd0);
      @(negedge clk);
      repeat (cycles - 1) begin
        expect_eq("unit_cycles_are_its_own", {61'd0, count_en, count_unit},
                  {61'd0, 1'b1, unit});
        expect_eq("start_is_a_pulse", {51'd0, retire, unit_start}, 64'd0);
        start = 1'b1;  // ignored while running
        #1 expect_eq("start_is_ignored_while_running", {63'd0, begun}, 64'd0);
        @(negedge clk);
        start = 1'b0;
      end
      done = 1'b1;
      expect_eq("last_cycle_is_the_units", {61'd0, count_en, count_unit}, {61'd0, 1'b1, unit});
      @(negedge clk);
      done = 1'b0;
      expect_eq("retires_in_the_cycle_after", {45'd0, retire, retire_pc, retire_unit},
                {45'd0, 1'b1, at[15:0], unit});
      expect_eq("pc_moves_on", {48'd0, pc}, at + 1);
    end
  endtask

  // From the fetch cycle: one control cycle more, then stopped.
  task stops(input [48*8-1:0] law, input [7:0] op, input [3:0] judge, input [1:0] state_want,
             input [3:0] code_want, input integer pc_want);
    begin
      insn    = {120'd0, op};
      verdict = judge;
      @(negedge clk);
      expect_eq("second_control_cycle", {60'd0, count_en, count_unit, retire}, {60'd0, 4'b1000});
      expect_eq(law, {52'd0, unit_start}, 64'd0);
      @(negedge clk);
      expect_eq(law, {42'd0, state, code, pc}, {42'd0, state_want, code_want, pc_want[15:0]});
      expect_eq("stopped_counts_nothing", {63'd0, count_en}, 64'd0);
      expect_eq("only_halt_retires", {63'd0, retire}, {63'd0, state_want == STATE_HALTED});
      if (retire) begin
        expect_eq("halt_retires_as_control", {46'd0, retire_pc, retire_unit},
                  {46'd0, pc_want[15:0], UNIT_CONTROL});
      end
      verdict = 4'd0;
      @(negedge clk);
      expect_eq("retire_lasts_one_cycle", {63'd0, retire}, 64'd0);
      expect_eq(law, {42'd0, state, code, pc}, {42'd0, state_want, code_want, pc_want[15:0]});
    end
  endtask

  integer i;

  initial begin
    @(negedge clk);
    @(negedge clk);
    rst = 1'b0;
    expect_eq("idle_after_reset", {41'd0, retire, state, code, pc}, 64'd0);
    @(negedge clk);
    expect_eq("idle_counts_nothing", {63'd0, count_en}, 64'd0);
    go(8);
    unit_insn(OP_LD, 0, UNIT_DMA, 3, 0);
    unit_insn(OP_ST, 0, UNIT_DMA, 1, 1);
    unit_insn(OP_MM, 1, UNIT_MATRIX, 2, 2);
    unit_insn(OP_RQ, 2, UNIT_VECTOR, 4, 3);
    unit_insn(OP_VADD, 3, UNIT_VECTOR, 2, 4);
    unit_insn(OP_SM, 4, UNIT_VECTOR, 2, 5);
    unit_insn(OP_AMAX, 5, UNIT_VECTOR, 2, 6);
    stops("halt", OP_HALT, TRAP_NONE, STATE_HALTED, TRAP_NONE, 7);
    go(7);
    unit_insn(OP_RQC, 6, UNIT_VECTOR, 4, 0);
    unit_insn(OP_AMAXC, 7, UNIT_VECTOR, 5, 1);
    unit_insn(OP_LUT, 8, UNIT_VECTOR, 3, 2);
    unit_insn(OP_VMUL, 9, UNIT_VECTOR, 2, 3);
    unit_insn(OP_TOPK, 10, UNIT_VECTOR, 4, 4);
    unit_insn(OP_TOPKC, 11, UNIT_VECTOR, 2, 5);
    stops("halt", OP_HALT, TRAP_NONE, STATE_HALTED, TRAP_NONE, 6);
    // a unit that gives up: the last cycle is its own, nothing retires
    go(3);
    unit_insn(OP_LDX, 0, UNIT_DMA, 3, 0);
    unit_insn(OP_LDXW, 0, UNIT_DMA, 3, 1);
    insn = {120'd0, OP_LDX};
    @(negedge clk);
    expect_eq("decode_starts_the_unit", {52'd0, unit_start}, 64'd1);
    @(negedge clk);
    @(negedge clk);
    done  = 1'b1;
    fault = 1'b1;
    expect_eq("last_cycle_is_the_units", {61'd0, count_en, count_unit}, {61'd0, 1'b1, UNIT_DMA});
    @(negedge clk);
    done  = 1'b0;
    fault = 1'b0;
    expect_eq("a_fault_traps", {42'd0, state, code, pc},
              {42'd0, STATE_TRAPPED, TRAP_INDEX_RANGE, 16'd2});
    expect_eq("a_fault_does_not_retire", {62'd0, retire, count_en}, 64'd0);
    @(negedge clk);
    expect_eq("a_fault_traps", {42'd0, state, code, pc},
              {42'd0, STATE_TRAPPED, TRAP_INDEX_RANGE, 16'd2});
    expect_eq("a_fault_does_not_retire", {62'd0, retire, count_en}, 64'd0);
    // restart after a trap or a halt; a trap from the checks
    go(2);
    unit_insn(OP_RQ, 2, UNIT_VECTOR, 1, 0);
    stops("check_traps", OP_MM, TRAP_OVERLAP, STATE_TRAPPED, TRAP_OVERLAP, 1);
    go(1);
    stops("halt_with_reserved_bits_traps", OP_HALT, TRAP_RESERVED_BITS, STATE_TRAPPED,
          TRAP_RESERVED_BITS, 0);
    // off the end: the program is not read, its last word is still there and looks fine
    go(1);
    unit_insn(OP_MM, 1, UNIT_MATRIX, 2, 0);
    expect_eq("no_fetch_beyond_the_end", {63'd0, prog_re}, 64'd0);
    stops("running_off_the_end_traps", OP_HALT, TRAP_NONE, STATE_TRAPPED, TRAP_PC_RANGE, 1);
    go(1);
    unit_insn(OP_MM, 1, UNIT_MATRIX, 2, 0);
    stops("pc_range_before_the_checks", OP_HALT, TRAP_ILLEGAL_OPCODE, STATE_TRAPPED,
          TRAP_PC_RANGE, 1);
    // a length that does not fit the memory ends with the memory
    go(9);
    for (i = 0; i < 8; i = i + 1) unit_insn(OP_MM, 1, UNIT_MATRIX, 1, i);
    expect_eq("no_fetch_beyond_the_memory", {63'd0, prog_re}, 64'd0);
    stops("running_off_the_memory_traps", OP_HALT, TRAP_NONE, STATE_TRAPPED, TRAP_PC_RANGE, 8);
    go(0);
    expect_eq("no_fetch_beyond_the_end", {63'd0, prog_re}, 64'd0);
    stops("empty_program_traps", OP_HALT, TRAP_NONE, STATE_TRAPPED, TRAP_PC_RANGE, 0);
    // reset in the middle of a unit
    go(2);
    @(posedge clk);
    #1 insn = {120'd0, OP_LD};
    @(negedge clk);
    @(negedge clk);
    rst = 1'b1;
    @(negedge clk);
    rst = 1'b0;
    expect_eq("idle_after_reset", {41'd0, retire, state, code, pc}, 64'd0);
    expect_eq("idle_counts_nothing", {63'd0, count_en}, 64'd0);
    finish;
  end
endmodule

`default_nettype wire
