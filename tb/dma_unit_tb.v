// Bench of dma_unit with the external memory model: LD, ST, LDX, LDXW, timing.
`default_nettype none

module dma_unit_tb;
  localparam NAME = "dma_unit";
  `include "isa.vh"
  `include "bench.vh"
  `include "unit_env.vh"

  wire        fault;
  wire        ext_re;
  wire [23:0] ext_addr;
  wire        ext_rvalid;
  wire [31:0] ext_rdata;
  wire        ext_we;
  wire [31:0] ext_wdata;

  dma_unit dut (
      .clk_i       (clk),
      .rst_i       (rst),
      .start_i     (start),
      .insn_i      (insn),
      .done_o      (done),
      .fault_o     (fault),
      .spad_re_o   (spad_re),
      .spad_raddr_o(spad_raddr),
      .spad_rdata_i(spad_rdata),
      .spad_we_o   (spad_we),
      .spad_waddr_o(spad_waddr),
      .spad_wdata_o(spad_wdata),
      .ext_re_o    (ext_re),
      .ext_addr_o  (ext_addr),
      .ext_rvalid_i(ext_rvalid),
      .ext_rdata_i (ext_rdata),
      .ext_we_o    (ext_we),
      .ext_wdata_o (ext_wdata)
  );

  ext_mem #(
      .WORDS(8192)
  ) u_ext (
      .clk_i   (clk),
      .rst_i   (rst),
      .words_i (25'd8192),
      .re_i    (ext_re),
      .addr_i  (ext_addr),
      .rvalid_o(ext_rvalid),
      .rdata_o (ext_rdata),
      .we_i    (ext_we),
      .wdata_i (ext_wdata)
  );

  task ld(input integer d, input integer x, input integer n);
    begin
      insn = 128'd0;
      insn[7:0] = OP_LD;
      insn[LD_D_LSB +: LD_D_WIDTH] = d;
      insn[LD_X_LSB +: LD_X_WIDTH] = x;
      insn[LD_N_LSB +: LD_N_WIDTH] = n;
    end
  endtask

  task st(input integer a, input integer x, input integer n);
    begin
      insn = 128'd0;
      insn[7:0] = OP_ST;
      insn[ST_A_LSB +: ST_A_WIDTH] = a;
      insn[ST_X_LSB +: ST_X_WIDTH] = x;
      insn[ST_N_LSB +: ST_N_WIDTH] = n;
    end
  endtask

  task ldx(input wide, input integer d, input integer a, input integer n, input integer rows,
           input integer x);
    begin
      insn = 128'd0;
      insn[7:0] = OP_LDX;
      insn[LDX_WIDE_LSB] = wide;
      insn[LDX_D_LSB +: LDX_D_WIDTH] = d;
      insn[LDX_A_LSB +: LDX_A_WIDTH] = a;
      insn[LDX_N_LSB +: LDX_N_WIDTH] = n;
      insn[LDX_ROWS_LSB +: LDX_ROWS_WIDTH] = rows;
      insn[LDX_X_LSB +: LDX_X_WIDTH] = x;
      ext_reads = 0;
    end
  endtask

  task ldxw(input integer d, input integer w, input integer n, input integer rows,
            input integer x);
    begin
      insn = 128'd0;
      insn[7:0] = OP_LDXW;
      insn[LDXW_D_LSB +: LDXW_D_WIDTH] = d;
      insn[LDXW_W_LSB +: LDXW_W_WIDTH] = w;
      insn[LDXW_N_LSB +: LDXW_N_WIDTH] = n;
      insn[LDXW_ROWS_LSB +: LDXW_ROWS_WIDTH] = rows;
      insn[LDXW_X_LSB +: LDXW_X_WIDTH] = x;
      ext_reads = 0;
    end
  endtask

  // A fault comes with done, and in this run or not.
  integer faults = 0;
  integer ext_reads = 0;
  always @(negedge clk) begin
    if (fault) faults = faults + 1;
    if (ext_re) ext_reads = ext_reads + 1;
    if (!rst && (fault === 1'bx || (fault && !done))) fail("a_fault_comes_with_done", 0, 0);
  end

  // Every word of the row is byte `first` of it and its successors, 3 apart as the memory is.
  task loads(input [48*8-1:0] law, input integer cycles, input integer bytes_read,
             input integer words_read, input integer d, input integer n, input integer at);
    integer j;
    begin
      faults = 0;
      put(d - 1, 85);
      put(d + n, 85);
      run(law, cycles);
      expect_bytes("index_bytes_read_and_row_written", bytes_read, n);
      expect_eq("words_read", ext_reads, words_read);
      expect_eq("no_fault", faults, 0);
      for (j = 0; j < n; j = j + 1) expect_byte("row", d + j, 3 * (at + j));
      expect_byte("writes_only_n", d - 1, 85);
      expect_byte("writes_only_n", d + n, 85);
    end
  endtask

  task gives_up(input [48*8-1:0] law, input integer cycles, input integer words_read);
    begin
      faults = 0;
      put(900, 85);
      run(law, cycles);
      expect_eq("one_fault", faults, 1);
      expect_eq("writes_nothing", byte_writes, 0);
      expect_eq("reads_no_row", ext_reads, words_read);
      expect_byte("writes_nothing", 900, 85);
    end
  endtask

  // The word at 8000 is an index.
  task word(input [31:0] value);
    u_ext.mem[8000] = value;
  endtask

  task indexed;
    begin
      // Rows of 3 words from 100: row r begins at 100 + 3 r.
      put(800, 0);
      put(801, 9);
      ldx(1'b0, 900, 800, 3, 10, 100);
      loads("ldx_takes_n_plus_13", 16, 1, 3, 900, 3, 100);
      ldx(1'b0, 900, 801, 3, 10, 100);
      loads("ldx_takes_n_plus_13", 16, 1, 3, 900, 3, 127);
      ldx(1'b0, 900, 801, 3, 9, 100);
      gives_up("no_row_9_of_9", 4, 0);
      ldx(1'b0, 900, 800, 1, 1, 100);
      loads("ldx_takes_n_plus_13", 14, 1, 1, 900, 1, 100);
      put(800, 1);
      ldx(1'b0, 900, 800, 1, 1, 100);
      gives_up("no_row_1_of_1", 4, 0);
      // A byte is unsigned; the one behind it counts only when it is wide.
      put(802, 255);
      put(803, 1);
      ldx(1'b0, 900, 802, 2, 256, 50);
      loads("ldx_takes_n_plus_13", 15, 1, 2, 900, 2, 560);
      ldx(1'b0, 900, 802, 2, 255, 50);
      gives_up("no_row_255_of_255", 4, 0);
      ldx(1'b1, 900, 802, 2, 512, 50);     // row 511
      loads("wide_ldx_takes_n_plus_13", 15, 2, 2, 900, 2, 1072);
      ldx(1'b1, 900, 802, 2, 511, 50);
      gives_up("no_row_511_of_511", 4, 0);
      put(803, 0);
      ldx(1'b1, 900, 802, 2, 256, 50);     // row 255 again
      loads("wide_ldx_takes_n_plus_13", 15, 2, 2, 900, 2, 560);
      put(803, 128);                       // row 33023 = 0x80ff
      ldx(1'b1, 900, 802, 2, 32768, 50);
      gives_up("no_row_33023_of_32768", 4, 0);
      put(8190, 5);
      put(8191, 16);                       // row 4101
      ldx(1'b1, 900, 8190, 1, 4102, 4000);
      loads("wide_ldx_takes_n_plus_13", 14, 2, 1, 900, 1, 8101);
      // The row may land on its index.
      put(903, 2);
      ldx(1'b0, 902, 903, 4, 5, 20);
      loads("ldx_takes_n_plus_13", 17, 1, 4, 902, 4, 28);

      word(0);
      ldxw(900, 8000, 3, 10, 100);
      loads("ldxw_takes_n_plus_19", 22, 0, 4, 900, 3, 100);
      word(9);
      ldxw(900, 8000, 3, 10, 100);
      loads("ldxw_takes_n_plus_19", 22, 0, 4, 900, 3, 127);
      ldxw(900, 8000, 3, 9, 100);
      gives_up("no_row_9_of_9", 10, 1);
      word(4101);
      ldxw(900, 8000, 1, 4102, 4000);
      loads("ldxw_takes_n_plus_19", 20, 0, 2, 900, 1, 8101);
      word(32'd65536);
      ldxw(900, 8000, 1, 65535, 0);
      gives_up("more_than_16_bits_are_no_row", 10, 1);
      word(32'h80000000);
      ldxw(900, 8000, 1, 10, 0);
      gives_up("more_than_16_bits_are_no_row", 10, 1);
      word(32'hffffffff);
      ldxw(900, 8000, 1, 10, 0);
      gives_up("more_than_16_bits_are_no_row", 10, 1);
      // What was too large then is forgotten.
      put(800, 2);
      ldx(1'b0, 900, 800, 3, 10, 100);
      loads("ldx_takes_n_plus_13", 16, 1, 3, 900, 3, 106);
      ld(20, 0, 2);
      run("ld_takes_n_plus_9", 11);
      expect_byte("ld_order", 21, 3);
    end
  endtask

  // After a reset in any cycle of an indexed load, whatever comes next knows nothing of it.
  task indexed_and_reset;
    integer c;
    begin
      put(800, 2);
      for (c = 1; c <= 22; c = c + 1) begin
        word(32'd100000);
        if (c <= 10) begin
          ldxw(700, 8000, 3, 10, 100);
          interrupt(c);
          ldx(1'b0, 900, 800, 3, 10, 100);
          loads("after_a_reset", 16, 1, 3, 900, 3, 106);
        end
        word(1);
        ldxw(700, 8000, 3, 10, 100);
        interrupt(c);
        ldxw(900, 8000, 3, 10, 100);
        loads("after_a_reset", 22, 0, 4, 900, 3, 103);
        if (c <= 16) begin
          ldx(1'b0, 700, 800, 3, 10, 100);
          interrupt(c);
          st(30, 200, 3);
          run("st_takes_n_plus_2", 5);
          expect_eq("after_a_reset", {32'd0, u_ext.mem[200]}, 64'hFFFFFF80);
          ldx(1'b1, 700, 800, 3, 10, 100);
          interrupt(c);
          ldx(1'b0, 900, 800, 3, 10, 100);
          loads("after_a_reset", 16, 1, 3, 900, 3, 106);
        end
      end
    end
  endtask

  // A write and a read request never come together; LD writes nothing outside.
  always @(negedge clk) begin
    if (!rst && (^{ext_re, ext_we} === 1'bx || (ext_re && ext_we))) begin
      fail("one_external_request_at_a_time", {62'd0, ext_re, ext_we}, 0);
    end
  end

  integer i;

  initial begin
    reset;
    for (i = 0; i < 8192; i = i + 1) u_ext.mem[i] = i * 3 + 32'h00ABC000;
    fill(0, 64, 85);
    // the low byte of a word, whatever is above it
    u_ext.mem[8191] = 32'h12345680;
    ld(10, 8191, 1);
    run("ld_takes_n_plus_9", 10);
    expect_byte("ld_keeps_the_low_byte", 10, -128);
    expect_byte("writes_only_n", 9, 85);
    expect_byte("writes_only_n", 11, 85);
    ld(20, 0, 2);
    run("ld_takes_n_plus_9", 11);
    expect_bytes("ld_writes_n_bytes_and_reads_none", 0, 2);
    expect_byte("ld_order", 20, 0);
    expect_byte("ld_order", 21, 3);
    ld(8192 - 40, 100, 40);
    run("ld_takes_n_plus_9", 49);
    for (i = 0; i < 40; i = i + 1) expect_byte("ld_order", 8152 + i, (100 + i) * 3);

    // sign extension, neighbours untouched
    put(30, -128);
    put(31, 127);
    put(32, -1);
    st(30, 200, 3);
    run("st_takes_n_plus_2", 5);
    expect_bytes("st_reads_n_bytes_and_writes_none", 3, 0);
    expect_eq("st_sign_extends", {32'd0, u_ext.mem[200]}, 64'hFFFFFF80);
    expect_eq("st_sign_extends", {32'd0, u_ext.mem[201]}, 64'h0000007F);
    expect_eq("st_sign_extends", {32'd0, u_ext.mem[202]}, 64'hFFFFFFFF);
    expect_eq("writes_only_n", {32'd0, u_ext.mem[199]}, 64'h00ABC000 + 64'd597);
    expect_eq("writes_only_n", {32'd0, u_ext.mem[203]}, 64'h00ABC000 + 64'd609);
    st(30, 8191, 1);
    run("st_takes_n_plus_2", 3);
    expect_eq("st_sign_extends", {32'd0, u_ext.mem[8191]}, 64'hFFFFFF80);
    st(8152, 300, 40);
    run("st_takes_n_plus_2", 42);
    for (i = 0; i < 40; i = i + 1) begin
      expect_eq("st_order", {56'd0, u_ext.mem[300 + i][7:0]}, {56'd0, 8'd44 + 8'd3 * i[7:0]});
    end
    // and back again, right behind each other
    ld(500, 300, 40);
    run("ld_takes_n_plus_9", 49);
    for (i = 0; i < 40; i = i + 1) expect_byte("round_trip", 500 + i, 300 + 3 * i);

    // After a reset in any cycle of a run, the next one knows nothing of it.
    for (i = 1; i <= 12; i = i + 1) begin
      ld(700, 0, 3);
      interrupt(i);
      st(30, 200, 3);
      run("st_takes_n_plus_2", 5);
      expect_eq("after_a_reset", {32'd0, u_ext.mem[200]}, 64'hFFFFFF80);
      expect_eq("after_a_reset", {32'd0, u_ext.mem[202]}, 64'hFFFFFFFF);
      if (i <= 5) begin
        st(30, 210, 3);
        interrupt(i);
        ld(20, 0, 2);
        run("ld_takes_n_plus_9", 11);
        expect_byte("after_a_reset", 20, 0);
        expect_byte("after_a_reset", 21, 3);
      end
    end
    for (i = 0; i < 8192; i = i + 1) u_ext.mem[i] = i * 3 + 32'h00ABC000;
    indexed;
    indexed_and_reset;
    finish;
  end
endmodule

`default_nettype wire
