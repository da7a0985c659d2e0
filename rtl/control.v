// Fetch, decode, start of a unit, retire, and the run state of the machine.
//
// Shapes:      a program of prog_len_i instructions of 128 bits; one unit works at a time.
// Latency:     fetch 1 cycle and decode 1 cycle for every instruction, then the unit's own cycles.
// Throughput:  one instruction in flight.
// Reset:       idle, pc 0, code 0, nothing retiring.
// Does not:    count cycles (counters.v), judge instructions (check.v), or move data.
//
// A start pulse while running is ignored. unit_start_o is one-hot and appears in the decode cycle;
// the unit is active from the next cycle and raises done_i in its last one. The instruction word
// insn_i stays put until the next fetch, so units read their fields from it while they work.
// retire_valid_o is registered: it is seen in the cycle after an instruction's last cycle, when
// its writes are visible in the memories and the total counter holds its retire cycle.
`default_nettype none
`include "assert.vh"

module control #(
    parameter PROG_WORDS = 1024
) (
    input  wire         clk_i,
    input  wire         rst_i,
    input  wire         start_i,
    input  wire [15:0]  prog_len_i,
    output wire         prog_re_o,
    input  wire [127:0] insn_i,
    output wire         check_en_o,     // insn_i is judged; nobody asks if it is off the end
    input  wire [3:0]   check_code_i,   // verdict on insn_i
    output wire         begin_o,        // an accepted start: clears the counters
    output reg  [11:0]  unit_start_o,
    input  wire         done_i,
    input  wire         fault_i,        // with done_i: the unit gives up, there is no such row
    output wire         count_en_o,
    output wire [1:0]   count_unit_o,
    output wire [1:0]   state_o,
    output wire [3:0]   code_o,
    output wire [15:0]  pc_o,
    output wire         retire_valid_o,
    output wire [15:0]  retire_pc_o,
    output wire [1:0]   retire_unit_o
);
  `include "isa.vh"

  localparam [1:0] PH_STOP   = 2'd0;  // idle, halted or trapped
  localparam [1:0] PH_FETCH  = 2'd1;  // the program memory is read
  localparam [1:0] PH_DECODE = 2'd2;  // the word is there: check it, start its unit
  localparam [1:0] PH_RUN    = 2'd3;  // the unit works

  localparam [16:0] PROG_END = PROG_WORDS;

  reg [1:0]  phase_q;
  reg [1:0]  phase_d;
  reg [1:0]  state_q;
  reg [1:0]  state_d;
  reg [3:0]  code_q;
  reg [3:0]  code_d;
  reg [15:0] pc_q;
  reg [15:0] pc_d;
  reg        retire_d;
  reg        retire_q;
  reg [15:0] retire_pc_q;
  reg [1:0]  retire_unit_q;
  reg [15:0] len_q;

  assign begin_o = start_i && phase_q == PH_STOP;

  wire       pc_bad   = pc_q >= len_q || {1'b0, pc_q} >= PROG_END;
  wire [3:0] code     = pc_bad ? TRAP_PC_RANGE : check_code_i;
  wire [7:0] opcode   = insn_i[7:0];
  wire       is_halt  = opcode == OP_HALT;
  // The high nibble of an opcode is its unit number.
  wire [1:0] opc_unit = insn_i[5:4];

  // Clocks all registers: nothing changes here between a unit's first cycle and its last one.
  wire awake = rst_i || done_i || phase_q != PH_RUN;

  // Which unit executes the instruction, as the bits of unit_start_o. A new unit is one bit more.
  wire [11:0] unit = {opcode == OP_TOPKC, opcode == OP_TOPK, opcode == OP_VMUL, opcode == OP_LUT,
                      opcode == OP_AMAXC, opcode == OP_RQC, opcode == OP_AMAX, opcode == OP_SM,
                      opcode == OP_VADD, opcode == OP_RQ, opcode == OP_MM,
                      opcode == OP_LD || opcode == OP_ST || opcode == OP_LDX || opcode == OP_LDXW};

  always @* begin
    phase_d      = phase_q;
    state_d      = state_q;
    code_d       = code_q;
    pc_d         = pc_q;
    retire_d     = 1'b0;
    unit_start_o = 12'd0;
    case (phase_q)
      PH_FETCH: phase_d = PH_DECODE;
      PH_DECODE: begin
        if (code != TRAP_NONE) begin
          phase_d = PH_STOP;
          state_d = STATE_TRAPPED;
          code_d  = code;
        end else if (is_halt) begin
          phase_d  = PH_STOP;
          state_d  = STATE_HALTED;
          retire_d = 1'b1;
        end else begin
          phase_d      = PH_RUN;
          unit_start_o = unit;
        end
      end
      PH_RUN: begin
        if (fault_i) begin
          phase_d = PH_STOP;
          state_d = STATE_TRAPPED;
          code_d  = TRAP_INDEX_RANGE;
        end else if (done_i) begin
          phase_d  = PH_FETCH;
          pc_d     = pc_q + 16'd1;
          retire_d = 1'b1;
        end
      end
      default: begin  // PH_STOP
        if (start_i) begin
          phase_d = PH_FETCH;
          state_d = STATE_RUNNING;
          code_d  = TRAP_NONE;
          pc_d    = 16'd0;
        end
      end
    endcase
  end

  always @(posedge clk_i) begin
    if (awake) begin
      if (rst_i) begin
        phase_q  <= PH_STOP;
        state_q  <= STATE_IDLE;
        code_q   <= TRAP_NONE;
        pc_q     <= 16'd0;
        retire_q <= 1'b0;
      end else begin
        phase_q  <= phase_d;
        state_q  <= state_d;
        code_q   <= code_d;
        pc_q     <= pc_d;
        retire_q <= retire_d;
      end
    end
  end

  always @(posedge clk_i) begin
    if (awake) begin
      if (begin_o) len_q <= prog_len_i;
      if (retire_d) begin
        retire_pc_q   <= pc_q;
        retire_unit_q <= (phase_q == PH_RUN) ? opc_unit : UNIT_CONTROL;
      end
    end
  end

  assign prog_re_o      = phase_q == PH_FETCH && !pc_bad;
  assign check_en_o     = phase_q == PH_DECODE;
  assign count_en_o     = phase_q != PH_STOP;
  assign count_unit_o   = (phase_q == PH_RUN) ? opc_unit : UNIT_CONTROL;
  assign state_o        = state_q;
  assign code_o         = code_q;
  assign pc_o           = pc_q;
  assign retire_valid_o = retire_q;
  assign retire_pc_o    = retire_pc_q;
  assign retire_unit_o  = retire_unit_q;

  `ASSERT(done_only_while_running, !done_i || phase_q == PH_RUN)
  `ASSERT(fault_only_when_done, !fault_i || done_i)
  `ASSERT(decoded_word_is_known, phase_q != PH_DECODE || pc_bad || ^insn_i !== 1'bx)
endmodule

`default_nettype wire
