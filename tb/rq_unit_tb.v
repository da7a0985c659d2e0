// Bench of rq_unit: both sources, timing, in-place and overlapping streams.
`default_nettype none

module rq_unit_tb;
  localparam NAME = "rq_unit";
  `include "isa.vh"
  `include "bench.vh"
  `include "unit_env.vh"

  wire        acc_re;
  wire [31:0] acc_rdata;
  integer     acc_reads = 0;

  always @(negedge clk) if (acc_re) acc_reads = acc_reads + 1;

  ram_1r1w #(
      .WIDTH(32),
      .DEPTH(1024)
  ) u_acc (
      .clk_i  (clk),
      .re_i   (acc_re),
      .raddr_i(spad_raddr),
      .rdata_o(acc_rdata),
      .we_i   (1'b0),
      .waddr_i(16'd0),
      .wdata_i(32'd0)
  );

  rq_unit dut (
      .clk_i       (clk),
      .rst_i       (rst),
      .start_i     (start),
      .insn_i      (insn),
      .done_o      (done),
      .spad_re_o   (spad_re),
      .acc_re_o    (acc_re),
      .raddr_o     (spad_raddr),
      .spad_rdata_i(spad_rdata),
      .acc_rdata_i (acc_rdata),
      .spad_we_o   (spad_we),
      .spad_waddr_o(spad_waddr),
      .spad_wdata_o(spad_wdata)
  );

  task rq(input from_acc, input relu, input integer d, input integer a, input integer n,
          input integer mult, input integer shift);
    begin
      insn = 128'd0;
      insn[7:0] = OP_RQ;
      insn[RQ_ACC_LSB]  = from_acc;
      insn[RQ_RELU_LSB] = relu;
      insn[RQ_D_LSB +: RQ_D_WIDTH] = d;
      insn[RQ_A_LSB +: RQ_A_WIDTH] = a;
      insn[RQ_N_LSB +: RQ_N_WIDTH] = n;
      insn[RQ_MULT_LSB +: RQ_MULT_WIDTH] = mult;
      insn[RQ_SHIFT_LSB +: RQ_SHIFT_WIDTH] = shift;
    end
  endtask

  integer i;

  initial begin
    reset;
    // Accumulators: x * 3 / 8, half up.
    u_acc.mem[1020] = 32'd10;            // 30/8 = 3.75  ->  4
    u_acc.mem[1021] = -32'sd4;           // -12/8 = -1.5 -> -1
    u_acc.mem[1022] = 32'd2147483647;    // -> 127
    u_acc.mem[1023] = 32'h80000000;      // -> -128
    fill(90, 20, 85);
    rq(1'b1, 1'b0, 100, 1020, 4, 3, 3);
    run("rq_takes_n_plus_2", 6);
    expect_bytes("accumulators_are_read_alone", 0, 4);
    expect_eq("accumulators_are_read_alone", acc_reads, 4);
    expect_byte("accumulators", 100, 4);
    expect_byte("accumulators", 101, -1);
    expect_byte("accumulators", 102, 127);
    expect_byte("accumulators", 103, -128);
    expect_byte("writes_only_n", 99, 85);
    expect_byte("writes_only_n", 104, 85);
    rq(1'b1, 1'b1, 8188, 1020, 4, 3, 3);
    run("rq_takes_n_plus_2", 6);
    expect_byte("relu", 8188, 4);
    expect_byte("relu", 8189, 0);
    expect_byte("relu", 8190, 127);
    expect_byte("relu", 8191, 0);

    // Scratchpad bytes are sign-extended; one element.
    put(200, -128);
    rq(1'b0, 1'b0, 300, 200, 1, 1, 1);
    run("rq_takes_n_plus_2", 3);
    expect_byte("scratchpad_source", 300, -64);
    rq(1'b0, 1'b0, 301, 200, 1, 2147483647, 31);
    run("rq_takes_n_plus_2", 3);
    expect_byte("scratchpad_source", 301, -128);   // -128 + 128/2^31
    rq(1'b0, 1'b0, 302, 200, 1, 0, 63);
    run("rq_takes_n_plus_2", 3);
    expect_byte("mult_0_gives_0", 302, 0);

    // In place: 0..16 doubled.
    for (i = 0; i < 17; i = i + 1) put(400 + i, i);
    acc_reads = 0;
    rq(1'b0, 1'b0, 400, 400, 17, 2, 0);
    run("rq_takes_n_plus_2", 19);
    expect_bytes("bytes_are_read_alone", 17, 17);
    expect_eq("bytes_are_read_alone", acc_reads, 0);
    for (i = 0; i < 17; i = i + 1) expect_byte("in_place", 400 + i, 2 * i);

    // Overlapping, the destination one and two cells before the source.
    for (i = 0; i < 9; i = i + 1) put(500 + i, 10 + i);
    rq(1'b0, 1'b0, 499, 500, 9, 1, 0);
    run("rq_takes_n_plus_2", 11);
    for (i = 0; i < 9; i = i + 1) expect_byte("overlap_d_before_a", 499 + i, 10 + i);
    expect_byte("overlap_d_before_a", 508, 18);
    rq(1'b0, 1'b0, 497, 499, 9, 1, 0);
    run("rq_takes_n_plus_2", 11);
    for (i = 0; i < 9; i = i + 1) expect_byte("overlap_d_before_a", 497 + i, 10 + i);

    // After a reset in any cycle of a run, the next one knows nothing of it.
    put(600, 10);
    put(601, -20);
    for (i = 1; i <= 6; i = i + 1) begin
      rq(1'b1, 1'b0, 100, 1020, 4, 3, 3);
      interrupt(i);
      rq(1'b0, 1'b0, 610, 600, 2, 1, 1);
      run("rq_takes_n_plus_2", 4);
      expect_bytes("every_byte_is_read_and_written_once", 2, 2);
      expect_byte("after_a_reset", 610, 5);
      expect_byte("after_a_reset", 611, -10);
    end
    finish;
  end
endmodule

`default_nettype wire
