// Bench of lut_unit: every entry, timing, in-place and overlapping streams.
`default_nettype none

module lut_unit_tb;
  localparam NAME = "lut_unit";
  `include "isa.vh"
  `include "bench.vh"
  `include "unit_env.vh"

  lut_unit dut (
      .clk_i       (clk),
      .rst_i       (rst),
      .start_i     (start),
      .insn_i      (insn),
      .done_o      (done),
      .spad_re_o   (spad_re),
      .spad_raddr_o(spad_raddr),
      .spad_rdata_i(spad_rdata),
      .spad_we_o   (spad_we),
      .spad_waddr_o(spad_waddr),
      .spad_wdata_o(spad_wdata)
  );

  task lut(input integer d, input integer a, input integer b, input integer n);
    begin
      insn = 128'd0;
      insn[7:0] = OP_LUT;
      insn[LUT_D_LSB +: LUT_D_WIDTH] = d;
      insn[LUT_A_LSB +: LUT_A_WIDTH] = a;
      insn[LUT_B_LSB +: LUT_B_WIDTH] = b;
      insn[LUT_N_LSB +: LUT_N_WIDTH] = n;
    end
  endtask

  // Addresses of the first two reads.
  reg [31:0] first_reads;
  always @(posedge clk) if (spad_re && byte_reads <= 2) first_reads = {first_reads, spad_raddr};

  integer i;

  initial begin
    reset;
    fill(0, 2048, 85);
    // The table in the last cells: entry e holds 7e + 3, which no two entries share.
    for (i = 0; i < 256; i = i + 1) put(7936 + i, 7 * i + 3);
    put(10, 0);
    put(11, 1);
    put(12, 127);     // 7 * 127 + 3 = 892 = 3 * 256 + 124
    put(13, -128);    // 7 * 128 + 3 = 899 = 3 * 256 + 131
    put(14, -1);      // 7 * 255 + 3 = 1788 = 6 * 256 + 252
    lut(20, 10, 7936, 5);
    run("lut_takes_2n_plus_2", 12);
    expect_bytes("every_byte_is_read_and_written_once", 10, 5);
    expect_byte("entry_0", 20, 3);
    expect_byte("entry_1", 21, 10);
    expect_byte("entry_127", 22, 124);
    expect_byte("entry_128_is_of_minus_128", 23, 131);
    expect_byte("entry_255_is_of_minus_1", 24, 252);
    expect_byte("writes_only_n", 19, 85);
    expect_byte("writes_only_n", 25, 85);
    lut(30, 14, 7936, 1);
    run("lut_takes_2n_plus_2", 4);
    expect_byte("one_element", 30, 252);
    expect_byte("writes_only_n", 31, 85);
    expect_eq("the_byte_names_the_entry", {32'd0, first_reads}, {32'd0, 16'd14, 16'd8191});

    // Every entry, in place.
    for (i = 0; i < 256; i = i + 1) put(1000 + i, i);
    lut(1000, 1000, 7936, 256);
    run("lut_takes_2n_plus_2", 514);
    expect_bytes("every_byte_is_read_and_written_once", 512, 256);
    for (i = 0; i < 256; i = i + 1) expect_byte("in_place", 1000 + i, 7 * i + 3);
    // d one before a
    for (i = 0; i < 9; i = i + 1) put(400 + i, i);
    lut(399, 400, 7936, 9);
    run("lut_takes_2n_plus_2", 20);
    for (i = 0; i < 9; i = i + 1) expect_byte("overlap_d_before_a", 399 + i, 7 * i + 3);
    // The source may lie in the table: entries 2 and 3 are the bytes 17 and 24.
    lut(40, 7938, 7936, 2);
    run("lut_takes_2n_plus_2", 6);
    expect_byte("a_table_can_be_looked_up", 40, 122);
    expect_byte("a_table_can_be_looked_up", 41, 171);

    // After a reset in any cycle of a run, the next one knows nothing of it.
    put(700, 10);
    put(701, -2);
    for (i = 1; i <= 8; i = i + 1) begin
      lut(50, 10, 7936, 3);
      interrupt(i);
      lut(710, 700, 7936, 2);
      run("lut_takes_2n_plus_2", 6);
      expect_bytes("every_byte_is_read_and_written_once", 4, 2);
      expect_byte("after_a_reset", 710, 73);
      expect_byte("after_a_reset", 711, 245);
    end
    finish;
  end
endmodule

`default_nettype wire
