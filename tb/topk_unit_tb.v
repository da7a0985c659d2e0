// Bench of topk_unit, and through it of topk_select: order, ties, extremes, timing.
`default_nettype none

module topk_unit_tb;
  localparam NAME = "topk_unit";
  `include "isa.vh"
  `include "bench.vh"
  `include "unit_env.vh"

  topk_unit dut (
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

  task topk(input integer d, input integer a, input integer n, input integer k);
    begin
      insn = 128'd0;
      insn[7:0] = OP_TOPK;
      insn[TOPK_D_LSB +: TOPK_D_WIDTH] = d;
      insn[TOPK_A_LSB +: TOPK_A_WIDTH] = a;
      insn[TOPK_N_LSB +: TOPK_N_WIDTH] = n;
      insn[TOPK_K_LSB +: TOPK_K_WIDTH] = k;
    end
  endtask

  // All of a row of four, ordered: indices p to s with the values they have.
  task four(input integer x0, input integer x1, input integer x2, input integer x3,
            input integer p, input integer q, input integer r, input integer s);
    begin
      put(10, x0);
      put(11, x1);
      put(12, x2);
      put(13, x3);
      topk(20, 10, 4, 4);
      run("topk_takes_k_times_n_plus_4", 32);
      expect_bytes("a_row_is_read_in_every_pass", 16, 8);
      expect_byte("first_index", 20, p);
      expect_byte("second_index", 21, q);
      expect_byte("third_index", 22, r);
      expect_byte("last_index", 23, s);
      expect_byte("first_value", 24, u_spad.mem[10 + p]);
      expect_byte("second_value", 25, u_spad.mem[10 + q]);
      expect_byte("third_value", 26, u_spad.mem[10 + r]);
      expect_byte("last_value", 27, u_spad.mem[10 + s]);
    end
  endtask

  integer i;

  initial begin
    reset;
    fill(0, 1024, 85);
    // One element, the smallest value there is, in the last cells.
    put(8189, -128);
    topk(8190, 8189, 1, 1);
    run("topk_takes_k_times_n_plus_4", 5);
    expect_bytes("a_row_is_read_in_every_pass", 1, 2);
    expect_byte("one_element", 8190, 0);
    expect_byte("one_element", 8191, -128);

    four(4, 3, 2, 1, 0, 1, 2, 3);
    four(1, 2, 3, 4, 3, 2, 1, 0);
    four(-1, 127, -128, 5, 1, 3, 0, 2);
    four(7, 7, 7, 7, 0, 1, 2, 3);
    four(-128, -128, -128, -128, 0, 1, 2, 3);
    four(127, 127, 127, 127, 0, 1, 2, 3);
    four(0, -128, 127, -128, 2, 0, 1, 3);
    four(5, 9, 5, 9, 1, 3, 0, 2);
    four(9, 5, 9, 5, 0, 2, 1, 3);
    four(-3, -3, -2, -3, 2, 0, 1, 3);
    expect_byte("writes_2k_cells", 19, 85);
    expect_byte("writes_2k_cells", 28, 85);

    // Two of three: values right behind the indices.
    put(10, 1);
    put(11, -5);
    put(12, 3);
    topk(40, 10, 3, 2);
    run("topk_takes_k_times_n_plus_4", 14);
    expect_bytes("a_row_is_read_in_every_pass", 6, 4);
    expect_byte("first_index", 40, 2);
    expect_byte("second_index", 41, 0);
    expect_byte("first_value", 42, 3);
    expect_byte("second_value", 43, 1);
    expect_byte("writes_2k_cells", 44, 85);
    // The results may end right before the row, and begin right behind it.
    topk(8, 10, 3, 1);
    run("topk_takes_k_times_n_plus_4", 7);
    expect_byte("right_before_the_row", 8, 2);
    expect_byte("right_before_the_row", 9, 3);
    topk(13, 10, 3, 3);
    run("topk_takes_k_times_n_plus_4", 21);
    expect_byte("right_behind_the_row", 13, 2);
    expect_byte("right_behind_the_row", 15, 1);
    expect_byte("right_behind_the_row", 16, 3);
    expect_byte("right_behind_the_row", 18, -5);

    // A whole row of 128: falling pairs, 63 63 62 62 .. 0 0, from the back of the row.
    for (i = 0; i < 128; i = i + 1) put(200 + i, i / 2);
    topk(400, 200, 128, 128);
    run("topk_takes_k_times_n_plus_4", 16896);
    for (i = 0; i < 128; i = i + 1) begin
      expect_byte("row_of_128_indices", 400 + i, (i % 2 == 0) ? 126 - i : 128 - i);
      expect_byte("row_of_128_values", 528 + i, 63 - i / 2);
    end
    expect_byte("writes_2k_cells", 399, 85);
    expect_byte("writes_2k_cells", 656, 85);

    // After a reset in any cycle of a run, the next one knows nothing of it.
    put(700, 20);
    put(701, 30);
    put(702, 10);
    put(710, -20);
    put(711, -10);
    for (i = 1; i <= 14; i = i + 1) begin
      topk(720, 700, 3, 2);
      interrupt(i);
      topk(730, 710, 2, 2);
      run("topk_takes_k_times_n_plus_4", 12);
      expect_bytes("a_row_is_read_in_every_pass", 4, 4);
      expect_byte("after_a_reset", 730, 1);
      expect_byte("after_a_reset", 731, 0);
      expect_byte("after_a_reset", 732, -10);
      expect_byte("after_a_reset", 733, -20);
    end
    finish;
  end
endmodule

`default_nettype wire
