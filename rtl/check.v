// Legality of one instruction: the trap code it deserves, or TRAP_NONE.
//
// Shapes:      one 128-bit instruction and the external memory size (0..2^24 words).
// Latency:     0, purely combinational.
// Throughput:  one instruction per cycle.
// Reset:       no state.
// Enable:      while en_i is low the verdict is TRAP_NONE and nothing is worked out: a verdict is
//              needed in one cycle per instruction, and simulators pay for the other ones.
// Does not:    look at the program counter (control.v owns TRAP_PC_RANGE) or at any data: the
//              verdict follows from the instruction text alone. check_mm.v does the matrix part.
//
// When several rules are broken the lowest code wins: opcode, reserved bits, field ranges, then
// scratchpad, accumulator and external addresses, then overlap. A new instruction is one more arm
// of the case below.
`default_nettype none

module check #(
    parameter SPAD_BYTES = 8192,
    parameter ACC_WORDS  = 1024,
    parameter TILE_ROWS  = 4,
    parameter TILE_COLS  = 4,
    parameter TILE_DEPTH = 256
) (
    input  wire         en_i,         // the decode cycle
    input  wire [127:0] insn_i,
    input  wire [24:0]  ext_words_i,
    output reg  [3:0]   code_o
);
  `include "isa.vh"

  // Ends are compared in 26 bits: the largest, x + n, needs 25.
  localparam [25:0] SPAD_END = SPAD_BYTES;
  localparam [25:0] ACC_END  = ACC_WORDS;
  localparam [15:0] SM_N_MAX   = SM_MAX[15:0];
  localparam [15:0] AMAX_N_MAX = AMAX_MAX[15:0];

  // First cell after `count` cells from `start`; both are 16-bit fields.
  function [25:0] stop_of(input [15:0] start, input [15:0] count);
    stop_of = {10'd0, start} + {10'd0, count};
  endfunction

  // An in-order stream may overwrite only cells it has read: the destination starts at or before
  // the source, or beyond its end.
  function clobbers(input [15:0] dest, input [15:0] source, input [15:0] count);
    clobbers = dest > source && {10'd0, dest} < stop_of(source, count);
  endfunction

  wire mm_field_bad;
  wire mm_spad_bad;
  wire mm_acc_bad;

  check_mm #(
      .SPAD_BYTES(SPAD_BYTES),
      .ACC_WORDS (ACC_WORDS),
      .TILE_ROWS (TILE_ROWS),
      .TILE_COLS (TILE_COLS),
      .TILE_DEPTH(TILE_DEPTH)
  ) u_check_mm (
      .en_i       (en_i),
      .insn_i     (insn_i),
      .field_bad_o(mm_field_bad),
      .spad_bad_o (mm_spad_bad),
      .acc_bad_o  (mm_acc_bad)
  );

  reg         known;
  reg [127:0] mask;
  reg         field_bad;
  reg         spad_bad;
  reg         acc_bad;
  reg         ext_bad;
  reg         overlap;
  reg [15:0]  d;
  reg [15:0]  a;
  reg [15:0]  b;
  reg [15:0]  n;
  reg [23:0]  x;

  // Operands of the arm that applies; an operand the instruction lacks is zero.
  always @* begin
    d = 16'd0;
    a = 16'd0;
    b = 16'd0;
    n = 16'd0;
    x = 24'd0;
    if (en_i) case (insn_i[7:0])
      OP_LD: begin
        d = insn_i[LD_D_LSB +: LD_D_WIDTH];
        n = insn_i[LD_N_LSB +: LD_N_WIDTH];
        x = insn_i[LD_X_LSB +: LD_X_WIDTH];
      end
      OP_ST: begin
        a = insn_i[ST_A_LSB +: ST_A_WIDTH];
        n = insn_i[ST_N_LSB +: ST_N_WIDTH];
        x = insn_i[ST_X_LSB +: ST_X_WIDTH];
      end
      OP_RQ: begin
        d = insn_i[RQ_D_LSB +: RQ_D_WIDTH];
        a = insn_i[RQ_A_LSB +: RQ_A_WIDTH];
        n = insn_i[RQ_N_LSB +: RQ_N_WIDTH];
      end
      OP_VADD: begin
        d = insn_i[VADD_D_LSB +: VADD_D_WIDTH];
        a = insn_i[VADD_A_LSB +: VADD_A_WIDTH];
        b = insn_i[VADD_B_LSB +: VADD_B_WIDTH];
        n = insn_i[VADD_N_LSB +: VADD_N_WIDTH];
      end
      OP_SM: begin
        d = insn_i[SM_D_LSB +: SM_D_WIDTH];
        a = insn_i[SM_A_LSB +: SM_A_WIDTH];
        n = insn_i[SM_N_LSB +: SM_N_WIDTH];
      end
      OP_AMAX: begin
        d = insn_i[AMAX_D_LSB +: AMAX_D_WIDTH];
        a = insn_i[AMAX_A_LSB +: AMAX_A_WIDTH];
        n = insn_i[AMAX_N_LSB +: AMAX_N_WIDTH];
      end
      default: ;
    endcase
  end

  // The rules, one arm an instruction. Every streaming instruction needs n >= 1.
  always @* begin
    known     = 1'b1;
    mask      = 128'd0;
    field_bad = (n == 16'd0);
    spad_bad  = 1'b0;
    acc_bad   = 1'b0;
    ext_bad   = 1'b0;
    overlap   = 1'b0;
    if (en_i) case (insn_i[7:0])
      OP_HALT: begin
        mask      = MASK_HALT;
        field_bad = 1'b0;
      end
      OP_LD: begin
        mask     = MASK_LD;
        spad_bad = stop_of(d, n) > SPAD_END;
        ext_bad  = {2'd0, x} + {10'd0, n} > {1'b0, ext_words_i};
      end
      OP_ST: begin
        mask     = MASK_ST;
        spad_bad = stop_of(a, n) > SPAD_END;
        ext_bad  = {2'd0, x} + {10'd0, n} > {1'b0, ext_words_i};
      end
      OP_MM: begin
        mask      = MASK_MM;
        field_bad = mm_field_bad;
        spad_bad  = mm_spad_bad;
        acc_bad   = mm_acc_bad;
      end
      OP_RQ: begin
        mask     = MASK_RQ;
        spad_bad = stop_of(d, n) > SPAD_END;
        if (insn_i[RQ_ACC_LSB]) begin
          acc_bad = stop_of(a, n) > ACC_END;
        end else begin
          spad_bad = stop_of(d, n) > SPAD_END || stop_of(a, n) > SPAD_END;
          overlap  = clobbers(d, a, n);
        end
      end
      OP_VADD: begin
        mask     = MASK_VADD;
        spad_bad = stop_of(d, n) > SPAD_END || stop_of(a, n) > SPAD_END
                   || stop_of(b, n) > SPAD_END;
        overlap  = clobbers(d, a, n) || clobbers(d, b, n);
      end
      OP_SM: begin
        mask      = MASK_SM;
        field_bad = n == 16'd0 || n > SM_N_MAX;
        spad_bad  = stop_of(d, n) > SPAD_END || stop_of(a, n) > SPAD_END;
        overlap   = clobbers(d, a, n);
      end
      OP_AMAX: begin
        // The single result is written after the last read: no overlap rule.
        mask      = MASK_AMAX;
        field_bad = n == 16'd0 || n > AMAX_N_MAX;
        spad_bad  = stop_of(d, 16'd1) > SPAD_END || stop_of(a, n) > SPAD_END;
      end
      default: known = 1'b0;
    endcase
  end

  always @* begin
    if (!en_i)                             code_o = TRAP_NONE;
    else if (!known)                       code_o = TRAP_ILLEGAL_OPCODE;
    else if ((insn_i & ~mask) != 128'd0)   code_o = TRAP_RESERVED_BITS;
    else if (field_bad)                    code_o = TRAP_FIELD_RANGE;
    else if (spad_bad)                     code_o = TRAP_SPAD_RANGE;
    else if (acc_bad)                      code_o = TRAP_ACC_RANGE;
    else if (ext_bad)                      code_o = TRAP_EXT_RANGE;
    else if (overlap)                      code_o = TRAP_OVERLAP;
    else                                   code_o = TRAP_NONE;
  end
endmodule

`default_nettype wire
