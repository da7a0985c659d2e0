// Bench of vector_unit: every sub-unit reaches the ports, with its own timing.
`default_nettype none

module vector_unit_tb;
  localparam NAME = "vector_unit";
  `include "isa.vh"
  `include "bench.vh"
  `include "unit_env.vh"

  wire        acc_re;
  wire [15:0] acc_raddr;
  wire [31:0] acc_rdata;
  reg  [3:0]  which = 4'd0;

  ram_1r1w #(
      .WIDTH(32),
      .DEPTH(16)
  ) u_acc (
      .clk_i  (clk),
      .re_i   (acc_re),
      .raddr_i(acc_raddr),
      .rdata_o(acc_rdata),
      .we_i   (1'b0),
      .waddr_i(16'd0),
      .wdata_i(32'd0)
  );

  vector_unit dut (
      .clk_i       (clk),
      .rst_i       (rst),
      .start_i     ({9'd0, start} << which),
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

  task stream(input integer unit, input [7:0] op, input integer d, input integer a,
              input integer b, input integer n, input [31:0] top);
    begin
      which = unit[3:0];
      insn  = {top, 16'd0, n[15:0], b[15:0], a[15:0], d[15:0], 8'd0, op};
    end
  endtask

  initial begin
    reset;
    fill(0, 128, 85);
    put(10, 5);
    put(11, -7);
    put(12, 5);
    put(20, 1);
    put(21, 2);
    put(22, 3);
    u_acc.mem[4] = -32'sd9;
    stream(0, OP_RQ, 30, 10, 0, 3, 32'd2);        // doubled
    run("rq_takes_n_plus_2", 5);
    expect_byte("rq", 30, 10);
    expect_byte("rq", 31, -14);
    expect_byte("rq", 32, 10);
    stream(0, OP_RQ, 33, 4, 0, 1, 32'd3);         // -9 * 3
    insn[RQ_ACC_LSB] = 1'b1;
    run("rq_takes_n_plus_2", 3);
    expect_byte("rq_from_accumulators", 33, -27);
    stream(1, OP_VADD, 40, 10, 20, 3, 32'd0);
    run("vadd_takes_2n_plus_2", 8);
    expect_byte("vadd", 40, 6);
    expect_byte("vadd", 41, -5);
    expect_byte("vadd", 42, 8);
    stream(2, OP_SM, 50, 10, 0, 3, 32'h00ffffff); // two equal maxima: 63.5 each
    run("sm_takes_4n_plus_31", 43);
    expect_byte("sm", 50, 64);
    expect_byte("sm", 51, 0);
    expect_byte("sm", 52, 64);
    stream(3, OP_AMAX, 60, 20, 0, 3, 32'd0);
    run("amax_takes_n_plus_3", 6);
    expect_byte("amax", 60, 2);
    u_acc.mem[6] = 32'd7;
    u_acc.mem[7] = 32'd4;
    put(24, 2);                                   // multipliers 2 and 3
    put(25, 0);
    put(26, 3);
    put(27, 0);
    stream(4, OP_RQC, 70, 6, 24, 2, 32'd2);       // 14 and 12
    run("rqc_takes_2n_plus_2", 6);
    expect_byte("rqc", 70, 14);
    expect_byte("rqc", 71, 12);
    u_acc.mem[7] = 32'd5;
    stream(5, OP_AMAXC, 80, 6, 24, 2, 32'd0);     // 14 and 15
    run("amaxc_takes_2n_plus_3", 7);
    expect_byte("amaxc", 80, 1);
    fill(128, 256, 77);                           // entries 5 and 249, of 5 and -7
    put(133, 40);
    put(377, -40);
    stream(6, OP_LUT, 90, 10, 128, 3, 32'd0);
    run("lut_takes_2n_plus_2", 8);
    expect_byte("lut", 90, 40);
    expect_byte("lut", 91, -40);
    expect_byte("lut", 92, 40);
    stream(7, OP_VMUL, 94, 10, 20, 3, 32'd1);     // 5 * 1, -7 * 2, 5 * 3
    run("vmul_takes_2n_plus_3", 9);
    expect_byte("vmul", 94, 5);
    expect_byte("vmul", 95, -14);
    expect_byte("vmul", 96, 15);
    stream(8, OP_TOPK, 100, 20, 0, 3, 32'd2);
    run("topk_takes_k_times_n_plus_4", 14);
    expect_byte("topk_indices", 100, 2);
    expect_byte("topk_indices", 101, 1);
    expect_byte("topk_values", 102, 3);
    expect_byte("topk_values", 103, 2);
    stream(9, OP_TOPKC, 110, 6, 24, 2, 32'd1);    // 14 and 15
    run("topkc_takes_k_times_2n_plus_4", 8);
    expect_byte("topkc_index", 110, 1);
    expect_byte("topkc_value", 111, 15);
    stream(3, OP_AMAX, 61, 20, 0, 3, 32'd0);      // after them the others still reach the ports
    run("amax_takes_n_plus_3", 6);
    expect_byte("amax", 61, 2);
    expect_byte("writes_only_n", 29, 85);
    expect_byte("writes_only_n", 43, 85);
    expect_byte("writes_only_n", 53, 85);
    expect_byte("writes_only_n", 62, 85);
    expect_byte("writes_only_n", 72, 85);
    expect_byte("writes_only_n", 81, 85);
    expect_byte("writes_only_n", 93, 85);
    expect_byte("writes_only_n", 97, 85);
    expect_byte("writes_only_n", 104, 85);
    expect_byte("writes_only_n", 112, 85);
    finish;
  end
endmodule

`default_nettype wire
