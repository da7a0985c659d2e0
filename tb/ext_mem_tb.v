// Bench of the external memory model: its latency is part of the timing table.
`default_nettype none

module ext_mem_tb;
  localparam NAME = "ext_mem";
  `include "bench.vh"

  reg         rst = 1'b1;
  reg         re = 1'b0;
  reg         we = 1'b0;
  reg  [23:0] addr = 24'd0;
  reg  [31:0] wdata = 32'd0;
  wire        rvalid;
  wire [31:0] rdata;

  ext_mem #(
      .WORDS(64)
  ) dut (
      .clk_i   (clk),
      .rst_i   (rst),
      .words_i (25'd64),
      .re_i    (re),
      .addr_i  (addr),
      .rvalid_o(rvalid),
      .rdata_o (rdata),
      .we_i    (we),
      .wdata_i (wdata)
  );

  integer i;

  initial begin
    for (i = 0; i < 64; i = i + 1) dut.mem[i] = 1000 + i;
    @(negedge clk);
    @(negedge clk);
    rst = 1'b0;
    // one request: silent for 7 cycles, answered in the 8th, silent again
    re   = 1'b1;
    addr = 24'd63;
    @(negedge clk);
    re = 1'b0;
    for (i = 1; i < 8; i = i + 1) begin
      expect_eq("no_answer_in_cycle_7", {63'd0, rvalid}, 64'd0);
      @(negedge clk);
    end
    expect_eq("answer_in_cycle_8", {31'd0, rvalid, rdata}, {31'd0, 1'b1, 32'd1063});
    @(negedge clk);
    expect_eq("one_answer", {63'd0, rvalid}, 64'd0);
    // a request every cycle, with a gap after the third
    for (i = 0; i < 30; i = i + 1) begin
      re   = i < 12 && i != 3;
      addr = i;
      expect_eq("one_request_a_cycle", {63'd0, rvalid}, i >= 8 && i < 20 && i != 11);
      if (rvalid) expect_eq("answers_in_order", {32'd0, rdata}, 1000 + i - 8);
      @(negedge clk);
    end
    // a write, and a read right behind it
    we    = 1'b1;
    addr  = 24'd5;
    wdata = 32'hfffffff9;
    @(negedge clk);
    we = 1'b0;
    re = 1'b1;
    @(negedge clk);
    re = 1'b0;
    repeat (7) @(negedge clk);
    expect_eq("read_sees_the_write", {31'd0, rvalid, rdata}, {31'd0, 1'b1, 32'hfffffff9});
    finish;
  end
endmodule

`default_nettype wire
