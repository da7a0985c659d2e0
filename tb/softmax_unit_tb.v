// Bench of softmax_unit: hand-worked rows, timing, in-place and overlapping rows.
`default_nettype none

module softmax_unit_tb;
  localparam NAME = "softmax_unit";
  `include "isa.vh"
  `include "bench.vh"
  `include "unit_env.vh"

  localparam integer ONE = 1048576;       // 2^20: one step of x halves the exponential
  localparam integer STEEP = 16777215;    // the largest scale

  softmax_unit dut (
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

  task sm(input integer d, input integer a, input integer n, input integer scale);
    begin
      insn = 128'd0;
      insn[7:0] = OP_SM;
      insn[SM_D_LSB +: SM_D_WIDTH] = d;
      insn[SM_A_LSB +: SM_A_WIDTH] = a;
      insn[SM_N_LSB +: SM_N_WIDTH] = n;
      insn[SM_SCALE_LSB +: SM_SCALE_WIDTH] = scale;
    end
  endtask

  // n equal scores: every probability is `want`.
  task equal(input integer n, input integer x, input integer want);
    integer i;
    begin
      fill(1000, n, x);
      sm(2000, 1000, n, ONE);
      run("sm_takes_4n_plus_31", 4 * n + 31);
      for (i = 0; i < n; i = i + 1) expect_byte("all_equal", 2000 + i, want);
    end
  endtask

  integer i;

  initial begin
    reset;
    fill(1999, 300, 85);
    // One: S = 2^15, R = 127 * 2^17, p = (127 * 2^32 + 2^31) >> 32
    put(1000, -128);
    sm(2000, 1000, 1, ONE);
    run("sm_takes_4n_plus_31", 35);
    expect_byte("one_element", 2000, 127);
    expect_byte("writes_only_n", 1999, 85);
    expect_byte("writes_only_n", 2001, 85);
    // Equal scores: p = round(127 / n), with R rounded down
    equal(2, 127, 64);    // 63.5 exactly: half up
    equal(4, -128, 32);   // 31.75
    equal(127, 0, 1);     // 1
    equal(254, 5, 1);     // 0.5 exactly: half up
    equal(255, 5, 0);     // R = floor(16646144 / 255) = 65278, 65278 / 2^17 = 0.498
    equal(256, -1, 0);    // 0.496

    // x = 0, -1 at one bit a step: e = 32768, 16384, S = 49152, R = floor(127 * 2^18 / 3) =
    // 11097429; p0 = 11097429 / 2^17 = 84.67, p1 = 42.33
    put(1000, 0);
    put(1001, -1);
    sm(2000, 1000, 2, ONE);
    run("sm_takes_4n_plus_31", 39);
    expect_byte("one_bit_a_step", 2000, 85);
    expect_byte("one_bit_a_step", 2001, 42);
    // Half a bit a step: u = 128, e = 23170, S = 55938, R = floor(127 * 2^32 / 55938) =
    // 9751168 (545460846592 / 55938 = 9751168.2); p0 = 9751168 / 2^17 = 74.40,
    // p1 = 23170 * 9751168 / 2^32 = 52.60
    sm(2000, 1000, 2, ONE / 2);
    run("sm_takes_4n_plus_31", 39);
    expect_byte("half_a_bit_a_step", 2000, 74);
    expect_byte("half_a_bit_a_step", 2001, 53);
    // Rounding of u: d = 1, scale = 2^11 - 1 gives 0.4998 -> 0; 2^11 gives 0.5 -> 1. One step of
    // u is e = 32679: p = 64, 64 and (S = 65447, R = 8334390) 63.586, 63.414 -> 64, 63
    sm(2000, 1000, 2, 2047);
    run("sm_takes_4n_plus_31", 39);
    expect_byte("u_rounds_half_up", 2001, 64);
    sm(2000, 1000, 2, 2048);
    run("sm_takes_4n_plus_31", 39);
    expect_byte("u_rounds_half_up", 2000, 64);
    expect_byte("u_rounds_half_up", 2001, 63);
    // Scale 0: the scores do not matter
    put(1000, 127);
    put(1001, -128);
    sm(2000, 1000, 2, 0);
    run("sm_takes_4n_plus_31", 39);
    expect_byte("scale_0_is_uniform", 2000, 64);
    expect_byte("scale_0_is_uniform", 2001, 64);
    // The largest difference at the largest scale: u = (255 * (2^24 - 1) + 2^11) >> 12
    sm(2000, 1000, 2, STEEP);
    run("sm_takes_4n_plus_31", 39);
    expect_byte("extremes", 2000, 127);
    expect_byte("extremes", 2001, 0);
    // The maximum last, and 256 elements
    fill(1000, 256, -128);
    put(1255, 127);
    sm(2000, 1000, 256, STEEP);
    run("sm_takes_4n_plus_31", 1055);
    for (i = 0; i < 255; i = i + 1) expect_byte("row_of_256", 2000 + i, 0);
    expect_byte("row_of_256", 2255, 127);

    // In place and one cell back: 0, -1, -2 at one bit a step. e = 32768, 16384, 8192,
    // S = 57344 = 7 * 2^13, R = floor(127 * 2^19 / 7) = 9512082;
    // p = 72.57, 36.29, 18.14
    for (i = 0; i < 3; i = i + 1) put(3000 + i, -i);
    sm(3000, 3000, 3, ONE);
    run("sm_takes_4n_plus_31", 43);
    expect_byte("in_place", 3000, 73);
    expect_byte("in_place", 3001, 36);
    expect_byte("in_place", 3002, 18);
    for (i = 0; i < 3; i = i + 1) put(3000 + i, 100 - i);
    sm(2999, 3000, 3, ONE);
    run("sm_takes_4n_plus_31", 43);
    expect_byte("overlap_d_before_a", 2999, 73);
    expect_byte("overlap_d_before_a", 3000, 36);
    expect_byte("overlap_d_before_a", 3001, 18);
    expect_byte("overlap_d_before_a", 3002, 98);
    // After a reset in any cycle of a row, the next row knows nothing of it: neither its maximum,
    // which is above its own or as low as can be, nor its sum.
    for (i = 0; i < 94; i = i + 1) begin
      fill(1000, 4, (i < 47) ? 100 : -128);
      sm(2000, 1000, 4, ONE);
      interrupt(i % 47 + 1);
      equal(4, 0, 32);
    end
    finish;
  end
endmodule

`default_nettype wire
