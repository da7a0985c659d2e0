// Bench of check and check_mm: every trap code, the priority between them, and every border from
// both sides.
`default_nettype none

module check_tb;
  localparam NAME = "check";
  `include "isa.vh"
  `include "bench.vh"

  reg  [127:0] insn = 128'd0;
  reg  [24:0]  ext_words = 25'd8192;
  reg          en = 1'b1;
  wire [3:0]   code;

  check dut (
      .en_i       (en),
      .insn_i     (insn),
      .ext_words_i(ext_words),
      .code_o     (code)
  );

  // Everything below is in the fields' own positions, written out once more on purpose.
  task gives(input [48*8-1:0] law, input [3:0] want);
    begin
      @(negedge clk);
      expect_eq(law, {60'd0, code}, {60'd0, want});
    end
  endtask

  task stream(input [7:0] op, input integer d, input integer a, input integer b,
              input integer n, input integer x);
    begin
      insn = 128'd0;
      insn[7:0]    = op;
      insn[31:16]  = d;
      insn[47:32]  = a;
      insn[63:48]  = b;
      insn[79:64]  = n;
      insn[119:96] = x;
    end
  endtask

  task topk(input [7:0] op, input integer d, input integer a, input integer b, input integer n,
            input integer k);
    stream(op, d, a, b, n, k);
  endtask

  // `at` is the index's place: a in LDX, w in LDXW.
  task ldx(input [7:0] op, input integer d, input integer at, input integer n, input integer rows,
           input integer x);
    begin
      stream(op, d, 0, 0, n, x);
      insn[55:32] = at[23:0];
      insn[95:80] = rows[15:0];
    end
  endtask

  task mm(input bt, input integer d, input integer a, input integer b, input integer m,
          input integer k, input integer n, input integer sa, input integer sb,
          input integer sd);
    begin
      insn = 128'd0;
      insn[7:0]     = 8'h20;
      insn[8]       = bt;
      insn[31:16]   = d;
      insn[47:32]   = a;
      insn[63:48]   = b;
      insn[75:64]   = k;
      insn[83:76]   = m;
      insn[91:84]   = n;
      insn[103:92]  = sa;
      insn[115:104] = sb;
      insn[127:116] = sd;
    end
  endtask

  // A legal instruction stays legal with each bit flipped only where `allowed` has a one.
  task reserved(input [127:0] allowed);
    integer     bit_no;
    reg [127:0] good;
    begin
      good = insn;
      gives("legal", 4'd0);
      for (bit_no = 8; bit_no < 128; bit_no = bit_no + 1) begin
        if (!allowed[bit_no]) begin
          insn = good;
          insn[bit_no] = 1'b1;
          gives("reserved_bit_must_be_zero", 4'd2);
        end
      end
      insn = good;
    end
  endtask

  integer op;

  task opcodes;
    for (op = 0; op < 256; op = op + 1) begin
      stream(op, 0, 0, 0, 0, 0);
      if (op == 'h01) gives("halt_is_legal", 4'd0);
      else if ((op >= 'h10 && op <= 'h13) || op == 'h20 || (op >= 'h30 && op <= 'h39)) begin
        gives("zero_count_traps", 4'd3);
      end
      else gives("illegal_opcode_traps", 4'd1);
    end
  endtask

  task masks;
    begin
      stream(8'h01, 0, 0, 0, 0, 0);
      reserved(128'h00000000_00000000_00000000_000000ff);
      stream(8'h10, 0, 0, 0, 1, 0);
      reserved(128'h00ffffff_0000ffff_00000000_ffff00ff);
      stream(8'h11, 0, 0, 0, 1, 0);
      reserved(128'h00ffffff_0000ffff_0000ffff_000000ff);
      ldx(8'h12, 0, 0, 1, 1, 0);
      reserved(128'h00ffffff_ffffffff_0000ffff_ffff01ff);
      ldx(8'h13, 0, 0, 1, 1, 0);
      reserved(128'h00ffffff_ffffffff_00ffffff_ffff00ff);
      mm(1'b0, 0, 0, 0, 1, 1, 1, 1, 1, 1);
      reserved(128'hffffffff_ffffffff_ffffffff_ffff01ff);
      stream(8'h30, 0, 0, 0, 1, 0);
      reserved(128'h7fffffff_003fffff_0000ffff_ffff03ff);
      stream(8'h31, 0, 0, 0, 1, 0);
      reserved(128'h00000000_0000ffff_ffffffff_ffff00ff);
      stream(8'h32, 0, 0, 0, 1, 0);
      reserved(128'h00ffffff_0000ffff_0000ffff_ffff00ff);
      stream(8'h33, 0, 0, 0, 1, 0);
      reserved(128'h00000000_0000ffff_0000ffff_ffff00ff);
      stream(8'h34, 0, 0, 8, 1, 1);
      reserved(128'h0000ffff_003fffff_ffffffff_ffff02ff);
      stream(8'h35, 0, 0, 8, 1, 0);
      reserved(128'h00000000_0000ffff_ffffffff_ffff00ff);
      stream(8'h36, 0, 0, 8, 1, 0);
      reserved(128'h00000000_0000ffff_ffffffff_ffff00ff);
      stream(8'h37, 0, 0, 8, 1, 0);
      reserved(128'h7fffffff_003fffff_ffffffff_ffff01ff);
      topk(8'h38, 0, 8, 0, 1, 1);
      reserved(128'h000000ff_0000ffff_0000ffff_ffff00ff);
      topk(8'h39, 0, 8, 8, 1, 1);
      reserved(128'h000000ff_003fffff_ffffffff_ffff00ff);
    end
  endtask

  task streams;
    begin
      // LD and ST: scratchpad before external range
      stream(8'h10, 8191, 0, 0, 1, 8191);   gives("ld_last_cells", 4'd0);
      stream(8'h10, 0, 0, 0, 8192, 0);      gives("ld_whole_memory", 4'd0);
      stream(8'h10, 0, 0, 0, 8193, 0);      gives("ld_one_beyond_spad", 4'd4);
      stream(8'h10, 1, 0, 0, 8192, 0);      gives("ld_one_beyond_spad", 4'd4);
      stream(8'h10, 65535, 0, 0, 65535, 0); gives("ld_far_beyond_spad", 4'd4);
      stream(8'h10, 0, 0, 0, 1, 8192);      gives("ld_one_beyond_ext", 4'd6);
      stream(8'h10, 0, 0, 0, 2, 8191);      gives("ld_one_beyond_ext", 4'd6);
      stream(8'h10, 0, 0, 0, 1, 16777215);  gives("ld_far_beyond_ext", 4'd6);
      stream(8'h10, 8192, 0, 0, 1, 8192);   gives("spad_before_ext", 4'd4);
      stream(8'h11, 0, 8191, 0, 1, 8191);   gives("st_last_cells", 4'd0);
      stream(8'h11, 0, 8190, 0, 3, 0);      gives("st_one_beyond_spad", 4'd4);
      stream(8'h11, 0, 0, 0, 3, 8190);      gives("st_one_beyond_ext", 4'd6);
      ext_words = 25'h1000000;
      stream(8'h10, 0, 0, 0, 16, 24'hfffff0); gives("ld_end_of_2_24_words", 4'd0);
      stream(8'h10, 0, 0, 0, 17, 24'hfffff0); gives("ld_one_beyond_2_24_words", 4'd6);
      ext_words = 25'h1ffffff;
      stream(8'h10, 0, 0, 0, 16, 24'hfffff0); gives("ld_end_of_2_24_words", 4'd0);
      stream(8'h10, 0, 0, 0, 17, 24'hfffff0); gives("no_more_than_2_24_words_count", 4'd6);
      ext_words = 25'd0;
      stream(8'h11, 0, 0, 0, 1, 0);         gives("no_external_memory", 4'd6);
      ext_words = 25'd8192;
      // RQ from the scratchpad
      stream(8'h30, 8182, 8182, 0, 10, 0);  gives("rq_last_cells", 4'd0);
      stream(8'h30, 8183, 0, 0, 10, 0);     gives("rq_one_beyond_d", 4'd4);
      stream(8'h30, 0, 8183, 0, 10, 0);     gives("rq_one_beyond_a", 4'd4);
      stream(8'h30, 110, 100, 0, 10, 0);    gives("rq_d_right_behind_a", 4'd0);
      stream(8'h30, 109, 100, 0, 10, 0);    gives("rq_d_inside_a", 4'd7);
      stream(8'h30, 101, 100, 0, 10, 0);    gives("rq_d_inside_a", 4'd7);
      stream(8'h30, 100, 100, 0, 10, 0);    gives("rq_in_place", 4'd0);
      stream(8'h30, 99, 100, 0, 10, 0);     gives("rq_d_before_a", 4'd0);
      stream(8'h30, 8191, 8190, 0, 2, 0);   gives("spad_before_overlap", 4'd4);
      // RQ from the accumulators: no overlap rule, own range
      stream(8'h30, 101, 100, 0, 10, 0);
      insn[8] = 1'b1;                       gives("rq_acc_has_no_overlap", 4'd0);
      stream(8'h30, 0, 1014, 0, 10, 0);
      insn[8] = 1'b1;                       gives("rq_acc_last_cells", 4'd0);
      stream(8'h30, 0, 1015, 0, 10, 0);
      insn[8] = 1'b1;                       gives("rq_acc_one_beyond", 4'd5);
      stream(8'h30, 8183, 1015, 0, 10, 0);
      insn[8] = 1'b1;                       gives("spad_before_acc", 4'd4);
      stream(8'h30, 0, 1015, 0, 10, 0);     gives("rq_spad_has_no_acc_range", 4'd0);
      // RQ: every shift and multiplier is legal
      stream(8'h30, 0, 0, 0, 1, 0);
      insn[85:80] = 6'd63;
      insn[126:96] = 31'h7fffffff;
      insn[9] = 1'b1;                       gives("rq_all_ones", 4'd0);
      // VADD
      stream(8'h31, 0, 8190, 8190, 2, 0);   gives("vadd_last_cells", 4'd0);
      stream(8'h31, 8191, 0, 0, 2, 0);      gives("vadd_one_beyond_d", 4'd4);
      stream(8'h31, 0, 8191, 0, 2, 0);      gives("vadd_one_beyond_a", 4'd4);
      stream(8'h31, 0, 0, 8191, 2, 0);      gives("vadd_one_beyond_b", 4'd4);
      stream(8'h31, 103, 100, 200, 4, 0);   gives("vadd_d_inside_a", 4'd7);
      stream(8'h31, 203, 100, 200, 4, 0);   gives("vadd_d_inside_b", 4'd7);
      stream(8'h31, 104, 100, 104, 4, 0);   gives("vadd_d_behind_a_on_b", 4'd0);
      stream(8'h31, 100, 100, 101, 4, 0);   gives("vadd_in_place", 4'd0);
      // SM
      stream(8'h32, 7936, 7936, 0, 256, 24'hffffff); gives("sm_256", 4'd0);
      stream(8'h32, 0, 0, 0, 257, 0);       gives("sm_257", 4'd3);
      stream(8'h32, 7937, 0, 0, 256, 0);    gives("sm_one_beyond_d", 4'd4);
      stream(8'h32, 0, 7937, 0, 256, 0);    gives("sm_one_beyond_a", 4'd4);
      stream(8'h32, 1, 0, 0, 2, 0);         gives("sm_d_inside_a", 4'd7);
      stream(8'h32, 2, 0, 0, 2, 0);         gives("sm_d_right_behind_a", 4'd0);
      stream(8'h32, 8000, 0, 0, 257, 0);    gives("field_before_spad", 4'd3);
      // AMAX: the result may lie inside the row
      stream(8'h33, 8191, 8064, 0, 128, 0); gives("amax_128", 4'd0);
      stream(8'h33, 0, 0, 0, 129, 0);       gives("amax_129", 4'd3);
      stream(8'h33, 8192, 0, 0, 1, 0);      gives("amax_one_beyond_d", 4'd4);
      stream(8'h33, 0, 8065, 0, 128, 0);    gives("amax_one_beyond_a", 4'd4);
      stream(8'h33, 5, 0, 0, 10, 0);        gives("amax_has_no_overlap", 4'd0);
    end
  endtask

  // RQC and AMAXC: two bytes an entry, cols entries in the one and n in the other.
  task columns;
    begin
      stream(8'h34, 0, 0, 100, 1, 0);       gives("rqc_cols_0", 4'd3);
      stream(8'h34, 0, 0, 100, 0, 1);       gives("rqc_n_0", 4'd3);
      stream(8'h34, 8182, 0, 0, 10, 5);     gives("rqc_last_cells", 4'd0);
      stream(8'h34, 8183, 0, 0, 10, 5);     gives("rqc_one_beyond_d", 4'd4);
      stream(8'h34, 0, 0, 8182, 1, 5);      gives("rqc_table_last_cells", 4'd0);
      stream(8'h34, 0, 0, 8183, 1, 5);      gives("rqc_table_one_beyond", 4'd4);
      stream(8'h34, 0, 0, 8182, 10, 5);     gives("rqc_table_counts_cols", 4'd0);
      stream(8'h34, 0, 0, 1, 1, 65535);     gives("rqc_table_far_beyond", 4'd4);
      stream(8'h34, 0, 0, 1, 1, 32768);     gives("rqc_table_far_beyond", 4'd4);
      stream(8'h34, 0, 1014, 100, 10, 5);   gives("rqc_acc_last_cells", 4'd0);
      stream(8'h34, 0, 1015, 100, 10, 5);   gives("rqc_acc_one_beyond", 4'd5);
      stream(8'h34, 8183, 1015, 0, 10, 5);  gives("spad_before_acc", 4'd4);
      stream(8'h34, 90, 95, 100, 10, 5);    gives("rqc_d_right_before_table", 4'd0);
      stream(8'h34, 91, 95, 100, 10, 5);    gives("rqc_d_reaches_into_table", 4'd7);
      stream(8'h34, 100, 95, 100, 1, 5);    gives("rqc_d_on_table", 4'd7);
      stream(8'h34, 109, 95, 100, 1, 5);    gives("rqc_d_on_end_of_table", 4'd7);
      stream(8'h34, 110, 95, 100, 1, 5);    gives("rqc_d_right_behind_table", 4'd0);
      stream(8'h34, 91, 1015, 100, 10, 5);  gives("acc_before_overlap", 4'd5);
      stream(8'h34, 0, 0, 8, 1, 1);
      insn[85:80] = 6'd63;
      insn[9] = 1'b1;                       gives("rqc_all_ones", 4'd0);
      stream(8'h35, 8191, 896, 7936, 128, 0); gives("amaxc_128", 4'd0);
      stream(8'h35, 0, 0, 0, 129, 0);       gives("amaxc_129", 4'd3);
      stream(8'h35, 8192, 0, 0, 1, 0);      gives("amaxc_one_beyond_d", 4'd4);
      stream(8'h35, 0, 0, 8191, 1, 0);      gives("amaxc_table_one_beyond", 4'd4);
      stream(8'h35, 0, 897, 0, 128, 0);     gives("amaxc_acc_one_beyond", 4'd5);
      stream(8'h35, 8192, 897, 0, 128, 0);  gives("spad_before_acc", 4'd4);
      stream(8'h35, 5, 0, 0, 10, 0);        gives("amaxc_has_no_overlap", 4'd0);
    end
  endtask

  // LUT: a source in stream order and a table of 256 that is read again.
  task tables;
    begin
      stream(8'h36, 8187, 100, 200, 5, 0);  gives("lut_last_cells", 4'd0);
      stream(8'h36, 8188, 100, 200, 5, 0);  gives("lut_one_beyond_d", 4'd4);
      stream(8'h36, 100, 8187, 200, 5, 0);  gives("lut_last_cells", 4'd0);
      stream(8'h36, 100, 8188, 200, 5, 0);  gives("lut_one_beyond_a", 4'd4);
      stream(8'h36, 0, 100, 7936, 5, 0);    gives("lut_table_last_cells", 4'd0);
      stream(8'h36, 0, 100, 7937, 1, 0);    gives("lut_table_one_beyond", 4'd4);
      stream(8'h36, 99, 100, 300, 5, 0);    gives("lut_d_before_a", 4'd0);
      stream(8'h36, 100, 100, 300, 5, 0);   gives("lut_in_place", 4'd0);
      stream(8'h36, 101, 100, 300, 5, 0);   gives("lut_d_inside_a", 4'd7);
      stream(8'h36, 104, 100, 300, 5, 0);   gives("lut_d_inside_a", 4'd7);
      stream(8'h36, 105, 100, 300, 5, 0);   gives("lut_d_right_behind_a", 4'd0);
      stream(8'h36, 295, 700, 300, 5, 0);   gives("lut_d_right_before_table", 4'd0);
      stream(8'h36, 296, 700, 300, 5, 0);   gives("lut_d_reaches_into_table", 4'd7);
      stream(8'h36, 300, 700, 300, 1, 0);   gives("lut_d_on_table", 4'd7);
      stream(8'h36, 555, 700, 300, 5, 0);   gives("lut_d_on_end_of_table", 4'd7);
      stream(8'h36, 556, 700, 300, 5, 0);   gives("lut_d_right_behind_table", 4'd0);
      stream(8'h36, 8188, 8187, 7935, 5, 0); gives("spad_before_overlap", 4'd4);
    end
  endtask

  // VMUL: as VADD, or with one byte that is read again.
  task products;
    begin
      stream(8'h37, 0, 8190, 8190, 2, 0);   gives("vmul_last_cells", 4'd0);
      stream(8'h37, 8191, 0, 0, 2, 0);      gives("vmul_one_beyond_d", 4'd4);
      stream(8'h37, 0, 8191, 0, 2, 0);      gives("vmul_one_beyond_a", 4'd4);
      stream(8'h37, 0, 0, 8191, 2, 0);      gives("vmul_one_beyond_b", 4'd4);
      stream(8'h37, 103, 100, 200, 4, 0);   gives("vmul_d_inside_a", 4'd7);
      stream(8'h37, 203, 100, 200, 4, 0);   gives("vmul_d_inside_b", 4'd7);
      stream(8'h37, 104, 100, 104, 4, 0);   gives("vmul_d_behind_a_on_b", 4'd0);
      stream(8'h37, 100, 100, 101, 4, 0);   gives("vmul_in_place", 4'd0);
      insn[8] = 1'b1;                       gives("bcast_d_reaches_b", 4'd7);
      stream(8'h37, 0, 100, 8191, 4, 0);
      insn[8] = 1'b1;                       gives("bcast_last_cell", 4'd0);
      stream(8'h37, 0, 100, 8192, 4, 0);
      insn[8] = 1'b1;                       gives("bcast_one_beyond", 4'd4);
      stream(8'h37, 8189, 0, 300, 4, 0);
      insn[8] = 1'b1;                       gives("bcast_one_beyond_d", 4'd4);
      stream(8'h37, 0, 8189, 300, 4, 0);
      insn[8] = 1'b1;                       gives("bcast_one_beyond_a", 4'd4);
      stream(8'h37, 296, 100, 300, 4, 0);
      insn[8] = 1'b1;                       gives("bcast_d_right_before_b", 4'd0);
      stream(8'h37, 297, 100, 300, 4, 0);
      insn[8] = 1'b1;                       gives("bcast_d_reaches_b", 4'd7);
      stream(8'h37, 300, 100, 300, 1, 0);
      insn[8] = 1'b1;                       gives("bcast_d_on_b", 4'd7);
      stream(8'h37, 301, 100, 300, 4, 0);
      insn[8] = 1'b1;                       gives("bcast_d_right_behind_b", 4'd0);
      stream(8'h37, 103, 100, 300, 4, 0);
      insn[8] = 1'b1;                       gives("bcast_d_inside_a", 4'd7);
      stream(8'h37, 8000, 100, 102, 4, 0);
      insn[8] = 1'b1;                       gives("bcast_b_inside_a", 4'd0);
    end
  endtask

  // TOPK and TOPKC: 2k cells out, and what is read in every pass is not overwritten.
  task tops;
    begin
      topk(8'h38, 0, 8064, 0, 128, 128);    gives("topk_128_of_128", 4'd0);
      topk(8'h38, 0, 300, 0, 129, 1);       gives("topk_n_129", 4'd3);
      topk(8'h38, 0, 300, 0, 129, 129);     gives("topk_n_129", 4'd3);
      topk(8'h38, 0, 300, 0, 5, 0);         gives("topk_k_0", 4'd3);
      topk(8'h38, 0, 300, 0, 5, 5);         gives("topk_k_is_n", 4'd0);
      topk(8'h38, 0, 300, 0, 5, 6);         gives("topk_k_above_n", 4'd3);
      topk(8'h38, 0, 300, 0, 0, 0);         gives("topk_n_0", 4'd3);
      topk(8'h38, 8186, 300, 0, 5, 3);      gives("topk_last_cells", 4'd0);
      topk(8'h38, 8187, 300, 0, 5, 3);      gives("topk_one_beyond_d", 4'd4);
      topk(8'h38, 8200, 300, 0, 5, 6);      gives("field_before_spad", 4'd3);
      topk(8'h38, 0, 8187, 0, 5, 3);        gives("topk_last_cells", 4'd0);
      topk(8'h38, 0, 8188, 0, 5, 3);        gives("topk_one_beyond_a", 4'd4);
      topk(8'h38, 294, 300, 0, 5, 3);       gives("topk_d_right_before_a", 4'd0);
      topk(8'h38, 295, 300, 0, 5, 3);       gives("topk_d_reaches_a", 4'd7);
      topk(8'h38, 300, 300, 0, 5, 3);       gives("topk_d_on_a", 4'd7);
      topk(8'h38, 304, 300, 0, 5, 3);       gives("topk_d_on_end_of_a", 4'd7);
      topk(8'h38, 305, 300, 0, 5, 3);       gives("topk_d_right_behind_a", 4'd0);
      topk(8'h39, 0, 896, 7936, 128, 128);  gives("topkc_128_of_128", 4'd0);
      topk(8'h39, 0, 0, 300, 129, 1);       gives("topkc_n_129", 4'd3);
      topk(8'h39, 0, 0, 300, 5, 0);         gives("topkc_k_0", 4'd3);
      topk(8'h39, 0, 0, 300, 5, 6);         gives("topkc_k_above_n", 4'd3);
      topk(8'h39, 8186, 0, 300, 5, 3);      gives("topkc_last_cells", 4'd0);
      topk(8'h39, 8187, 0, 300, 5, 3);      gives("topkc_one_beyond_d", 4'd4);
      topk(8'h39, 0, 0, 8182, 5, 3);        gives("topkc_table_last_cells", 4'd0);
      topk(8'h39, 0, 0, 8183, 5, 3);        gives("topkc_table_one_beyond", 4'd4);
      topk(8'h39, 0, 1019, 300, 5, 3);      gives("topkc_acc_last_cells", 4'd0);
      topk(8'h39, 0, 1020, 300, 5, 3);      gives("topkc_acc_one_beyond", 4'd5);
      topk(8'h39, 8187, 1020, 300, 5, 3);   gives("spad_before_acc", 4'd4);
      topk(8'h39, 300, 1020, 300, 5, 3);    gives("acc_before_overlap", 4'd5);
      topk(8'h39, 294, 290, 300, 5, 3);     gives("topkc_d_right_before_table", 4'd0);
      topk(8'h39, 295, 290, 300, 5, 3);     gives("topkc_d_reaches_table", 4'd7);
      topk(8'h39, 309, 310, 300, 5, 3);     gives("topkc_d_on_end_of_table", 4'd7);
      topk(8'h39, 310, 310, 300, 5, 3);     gives("topkc_d_right_behind_table", 4'd0);
    end
  endtask

  // LDX and LDXW: every row lies in the memory, whichever is read.
  task rows;
    begin
      ldx(8'h12, 8187, 0, 5, 1, 0);         gives("ldx_last_cells", 4'd0);
      ldx(8'h12, 8188, 0, 5, 1, 0);         gives("ldx_one_beyond_d", 4'd4);
      ldx(8'h12, 0, 8191, 5, 1, 0);         gives("ldx_index_in_last_cell", 4'd0);
      ldx(8'h12, 0, 8192, 5, 1, 0);         gives("ldx_index_one_beyond", 4'd4);
      ldx(8'h12, 0, 8190, 5, 1, 0);
      insn[8] = 1'b1;                       gives("ldx_index_in_last_cells", 4'd0);
      ldx(8'h12, 0, 8191, 5, 1, 0);
      insn[8] = 1'b1;                       gives("ldx_wide_index_one_beyond", 4'd4);
      ldx(8'h12, 3, 3, 5, 1, 0);            gives("ldx_may_overwrite_its_index", 4'd0);
      ldx(8'h12, 0, 0, 0, 1, 0);            gives("ldx_n_0", 4'd3);
      ldx(8'h12, 0, 0, 5, 0, 0);            gives("ldx_rows_0", 4'd3);
      ldx(8'h12, 0, 0, 5, 100, 7692);       gives("ldx_rows_end_with_the_memory", 4'd0);
      ldx(8'h12, 0, 0, 5, 100, 7693);       gives("ldx_rows_one_beyond", 4'd6);
      ldx(8'h12, 0, 0, 8192, 1, 0);         gives("ldx_whole_memory", 4'd0);
      ldx(8'h12, 0, 0, 1, 8192, 0);         gives("ldx_whole_memory", 4'd0);
      ldx(8'h12, 0, 0, 1, 8193, 0);         gives("ldx_rows_one_beyond", 4'd6);
      ldx(8'h12, 0, 0, 8192, 65535, 0);     gives("ldx_rows_far_beyond", 4'd6);
      ldx(8'h12, 0, 0, 4096, 4096, 0);      gives("no_wrap_at_2_24", 4'd6);
      ldx(8'h12, 0, 0, 8192, 32768, 0);     gives("no_wrap_at_2_28", 4'd6);
      ldx(8'h12, 0, 0, 8192, 65528, 16777215); gives("no_wrap_of_the_sum", 4'd6);
      ldx(8'h12, 8188, 0, 5, 100, 7693);    gives("spad_before_ext", 4'd4);
      ldx(8'h13, 8187, 8191, 5, 1, 0);      gives("ldxw_index_in_last_word", 4'd0);
      ldx(8'h13, 0, 8192, 5, 1, 0);         gives("ldxw_index_one_beyond", 4'd6);
      ldx(8'h13, 0, 16777215, 5, 1, 0);     gives("ldxw_index_far_beyond", 4'd6);
      ldx(8'h13, 8188, 0, 5, 1, 0);         gives("ldxw_one_beyond_d", 4'd4);
      ldx(8'h13, 0, 0, 0, 1, 0);            gives("ldxw_n_0", 4'd3);
      ldx(8'h13, 0, 0, 5, 0, 0);            gives("ldxw_rows_0", 4'd3);
      ldx(8'h13, 0, 0, 5, 100, 7692);       gives("ldxw_rows_end_with_the_memory", 4'd0);
      ldx(8'h13, 0, 0, 5, 100, 7693);       gives("ldxw_rows_one_beyond", 4'd6);
      ext_words = 25'h1000000;
      ldx(8'h12, 0, 0, 4096, 4096, 0);      gives("ldx_2_24_words", 4'd0);
      ldx(8'h12, 0, 0, 4096, 4096, 1);      gives("ldx_one_beyond_2_24_words", 4'd6);
      ldx(8'h13, 0, 16777215, 1, 1, 0);     gives("ldxw_last_of_2_24_words", 4'd0);
      ext_words = 25'h1ffffff;
      ldx(8'h12, 0, 0, 4096, 4096, 1);      gives("no_more_than_2_24_words_count", 4'd6);
      ext_words = 25'd8192;
    end
  endtask

  task matrices;
    begin
      mm(1'b0, 0, 0, 0, 4, 256, 4, 256, 4, 4);     gives("mm_full_tile", 4'd0);
      mm(1'b0, 0, 0, 0, 0, 1, 1, 1, 1, 1);         gives("mm_m_0", 4'd3);
      mm(1'b0, 0, 0, 0, 1, 0, 1, 1, 1, 1);         gives("mm_k_0", 4'd3);
      mm(1'b0, 0, 0, 0, 1, 1, 0, 1, 1, 1);         gives("mm_n_0", 4'd3);
      mm(1'b0, 0, 0, 0, 5, 1, 1, 1, 1, 1);         gives("mm_m_5", 4'd3);
      mm(1'b0, 0, 0, 0, 1, 257, 1, 1, 1, 1);       gives("mm_k_257", 4'd3);
      mm(1'b0, 0, 0, 0, 1, 1, 5, 1, 1, 1);         gives("mm_n_5", 4'd3);
      mm(1'b0, 0, 0, 0, 1, 1, 1, 0, 1, 1);         gives("mm_sa_0", 4'd3);
      mm(1'b0, 0, 0, 0, 1, 1, 1, 1, 0, 1);         gives("mm_sb_0", 4'd3);
      mm(1'b0, 0, 0, 0, 1, 1, 1, 1, 1, 0);         gives("mm_sd_0", 4'd3);
      // A: last cell a + (m-1) sa + k - 1: 91 + 2 * 4000 + 100 = 8191
      mm(1'b0, 0, 91, 0, 3, 101, 1, 4000, 1, 1);   gives("mm_a_last_cell", 4'd0);
      mm(1'b0, 0, 92, 0, 3, 101, 1, 4000, 1, 1);   gives("mm_a_one_beyond", 4'd4);
      // B: last cell b + (k-1) sb + n - 1: 8 + 2 * 4090 + 3 = 8191
      mm(1'b0, 0, 0, 8, 1, 3, 4, 1, 4090, 1);      gives("mm_b_last_cell", 4'd0);
      mm(1'b0, 0, 0, 9, 1, 3, 4, 1, 4090, 1);      gives("mm_b_one_beyond", 4'd4);
      // the same strides transposed: b + (n-1) sb + k - 1: 9 + 12270 + 2
      mm(1'b1, 0, 0, 8, 1, 3, 4, 1, 4090, 1);      gives("mm_bt_one_beyond", 4'd4);
      // transposed: 2 + 3 * 2729 + 2 = 8191
      mm(1'b1, 0, 0, 2, 1, 3, 4, 1, 2729, 1);      gives("mm_bt_last_cell", 4'd0);
      mm(1'b1, 0, 0, 3, 1, 3, 4, 1, 2729, 1);      gives("mm_bt_one_beyond", 4'd4);
      mm(1'b1, 0, 65535, 65535, 4, 256, 4, 4095, 4095, 1); gives("mm_far_beyond", 4'd4);
      // 255 rows of 4095 do not wrap round to a legal address
      mm(1'b0, 0, 0, 0, 1, 256, 1, 1, 4095, 1);    gives("mm_b_far_beyond", 4'd4);
      // C: last word d + (m-1) sd + n - 1: 0 + 3 * 340 + 3 = 1023
      mm(1'b0, 0, 0, 0, 4, 1, 4, 1, 1, 340);       gives("mm_c_last_word", 4'd0);
      mm(1'b0, 1, 0, 0, 4, 1, 4, 1, 1, 340);       gives("mm_c_one_beyond", 4'd5);
      mm(1'b0, 1023, 0, 0, 1, 1, 1, 1, 1, 4095);   gives("mm_c_last_word", 4'd0);
      mm(1'b0, 1024, 0, 0, 1, 1, 1, 1, 1, 1);      gives("mm_c_one_beyond", 4'd5);
      mm(1'b0, 1024, 8192, 0, 1, 1, 1, 1, 1, 1);   gives("spad_before_acc", 4'd4);
      mm(1'b0, 1024, 8192, 0, 5, 1, 1, 1, 1, 1);   gives("field_before_spad", 4'd3);
    end
  endtask

  initial begin
    opcodes;
    masks;
    streams;
    columns;
    tables;
    products;
    tops;
    rows;
    matrices;
    // the top of the order
    stream(8'h10, 0, 1, 0, 0, 0);           gives("reserved_before_field", 4'd2);
    stream(8'h14, 0, 1, 0, 0, 0);           gives("opcode_before_reserved", 4'd1);
    stream(8'h00, 0, 0, 0, 0, 0);           gives("opcode_0_is_illegal", 4'd1);
    insn = {128{1'b1}};                     gives("all_ones_is_illegal", 4'd1);
    en = 1'b0;                              gives("no_verdict_while_disabled", 4'd0);
    mm(1'b0, 0, 0, 0, 1, 1, 1, 1, 1, 1);    gives("no_verdict_while_disabled", 4'd0);
    expect_eq("no_finding_while_disabled",
              {61'd0, dut.mm_field_bad, dut.mm_spad_bad, dut.mm_acc_bad}, 64'd0);
    finish;
  end
endmodule

`default_nettype wire
