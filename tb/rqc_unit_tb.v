// Bench of rqc_unit: a multiplier a column, rounding, timing, wrapped rows.
`default_nettype none

module rqc_unit_tb;
  localparam NAME = "rqc_unit";
  `include "isa.vh"
  `include "bench.vh"
  `include "unit_env.vh"
  `include "acc_env.vh"

  rqc_unit dut (
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

  task rqc(input relu, input integer d, input integer a, input integer b, input integer n,
           input integer cols, input integer shift);
    begin
      insn = 128'd0;
      insn[7:0] = OP_RQC;
      insn[RQC_RELU_LSB] = relu;
      insn[RQC_D_LSB +: RQC_D_WIDTH] = d;
      insn[RQC_A_LSB +: RQC_A_WIDTH] = a;
      insn[RQC_B_LSB +: RQC_B_WIDTH] = b;
      insn[RQC_N_LSB +: RQC_N_WIDTH] = n;
      insn[RQC_COLS_LSB +: RQC_COLS_WIDTH] = cols;
      insn[RQC_SHIFT_LSB +: RQC_SHIFT_WIDTH] = shift;
      acc_reads = 0;
    end
  endtask

  integer i;

  initial begin
    reset;
    fill(0, 8192, 85);
    // Two rows of three columns, times 3, 1000 and 65535, over 2^3, half up.
    u_acc.mem[1018] = 32'd10;            // 30/8 = 3.75        ->  4
    u_acc.mem[1019] = -32'sd1;           // -1000/8 = -125
    u_acc.mem[1020] = 32'd0;             //                        0
    u_acc.mem[1021] = -32'sd4;           // -12/8 = -1.5       -> -1
    u_acc.mem[1022] = 32'd1;             // 1000/8 = 125
    u_acc.mem[1023] = 32'h80000000;      // far below          -> -128
    put_multiplier(200, 3);
    put_multiplier(202, 1000);
    put_multiplier(204, 65535);
    rqc(1'b0, 100, 1018, 200, 6, 3, 3);
    run("rqc_takes_2n_plus_2", 14);
    expect_bytes("every_byte_is_read_and_written_once", 12, 6);
    expect_eq("every_accumulator_is_read_once", acc_reads, 6);
    expect_byte("column_0", 100, 4);
    expect_byte("column_1", 101, -125);
    expect_byte("column_2", 102, 0);
    expect_byte("second_row", 103, -1);
    expect_byte("second_row", 104, 125);
    expect_byte("second_row", 105, -128);
    expect_byte("writes_only_n", 99, 85);
    expect_byte("writes_only_n", 106, 85);
    rqc(1'b1, 8187, 1018, 200, 5, 3, 3);
    run("rqc_takes_2n_plus_2", 12);
    expect_byte("relu", 8187, 4);
    expect_byte("relu", 8188, 0);
    expect_byte("relu", 8189, 0);
    expect_byte("relu", 8190, 0);
    expect_byte("relu", 8191, 125);

    // One element, the table in the last cells; a shift of 0 and one of 63.
    put_multiplier(8190, 5);
    rqc(1'b0, 300, 1022, 8190, 1, 1, 0);
    run("rqc_takes_2n_plus_2", 4);
    expect_byte("shift_0", 300, 5);
    rqc(1'b0, 301, 1023, 8190, 1, 1, 63);
    run("rqc_takes_2n_plus_2", 4);
    expect_byte("shift_63", 301, 0);
    // 2^31 * 2^15 / 2^40 = 64: both ends of the multiplication, no more bits than these.
    put_multiplier(8190, 32768);
    rqc(1'b0, 302, 1023, 8190, 1, 1, 40);
    run("rqc_takes_2n_plus_2", 4);
    expect_byte("the_multiplier_is_unsigned", 302, -64);

    // After a reset in any cycle of a run, the next one knows nothing of it.
    for (i = 1; i <= 8; i = i + 1) begin
      rqc(1'b0, 100, 1018, 200, 3, 3, 3);
      interrupt(i);
      fill(610, 2, 85);
      rqc(1'b0, 610, 1021, 200, 2, 2, 3);
      run("rqc_takes_2n_plus_2", 6);
      expect_bytes("every_byte_is_read_and_written_once", 4, 2);
      expect_byte("after_a_reset", 610, -1);
      expect_byte("after_a_reset", 611, 125);
    end
    finish;
  end
endmodule

`default_nettype wire
