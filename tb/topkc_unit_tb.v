// Bench of topkc_unit: exact products order, values are rounded, ties, timing.
`default_nettype none

module topkc_unit_tb;
  localparam NAME = "topkc_unit";
  `include "isa.vh"
  `include "bench.vh"
  `include "unit_env.vh"
  `include "acc_env.vh"

  topkc_unit dut (
      .clk_i       (clk),
      .rst_i       (rst),
      .start_i     (start),
      .insn_i      (insn),
      .done_o      (done),
      .spad_re_o   (spad_re),
      .spad_raddr_o(spad_raddr),
      .spad_rdata_i(spad_rdata),
      .acc_re_o    (acc_re),
      .acc_raddr_o (acc_raddr),
      .acc_rdata_i (acc_rdata),
      .spad_we_o   (spad_we),
      .spad_waddr_o(spad_waddr),
      .spad_wdata_o(spad_wdata)
  );

  task topkc(input integer d, input integer a, input integer b, input integer n, input integer k,
             input integer shift);
    begin
      insn = 128'd0;
      insn[7:0] = OP_TOPKC;
      insn[TOPKC_D_LSB +: TOPKC_D_WIDTH] = d;
      insn[TOPKC_A_LSB +: TOPKC_A_WIDTH] = a;
      insn[TOPKC_B_LSB +: TOPKC_B_WIDTH] = b;
      insn[TOPKC_N_LSB +: TOPKC_N_WIDTH] = n;
      insn[TOPKC_K_LSB +: TOPKC_K_WIDTH] = k;
      insn[TOPKC_SHIFT_LSB +: TOPKC_SHIFT_WIDTH] = shift;
      acc_reads = 0;
    end
  endtask

  // Two of three, of accumulators 10 to 12 with the table at 100.
  task three(input integer x0, input integer m0, input integer x1, input integer m1,
             input integer x2, input integer m2, input integer shift, input integer p,
             input integer q, input integer first, input integer second);
    begin
      u_acc.mem[10] = x0;
      u_acc.mem[11] = x1;
      u_acc.mem[12] = x2;
      put_multiplier(100, m0);
      put_multiplier(102, m1);
      put_multiplier(104, m2);
      topkc(50, 10, 100, 3, 2, shift);
      run("topkc_takes_k_times_2n_plus_4", 20);
      expect_bytes("the_table_is_read_in_every_pass", 12, 4);
      expect_eq("a_row_is_read_in_every_pass", acc_reads, 6);
      expect_byte("first_index", 50, p);
      expect_byte("second_index", 51, q);
      expect_byte("first_value", 52, first);
      expect_byte("second_value", 53, second);
    end
  endtask

  integer i;

  initial begin
    reset;
    fill(0, 1024, 85);
    // One element, the smallest product there is, in the last cells.
    u_acc.mem[1023] = 32'h80000000;
    put_multiplier(8190, 65535);
    topkc(8188, 1023, 8190, 1, 1, 40);     // -2^31 * 65535 / 2^40 = -127.998
    run("topkc_takes_k_times_2n_plus_4", 6);
    expect_bytes("the_table_is_read_in_every_pass", 2, 2);
    expect_eq("a_row_is_read_in_every_pass", acc_reads, 1);
    expect_byte("one_element", 8188, 0);
    expect_byte("one_element", 8189, -128);

    three(5, 10, 7, 7, 6, 8, 0, 0, 1, 50, 49);             // 50 49 48: not the accumulators' order
    three(5, 10, 17, 3, 6, 8, 1, 1, 0, 26, 25);            // 25.5 rounds up
    three(2, 30, 6, 10, 5, 12, 0, 0, 1, 60, 60);           // all 60
    three(1, 30, 6, 10, 5, 12, 0, 1, 2, 60, 60);           // 30 60 60
    three(-5, 10, -7, 7, -6, 8, 1, 2, 1, -24, -24);        // -24.5 rounds up
    three(-1, 1, 0, 65535, -1, 0, 0, 1, 2, 0, 0);          // -1 0 0
    three(2, 32767, 2, 32768, -2, 65535, 9, 1, 0, 127, 127);  // 128 and 127.996: saturated
    three(255, 1, 1, 256, 1, 255, 1, 1, 0, 127, 127);      // 128, 127.5 -> 128: saturated
    three(-100, 2, -200, 2, -300, 2, 0, 0, 1, -128, -128);
    // Equal when rounded, and not equal.
    three(1001, 1, 1000, 1, 1002, 1, 8, 2, 0, 4, 4);
    // Products that differ only above 32 bits, and only in the last bit.
    three(65536, 65535, 1, 1, 2147483647, 65535, 40, 2, 0, 127, 0);
    three(2147483647, 65534, -2147483647, 65535, 2147483646, 65535, 41, 2, 0, 64, 64);
    three(65537, 65533, 65535, 65535, 65536, 65534, 26, 1, 2, 64, 64);
    expect_byte("writes_2k_cells", 49, 85);
    expect_byte("writes_2k_cells", 54, 85);

    // A row of 128, all of it, in the order of its multipliers.
    for (i = 0; i < 128; i = i + 1) begin
      u_acc.mem[200 + i] = 32'd1000;
      put_multiplier(300 + 2 * i, (37 * i) % 128);
    end
    topkc(556, 200, 300, 128, 128, 10);
    run("topkc_takes_k_times_2n_plus_4", 33280);
    // Multiplier m is that of index 45 m mod 128: 37 * 45 = 1665 = 13 * 128 + 1.
    for (i = 0; i < 128; i = i + 1) begin
      expect_byte("row_of_128_indices", 556 + i, (45 * (127 - i)) % 128);
      expect_byte("row_of_128_values", 684 + i, (1000 * (127 - i) + 512) / 1024);
    end
    expect_byte("writes_2k_cells", 812, 85);

    // After a reset in any cycle of a run, the next one knows nothing of it.
    put_multiplier(900, 1);
    put_multiplier(902, 1);
    put_multiplier(904, 1);
    u_acc.mem[600] = 32'd20;
    u_acc.mem[601] = 32'd30;
    u_acc.mem[602] = 32'd10;
    u_acc.mem[610] = -32'sd20;
    u_acc.mem[611] = -32'sd10;
    for (i = 1; i <= 20; i = i + 1) begin
      topkc(930, 600, 900, 3, 2, 0);
      interrupt(i);
      topkc(940, 610, 900, 2, 2, 0);
      run("topkc_takes_k_times_2n_plus_4", 16);
      expect_bytes("the_table_is_read_in_every_pass", 8, 4);
      expect_eq("a_row_is_read_in_every_pass", acc_reads, 4);
      expect_byte("after_a_reset", 940, 1);
      expect_byte("after_a_reset", 941, 0);
      expect_byte("after_a_reset", 942, -10);
      expect_byte("after_a_reset", 943, -20);
    end
    finish;
  end
endmodule

`default_nettype wire
