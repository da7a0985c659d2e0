// Bench of vmul_unit: rounding, saturation, broadcast, timing, in-place and overlapping streams.
`default_nettype none

module vmul_unit_tb;
  localparam NAME = "vmul_unit";
  `include "isa.vh"
  `include "bench.vh"
  `include "unit_env.vh"

  vmul_unit dut (
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

  task vmul(input bcast, input integer d, input integer a, input integer b, input integer n,
            input integer mult, input integer shift);
    begin
      insn = 128'd0;
      insn[7:0] = OP_VMUL;
      insn[VMUL_BCAST_LSB] = bcast;
      insn[VMUL_D_LSB +: VMUL_D_WIDTH] = d;
      insn[VMUL_A_LSB +: VMUL_A_WIDTH] = a;
      insn[VMUL_B_LSB +: VMUL_B_WIDTH] = b;
      insn[VMUL_N_LSB +: VMUL_N_WIDTH] = n;
      insn[VMUL_MULT_LSB +: VMUL_MULT_WIDTH] = mult;
      insn[VMUL_SHIFT_LSB +: VMUL_SHIFT_WIDTH] = shift;
    end
  endtask

  // x * y * mult / 2^shift
  task one(input [48*8-1:0] law, input integer x, input integer y, input integer mult,
           input integer shift, input integer want);
    begin
      put(10, x);
      put(8191, y);
      vmul(1'b0, 20, 10, 8191, 1, mult, shift);
      run("vmul_takes_2n_plus_3", 5);
      expect_byte(law, 20, want);
    end
  endtask

  // Addresses of the first two reads.
  reg [31:0] first_reads;
  always @(posedge clk) if (spad_re && byte_reads <= 2) first_reads = {first_reads, spad_raddr};

  integer i;

  initial begin
    reset;
    fill(0, 1024, 85);
    one("plain_product", 9, -7, 1, 0, -63);
    one("plain_product", -9, -7, 1, 0, 63);
    one("rounds_half_up", 3, 1, 1, 1, 2);              // 1.5
    one("rounds_half_up", 3, -1, 1, 1, -1);            // -1.5
    one("rounds_half_up", 1, -1, 1, 1, 0);             // -0.5
    one("saturates_above", 16, 8, 1, 0, 127);
    one("saturates_above", -128, -128, 1, 0, 127);
    one("saturates_below", -128, 127, 1, 0, -128);
    one("the_largest_product", -128, -128, 1, 7, 127); // 2^14 / 2^7
    one("the_largest_product", -128, -128, 1, 8, 64);
    one("the_smallest_product", -128, 127, 1, 7, -127);
    // 100 * 100 * (2^31 - 1) / 2^38 = 78.1
    one("a_large_multiplier", 100, 100, 2147483647, 38, 78);
    one("a_large_multiplier", 100, -100, 2147483647, 38, -78);
    one("multiplier_0", -128, -128, 0, 0, 0);
    one("shift_63", -128, 127, 2147483647, 63, 0);

    // a = 0..12, b = 3
    fill(299, 15, 85);
    for (i = 0; i < 13; i = i + 1) begin
      put(100 + i, i);
      put(200 + i, i + 3);
    end
    vmul(1'b0, 300, 100, 200, 13, 1, 1);
    run("vmul_takes_2n_plus_3", 29);
    for (i = 0; i < 13; i = i + 1) expect_byte("products", 300 + i, (i * (i + 3) + 1) / 2);
    expect_byte("writes_only_n", 299, 85);
    expect_byte("writes_only_n", 313, 85);
    vmul(1'b0, 300, 100, 200, 2, 1, 0);
    run("vmul_takes_2n_plus_3", 7);
    expect_bytes("every_byte_is_read_and_written_once", 4, 2);
    expect_eq("a_is_read_before_b", {32'd0, first_reads}, {32'd0, 16'd100, 16'd200});

    // The byte at b with every element.
    vmul(1'b1, 300, 100, 203, 13, 1, 0);
    run("vmul_takes_2n_plus_3", 29);
    expect_bytes("a_broadcast_byte_is_read_every_time", 26, 13);
    for (i = 0; i < 13; i = i + 1) expect_byte("broadcast", 300 + i, 6 * i);
    expect_byte("writes_only_n", 299, 85);
    expect_byte("writes_only_n", 313, 85);

    // In place on a, with a = b: squares.
    vmul(1'b0, 100, 100, 100, 12, 1, 0);
    run("vmul_takes_2n_plus_3", 27);
    for (i = 0; i < 12; i = i + 1) expect_byte("in_place", 100 + i, i * i);
    // d one before a, b = d + 2
    for (i = 0; i < 10; i = i + 1) put(400 + i, i);
    vmul(1'b0, 399, 400, 401, 9, 1, 0);
    run("vmul_takes_2n_plus_3", 21);
    for (i = 0; i < 9; i = i + 1) expect_byte("overlap_d_before_a_and_b", 399 + i, i * (i + 1));

    // After a reset in any cycle of a run, the next one knows nothing of it.
    put(700, 10);
    put(701, -11);
    for (i = 1; i <= 9; i = i + 1) begin
      vmul(1'b0, 300, 200, 210, 3, 5, 0);
      interrupt(i);
      vmul(1'b0, 710, 700, 700, 2, 1, 1);
      run("vmul_takes_2n_plus_3", 7);
      expect_bytes("every_byte_is_read_and_written_once", 4, 2);
      expect_byte("after_a_reset", 710, 50);
      expect_byte("after_a_reset", 711, 61);     // 60.5
    end
    finish;
  end
endmodule

`default_nettype wire
