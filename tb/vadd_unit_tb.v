// Bench of vadd_unit: saturation, timing, in-place and overlapping streams.
`default_nettype none

module vadd_unit_tb;
  localparam NAME = "vadd_unit";
  `include "isa.vh"
  `include "bench.vh"
  `include "unit_env.vh"

  vadd_unit dut (
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

  task vadd(input integer d, input integer a, input integer b, input integer n);
    begin
      insn = 128'd0;
      insn[7:0] = OP_VADD;
      insn[VADD_D_LSB +: VADD_D_WIDTH] = d;
      insn[VADD_A_LSB +: VADD_A_WIDTH] = a;
      insn[VADD_B_LSB +: VADD_B_WIDTH] = b;
      insn[VADD_N_LSB +: VADD_N_WIDTH] = n;
    end
  endtask

  task one(input [48*8-1:0] law, input integer x, input integer y, input integer want);
    begin
      put(10, x);
      put(8191, y);
      vadd(20, 10, 8191, 1);
      run("vadd_takes_2n_plus_2", 4);
      expect_byte(law, 20, want);
    end
  endtask

  // Addresses of the first two reads.
  reg [31:0] first_reads;
  always @(posedge clk) if (spad_re && byte_reads <= 2) first_reads = {first_reads, spad_raddr};

  integer i;

  initial begin
    reset;
    one("plain_sum", 100, 27, 127);
    one("plain_sum", -100, -28, -128);
    one("plain_sum", 127, -128, -1);
    one("plain_sum", -1, 1, 0);
    one("saturates_above", 100, 28, 127);
    one("saturates_above", 127, 1, 127);
    one("saturates_above", 127, 127, 127);
    one("saturates_below", -100, -29, -128);
    one("saturates_below", -128, -1, -128);
    one("saturates_below", -128, -128, -128);

    // a = 0..12, b = 100, 98, ..: sums 100 - i
    fill(299, 15, 85);
    for (i = 0; i < 13; i = i + 1) begin
      put(100 + i, i);
      put(200 + i, 100 - 2 * i);
    end
    vadd(300, 100, 200, 13);
    run("vadd_takes_2n_plus_2", 28);
    for (i = 0; i < 13; i = i + 1) expect_byte("sums", 300 + i, 100 - i);
    expect_byte("writes_only_n", 299, 85);
    expect_byte("writes_only_n", 313, 85);
    vadd(300, 100, 200, 2);
    run("vadd_takes_2n_plus_2", 6);
    expect_bytes("every_byte_is_read_and_written_once", 4, 2);
    expect_eq("a_is_read_before_b", {32'd0, first_reads}, {32'd0, 16'd100, 16'd200});

    // In place on a, with a = b: everything doubled.
    vadd(100, 100, 100, 13);
    run("vadd_takes_2n_plus_2", 28);
    for (i = 0; i < 13; i = i + 1) expect_byte("in_place", 100 + i, 2 * i);
    // d one before a, b = d + 2: x[i] = a[i] + a[i+1]
    for (i = 0; i < 10; i = i + 1) put(400 + i, i);
    vadd(399, 400, 401, 9);
    run("vadd_takes_2n_plus_2", 20);
    for (i = 0; i < 9; i = i + 1) expect_byte("overlap_d_before_a_and_b", 399 + i, 2 * i + 1);
    // d = b - 1, a elsewhere
    for (i = 0; i < 6; i = i + 1) begin
      put(500 + i, i);
      put(600 + i, 50);
    end
    vadd(499, 600, 500, 6);
    run("vadd_takes_2n_plus_2", 14);
    for (i = 0; i < 6; i = i + 1) expect_byte("overlap_d_before_b", 499 + i, 50 + i);

    // After a reset in any cycle of a run, the next one knows nothing of it.
    put(700, 10);
    put(701, -20);
    for (i = 1; i <= 8; i = i + 1) begin
      vadd(300, 100, 200, 3);
      interrupt(i);
      vadd(710, 700, 700, 2);
      run("vadd_takes_2n_plus_2", 6);
      expect_bytes("every_byte_is_read_and_written_once", 4, 2);
      expect_byte("after_a_reset", 710, 20);
      expect_byte("after_a_reset", 711, -40);
    end
    finish;
  end
endmodule

`default_nettype wire
