// Legality of one instruction: the trap code it deserves, or TRAP_NONE.
//
// Shapes:      one 128-bit instruction and the external memory size; a size of more than the
//              2^24 words that an instruction can name counts as these.
// Latency:     0, purely combinational.
// Throughput:  one instruction per cycle.
// Reset:       no state.
// Enable:      while en_i is low the verdict is TRAP_NONE: one is needed in one cycle per
//              instruction, and simulators pay for the other ones.
// Does not:    look at the program counter (control.v owns TRAP_PC_RANGE) or at any data: the
//              verdict follows from the instruction text alone (whether an index names a row,
//              dma_unit.v finds). check_mm.v does the matrix part.
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
  localparam [25:0] EXT_END  = 26'h1000000;  // of the largest external memory
  localparam [15:0] SM_N_MAX   = SM_MAX[15:0];
  localparam [15:0] AMAX_N_MAX = AMAX_MAX[15:0];

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

  // Fields of one name lie in one place in all instructions but MM.
  wire [15:0] d = insn_i[LD_D_LSB +: LD_D_WIDTH];
  wire [15:0] a = insn_i[ST_A_LSB +: ST_A_WIDTH];
  wire [15:0] b = insn_i[VADD_B_LSB +: VADD_B_WIDTH];
  wire [15:0] n = insn_i[LD_N_LSB +: LD_N_WIDTH];
  wire [23:0] x = insn_i[LD_X_LSB +: LD_X_WIDTH];
  wire [23:0] w = insn_i[LDXW_W_LSB +: LDXW_W_WIDTH];
  wire [15:0] rows = insn_i[LDX_ROWS_LSB +: LDX_ROWS_WIDTH];
  wire [15:0] cols = insn_i[RQC_COLS_LSB +: RQC_COLS_WIDTH];
  wire [7:0]  k = insn_i[TOPK_K_LSB +: TOPK_K_WIDTH];

  // The first cell behind each operand.
  wire [25:0] d_end = {10'd0, d} + {10'd0, n};
  wire [25:0] a_end = {10'd0, a} + {10'd0, n};
  wire [25:0] b_end = {10'd0, b} + {10'd0, n};
  wire [25:0] x_end = {2'd0, x} + {10'd0, n};
  // Column tables have two bytes an entry, cols entries in RQC and n in AMAXC and TOPKC.
  wire [25:0] cols_end = {10'd0, b} + {9'd0, cols, 1'b0};
  wire [25:0] row_end  = {10'd0, b} + {9'd0, n, 1'b0};
  // LUT: an entry for every byte.
  wire [25:0] lut_end  = {10'd0, b} + 26'd256;

  // LDX: all rows, whichever is read, and an index of one or two bytes. 2^24 + 2^32 needs 33 bits.
  wire [32:0] rows_end  = {9'd0, x} + {17'd0, rows} * {17'd0, n};
  wire [25:0] index_end = {10'd0, a} + (insn_i[LDX_WIDE_LSB] ? 26'd2 : 26'd1);
  // TOPK: an index and a value for every winner.
  wire [25:0] tops_end = {10'd0, d} + {17'd0, k, 1'b0};

  wire none    = n == 16'd0;
  wire k_bad   = k == 8'd0 || {8'd0, k} > n;  // and so n is not 0
  wire d_out   = d_end > SPAD_END;
  wire a_out   = a_end > SPAD_END;
  wire b_out   = b_end > SPAD_END;
  wire acc_out = a_end > ACC_END;
  wire no_rows  = none || rows == 16'd0;
  wire rows_out = rows_end > {8'd0, ext_words_i} || rows_end > {7'd0, EXT_END};
  wire w_out    = {1'b0, w} >= ext_words_i;
  wire ext_out = x_end > {1'b0, ext_words_i} || x_end > EXT_END;

  // An in-order stream may overwrite only cells it has read: the destination starts at or before
  // the source, or beyond its end.
  wire over_a = d > a && {10'd0, d} < a_end;
  wire over_b = d > b && {10'd0, d} < b_end;

  // Two stretches of cells, each given by its first cell and the one behind it, have one in common.
  function meet(input [15:0] p, input [25:0] p_end, input [15:0] q, input [25:0] q_end);
    meet = {10'd0, p} < q_end && {10'd0, q} < p_end;
  endfunction

  // What is read again: the destination lies before or behind it.
  wire over_cols = meet(d, d_end, b, cols_end);
  wire over_lut  = meet(d, d_end, b, lut_end);
  wire over_row  = meet(d, tops_end, a, a_end);
  wire over_tops = meet(d, tops_end, b, row_end);
  wire over_one  = meet(d, d_end, b, {10'd0, b} + 26'd1);

  reg [127:0] mask;   // bits the instruction may set; none of an unknown one
  reg [4:0]   bad;    // field, scratchpad, accumulator, external, overlap

  // The rules, one arm an instruction. Every streaming instruction needs n >= 1.
  always @* begin
    mask = 128'd0;
    bad  = 5'd0;
    if (en_i) case (insn_i[7:0])
      OP_HALT: mask = MASK_HALT;
      OP_LD: begin
        mask = MASK_LD;
        bad  = {none, d_out, 1'b0, ext_out, 1'b0};
      end
      OP_ST: begin
        mask = MASK_ST;
        bad  = {none, a_out, 1'b0, ext_out, 1'b0};
      end
      OP_LDX: begin
        mask = MASK_LDX;
        bad  = {no_rows, d_out || index_end > SPAD_END, 1'b0, rows_out, 1'b0};
      end
      OP_LDXW: begin
        mask = MASK_LDXW;
        bad  = {no_rows, d_out, 1'b0, w_out || rows_out, 1'b0};
      end
      OP_MM: begin
        mask = MASK_MM;
        bad  = {mm_field_bad, mm_spad_bad, mm_acc_bad, 2'd0};
      end
      OP_RQ: begin
        mask = MASK_RQ;
        bad  = insn_i[RQ_ACC_LSB] ? {none, d_out, acc_out, 2'd0}
                                  : {none, d_out || a_out, 2'd0, over_a};
      end
      OP_VADD: begin
        mask = MASK_VADD;
        bad  = {none, d_out || a_out || b_out, 2'd0, over_a || over_b};
      end
      OP_SM: begin
        mask = MASK_SM;
        bad  = {none || n > SM_N_MAX, d_out || a_out, 2'd0, over_a};
      end
      OP_AMAX: begin
        // The single result is written after the last read: no overlap rule.
        mask = MASK_AMAX;
        bad  = {none || n > AMAX_N_MAX, {10'd0, d} >= SPAD_END || a_out, 3'd0};
      end
      OP_RQC: begin
        mask = MASK_RQC;
        bad  = {none || cols == 16'd0, d_out || cols_end > SPAD_END, acc_out, 1'b0, over_cols};
      end
      OP_AMAXC: begin
        mask = MASK_AMAXC;
        bad  = {none || n > AMAX_N_MAX, {10'd0, d} >= SPAD_END || row_end > SPAD_END, acc_out,
                2'd0};
      end
      OP_TOPK: begin
        mask = MASK_TOPK;
        bad  = {k_bad || n > AMAX_N_MAX, tops_end > SPAD_END || a_out, 2'd0, over_row};
      end
      OP_TOPKC: begin
        mask = MASK_TOPKC;
        bad  = {k_bad || n > AMAX_N_MAX, tops_end > SPAD_END || row_end > SPAD_END, acc_out, 1'b0,
                over_tops};
      end
      OP_VMUL: begin
        mask = MASK_VMUL;
        bad  = insn_i[VMUL_BCAST_LSB]
               ? {none, d_out || a_out || {10'd0, b} >= SPAD_END, 2'd0, over_a || over_one}
               : {none, d_out || a_out || b_out, 2'd0, over_a || over_b};
      end
      OP_LUT: begin
        mask = MASK_LUT;
        bad  = {none, d_out || a_out || lut_end > SPAD_END, 2'd0, over_a || over_lut};
      end
      default: ;
    endcase
  end

  always @* begin
    if (!en_i)                           code_o = TRAP_NONE;
    else if (mask == 128'd0)             code_o = TRAP_ILLEGAL_OPCODE;
    else if ((insn_i & ~mask) != 128'd0) code_o = TRAP_RESERVED_BITS;
    else if (bad[4])                     code_o = TRAP_FIELD_RANGE;
    else if (bad[3])                     code_o = TRAP_SPAD_RANGE;
    else if (bad[2])                     code_o = TRAP_ACC_RANGE;
    else if (bad[1])                     code_o = TRAP_EXT_RANGE;
    else if (bad[0])                     code_o = TRAP_OVERLAP;
    else                                 code_o = TRAP_NONE;
  end
endmodule

`default_nettype wire
