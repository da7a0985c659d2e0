// Bench of amax_unit: ties, extremes, timing.
`default_nettype none

module amax_unit_tb;
  localparam NAME = "amax_unit";
  `include "isa.vh"
  `include "bench.vh"
  `include "unit_env.vh"

  amax_unit dut (
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

  task amax(input integer d, input integer a, input integer n);
    begin
      insn = 128'd0;
      insn[7:0] = OP_AMAX;
      insn[AMAX_D_LSB +: AMAX_D_WIDTH] = d;
      insn[AMAX_A_LSB +: AMAX_A_WIDTH] = a;
      insn[AMAX_N_LSB +: AMAX_N_WIDTH] = n;
    end
  endtask

  integer i;

  initial begin
    reset;
    fill(0, 512, 85);
    // one element, the smallest there is
    put(100, -128);
    amax(8191, 100, 1);
    run("amax_takes_n_plus_3", 4);
    expect_byte("one_element", 8191, 0);
    // all equal at the bottom: the first
    fill(100, 5, -128);
    amax(50, 100, 5);
    run("amax_takes_n_plus_3", 8);
    expect_byte("tie_goes_to_the_lowest_index", 50, 0);
    expect_byte("writes_one_cell", 49, 85);
    expect_byte("writes_one_cell", 51, 85);
    // a tie further on, signs mixed
    put(100, -5);
    put(101, 7);
    put(102, -128);
    put(103, 7);
    put(104, 6);
    run("amax_takes_n_plus_3", 8);
    expect_byte("tie_goes_to_the_lowest_index", 50, 1);
    // negative against positive, last one wins
    put(101, -1);
    put(103, -1);
    put(104, 0);
    run("amax_takes_n_plus_3", 8);
    expect_byte("comparison_is_signed", 50, 4);
    put(102, 127);
    run("amax_takes_n_plus_3", 8);
    expect_byte("comparison_is_signed", 50, 2);
    // two elements, and 128 with the winner at the end
    amax(60, 101, 2);
    run("amax_takes_n_plus_3", 5);
    expect_byte("two_elements", 60, 1);
    fill(200, 128, -3);
    put(327, -2);
    amax(60, 200, 128);
    run("amax_takes_n_plus_3", 131);
    expect_byte("row_of_128", 60, 127);
    // the result may land inside the row: it is written after the last read
    amax(201, 200, 128);
    run("amax_takes_n_plus_3", 131);
    expect_byte("result_inside_the_row", 201, 127);

    // After a reset in any cycle of a run, the next one knows nothing of it.
    fill(600, 4, 100);
    put(610, -20);
    put(611, -10);
    for (i = 1; i <= 7; i = i + 1) begin
      amax(630, 600, 4);
      interrupt(i);
      amax(631, 610, 2);
      run("amax_takes_n_plus_3", 5);
      expect_byte("after_a_reset", 631, 1);
    end
    finish;
  end
endmodule

`default_nettype wire
