// Bench of amaxc_unit: products decide, ties, extremes, timing.
`default_nettype none

module amaxc_unit_tb;
  localparam NAME = "amaxc_unit";
  `include "isa.vh"
  `include "bench.vh"
  `include "unit_env.vh"
  `include "acc_env.vh"

  amaxc_unit dut (
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

  task amaxc(input integer d, input integer a, input integer b, input integer n);
    begin
      insn = 128'd0;
      insn[7:0] = OP_AMAXC;
      insn[AMAXC_D_LSB +: AMAXC_D_WIDTH] = d;
      insn[AMAXC_A_LSB +: AMAXC_A_WIDTH] = a;
      insn[AMAXC_B_LSB +: AMAXC_B_WIDTH] = b;
      insn[AMAXC_N_LSB +: AMAXC_N_WIDTH] = n;
      acc_reads = 0;
    end
  endtask

  // Three elements of accumulators 10 to 12, with the table at 100.
  task three(input integer x0, input integer m0, input integer x1, input integer m1,
             input integer x2, input integer m2, input integer winner);
    begin
      u_acc.mem[10] = x0;
      u_acc.mem[11] = x1;
      u_acc.mem[12] = x2;
      put_multiplier(100, m0);
      put_multiplier(102, m1);
      put_multiplier(104, m2);
      amaxc(50, 10, 100, 3);
      run("amaxc_takes_2n_plus_3", 9);
      expect_byte("the_largest_product_wins", 50, winner);
    end
  endtask

  integer i;

  initial begin
    reset;
    fill(0, 512, 85);
    // One element, the smallest product there is, in the last cells.
    u_acc.mem[1023] = 32'h80000000;
    put_multiplier(8190, 65535);
    amaxc(8189, 1023, 8190, 1);
    run("amaxc_takes_2n_plus_3", 5);
    expect_byte("one_element", 8189, 0);
    expect_bytes("every_byte_is_read_once", 2, 1);
    expect_eq("every_accumulator_is_read_once", acc_reads, 1);

    three(5, 10, 7, 7, 6, 8, 0);              // 50 49 48: not the largest accumulator
    three(5, 10, 17, 3, 6, 8, 1);             // 50 51 48
    three(2, 30, 6, 10, 5, 12, 0);            // all 60
    three(1, 30, 6, 10, 5, 12, 1);            // 30 60 60
    three(-5, 10, -7, 7, -6, 8, 2);           // -50 -49 -48
    three(-1, 1, 0, 65535, -1, 0, 1);         // -1 0 0
    three(2, 32767, 2, 32768, -2, 65535, 1);  // multipliers are unsigned
    three(255, 1, 1, 256, 1, 255, 1);         // the high byte counts 256 times the low one
    // Products that differ only above 32 bits, and only in the last bit.
    three(65536, 65535, 1, 1, 2147483647, 65535, 2);
    three(2147483647, 65534, -2147483647, 65535, 2147483646, 65535, 2);
    three(65537, 65533, 65535, 65535, 65536, 65534, 1);  // 4294836221 ..36225 ..36224
    expect_byte("writes_one_cell", 49, 85);
    expect_byte("writes_one_cell", 51, 85);

    // A row of 128 with the winner at the end; the result may land in the table.
    for (i = 0; i < 128; i = i + 1) begin
      u_acc.mem[200 + i] = 100 - i;
      put_multiplier(300 + 2 * i, 2);
    end
    put_multiplier(300 + 254, 65535);
    u_acc.mem[200 + 127] = 32'd1;
    amaxc(301, 200, 300, 128);
    run("amaxc_takes_2n_plus_3", 259);
    expect_byte("row_of_128", 301, 127);
    expect_bytes("every_byte_is_read_once", 256, 1);
    expect_eq("every_accumulator_is_read_once", acc_reads, 128);

    // After a reset in any cycle of a run, the next one knows nothing of it.
    put_multiplier(600, 1);
    put_multiplier(602, 1);
    put_multiplier(604, 1);
    u_acc.mem[600] = 32'd1000;
    u_acc.mem[601] = 32'd1000;
    u_acc.mem[602] = 32'd1000;
    u_acc.mem[610] = -32'sd20;
    u_acc.mem[611] = -32'sd10;
    for (i = 1; i <= 9; i = i + 1) begin
      amaxc(630, 600, 600, 3);
      interrupt(i);
      amaxc(631, 610, 600, 2);
      run("amaxc_takes_2n_plus_3", 7);
      expect_byte("after_a_reset", 631, 1);
      expect_bytes("every_byte_is_read_once", 4, 1);
    end
    finish;
  end
endmodule

`default_nettype wire
