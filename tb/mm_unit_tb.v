// Bench of mm_unit: hand-worked products, strides, transpose, extremes, timing.
`default_nettype none

module mm_unit_tb;
  localparam NAME = "mm_unit";
  `include "isa.vh"
  `include "bench.vh"
  `include "unit_env.vh"

  wire        acc_we;
  wire [15:0] acc_waddr;
  wire [31:0] acc_wdata;

  assign spad_we    = 1'b0;
  assign spad_waddr = 16'd0;
  assign spad_wdata = 8'd0;

  mm_unit dut (
      .clk_i       (clk),
      .rst_i       (rst),
      .start_i     (start),
      .insn_i      (insn),
      .done_o      (done),
      .spad_re_o   (spad_re),
      .spad_raddr_o(spad_raddr),
      .spad_rdata_i(spad_rdata),
      .acc_we_o    (acc_we),
      .acc_waddr_o (acc_waddr),
      .acc_wdata_o (acc_wdata)
  );

  reg  [31:0] acc [0:1023];
  integer     writes = 0;
  reg  [15:0] last_waddr;

  always @(posedge clk) begin
    if (acc_we) begin
      acc[acc_waddr[9:0]] <= acc_wdata;
      last_waddr <= acc_waddr;
      writes     <= writes + 1;
    end
  end

  always @(negedge clk) begin
    if (!rst) begin
      if (^acc_we === 1'bx) fail("no X on a control output", 0, 0);
      if (acc_we && ^{acc_waddr, acc_wdata} === 1'bx) fail("no X on a write", acc_wdata, 0);
    end
  end

  task mm(input bt, input integer d, input integer a, input integer b, input integer m,
          input integer k, input integer n, input integer sa, input integer sb,
          input integer sd);
    begin
      insn = 128'd0;
      insn[7:0] = OP_MM;
      insn[MM_BT_LSB] = bt;
      insn[MM_D_LSB +: MM_D_WIDTH] = d;
      insn[MM_A_LSB +: MM_A_WIDTH] = a;
      insn[MM_B_LSB +: MM_B_WIDTH] = b;
      insn[MM_M_LSB +: MM_M_WIDTH] = m;
      insn[MM_K_LSB +: MM_K_WIDTH] = k;
      insn[MM_N_LSB +: MM_N_WIDTH] = n;
      insn[MM_SA_LSB +: MM_SA_WIDTH] = sa;
      insn[MM_SB_LSB +: MM_SB_WIDTH] = sb;
      insn[MM_SD_LSB +: MM_SD_WIDTH] = sd;
      writes = 0;
    end
  endtask

  task expect_acc(input [48*8-1:0] law, input integer addr, input integer want);
    expect_eq(law, {32'd0, acc[addr]}, {32'd0, want});
  endtask

  // Rows and columns of the array that take part.
  task expect_array(input [3:0] rows, input [3:0] cols);
    expect_eq("only_m_rows_and_n_columns_work", {56'd0, dut.row_en, dut.col_en},
              {56'd0, rows, cols});
  endtask

  integer i;

  initial begin
    reset;
    for (i = 0; i < 1024; i = i + 1) acc[i] = 32'd7777;
    // 1 x 1 x 1: k*m + k*n + k + m + n + m*n + 5 = 1+1+1+1+1+1+5
    put(0, -3);
    put(1, 5);
    mm(1'b0, 100, 0, 1, 1, 1, 1, 1, 1, 1);
    run("mm_1_1_1_takes_11", 11);
    expect_acc("product", 100, -15);
    expect_array(4'b0001, 4'b0001);
    expect_acc("writes_only_m_n", 99, 7777);
    expect_acc("writes_only_m_n", 101, 7777);

    // A = | 1 2 3 |   B = | 1 -1 |
    //     | 4 5 6 |       | 2  0 |
    //                     | 3  4 |        A B = | 14 11 |, | 32 20 |
    // A with stride 5, B with stride 3, C with stride 10
    put(10, 1); put(11, 2); put(12, 3);
    put(15, 4); put(16, 5); put(17, 6);
    put(20, 1); put(21, -1);
    put(23, 2); put(24, 0);
    put(26, 3); put(27, 4);
    mm(1'b0, 200, 10, 20, 2, 3, 2, 5, 3, 10);
    run("mm_2_3_2_takes_28", 28);    // 6 + 6 + 3 + 2 + 2 + 4 + 5
    expect_acc("strides", 200, 14);
    expect_acc("strides", 201, 11);
    expect_acc("strides", 210, 32);
    expect_acc("strides", 211, 20);
    expect_eq("writes_m_n_words", writes, 64'd4);
    expect_array(4'b0011, 4'b0011);
    // the same bytes as the transpose of B: rows (1 2 3) and (-1 0 4), stride 3
    put(40, 1); put(41, 2); put(42, 3);
    put(43, -1); put(44, 0); put(45, 4);
    mm(1'b1, 300, 10, 40, 2, 3, 2, 5, 3, 2);
    run("mm_2_3_2_takes_28", 28);
    expect_acc("transpose", 300, 14);
    expect_acc("transpose", 301, 11);
    expect_acc("transpose", 302, 32);
    expect_acc("transpose", 303, 20);
    // rows of C on top of each other: the later row stays (sd = 1)
    mm(1'b1, 400, 10, 40, 2, 3, 2, 5, 3, 1);
    run("mm_2_3_2_takes_28", 28);
    expect_acc("row_major_writes", 400, 14);
    expect_acc("row_major_writes", 401, 32);
    expect_acc("row_major_writes", 402, 20);

    // one column, four rows: A = rows i+1 of ones (k = 3), B = 10 20 30: 60 (i + 1)
    for (i = 0; i < 12; i = i + 1) put(50 + i, i / 3 + 1);
    put(70, 10); put(71, 20); put(72, 30);
    mm(1'b0, 1020, 50, 70, 4, 3, 1, 3, 1, 1);
    run("mm_4_3_1_takes_32", 32);    // 12 + 3 + 3 + 4 + 1 + 4 + 5
    for (i = 0; i < 4; i = i + 1) expect_acc("one_column", 1020 + i, 60 * (i + 1));
    // one row, four columns, k = 16: A = 1..16, B[t][j] = j - 1: 136 (j - 1)
    for (i = 0; i < 16; i = i + 1) put(100 + i, i + 1);
    for (i = 0; i < 64; i = i + 1) put(200 + i, i % 4 - 1);
    mm(1'b0, 0, 100, 200, 1, 16, 4, 16, 4, 4);
    run("mm_1_16_4_takes_110", 110); // 16 + 64 + 16 + 1 + 4 + 4 + 5
    for (i = 0; i < 4; i = i + 1) expect_acc("one_row", i, 136 * (i - 1));
    expect_array(4'b0001, 4'b1111);

    // extremes: 256 products of -128 * -128 = 2^14 make 2^22; -128 * 127 * 256 = -4161536
    fill(1000, 1024, -128);
    fill(3000, 1024, -128);
    mm(1'b0, 0, 1000, 3000, 4, 256, 4, 256, 4, 4);
    run("mm_4_256_4_takes_2333", 2333); // 1024 + 1024 + 256 + 4 + 4 + 16 + 5
    for (i = 0; i < 16; i = i + 1) expect_acc("extremes", i, 4194304);
    fill(3000, 1024, 127);
    mm(1'b1, 0, 1000, 3000, 4, 256, 4, 256, 256, 4);
    run("mm_4_256_4_takes_2333", 2333);
    for (i = 0; i < 16; i = i + 1) expect_acc("extremes", i, -4161536);

    // nothing is left of a large tile in a small one, and old accumulators are overwritten
    mm(1'b0, 0, 0, 1, 1, 1, 1, 1, 1, 1);
    run("mm_1_1_1_takes_11", 11);
    expect_acc("overwrites", 0, -15);
    expect_acc("overwrites", 1, -4161536);
    mm(1'b0, 200, 10, 20, 2, 3, 2, 5, 3, 10);
    run("mm_2_3_2_takes_28", 28);
    expect_acc("overwrites", 200, 14);
    expect_acc("overwrites", 211, 20);

    // After a reset in any cycle of a run, the next one knows nothing of it.
    for (i = 1; i <= 32; i = i + 1) begin
      mm(1'b0, 1020, 50, 70, 4, 3, 1, 3, 1, 1);
      interrupt(i);
      mm(1'b0, 200, 10, 20, 2, 3, 2, 5, 3, 10);
      run("mm_2_3_2_takes_28", 28);
      expect_eq("writes_m_n_words", writes, 64'd4);
      expect_acc("after_a_reset", 200, 14);
      expect_acc("after_a_reset", 201, 11);
      expect_acc("after_a_reset", 210, 32);
      expect_acc("after_a_reset", 211, 20);
    end
    finish;
  end
endmodule

`default_nettype wire
