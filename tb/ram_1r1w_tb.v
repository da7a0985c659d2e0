// Bench of ram_1r1w: latency, hold, read before write, addresses out of range.
`default_nettype none

module ram_1r1w_tb;
  localparam NAME = "ram_1r1w";
  `include "bench.vh"

  reg         re = 1'b0;
  reg         we = 1'b0;
  reg  [15:0] raddr = 16'd0;
  reg  [15:0] waddr = 16'd0;
  reg  [11:0] wdata = 12'd0;
  wire [11:0] rdata;

  ram_1r1w #(
      .WIDTH(12),
      .DEPTH(5)
  ) dut (
      .clk_i  (clk),
      .re_i   (re),
      .raddr_i(raddr),
      .rdata_o(rdata),
      .we_i   (we),
      .waddr_i(waddr),
      .wdata_i(wdata)
  );

  task write(input integer addr, input integer data);
    begin
      we    = 1'b1;
      waddr = addr;
      wdata = data;
      @(negedge clk);
      we = 1'b0;
    end
  endtask

  task read(input [48*8-1:0] law, input integer addr, input integer want);
    begin
      re    = 1'b1;
      raddr = addr;
      @(negedge clk);
      re = 1'b0;
      expect_eq(law, {52'd0, rdata}, want);
    end
  endtask

  integer i;

  initial begin
    @(negedge clk);
    for (i = 0; i < 5; i = i + 1) write(i, 100 + i);
    for (i = 0; i < 5; i = i + 1) read("read_answers_next_cycle", i, 100 + i);
    raddr = 16'd2;
    @(negedge clk);
    expect_eq("answer_stays_without_enable", {52'd0, rdata}, 64'd104);
    waddr = 16'd2;
    wdata = 12'd7;
    @(negedge clk);
    read("no_write_without_enable", 2, 102);
    // beyond the end: 5, the wrapped images 8 and 13, and the last address
    write(5, 1);
    write(8, 1);
    write(13, 1);
    write(65535, 1);
    for (i = 0; i < 5; i = i + 1) read("write_out_of_range_is_dropped", i, 100 + i);
    read("read_out_of_range_keeps_the_answer", 5, 104);
    read("read_out_of_range_keeps_the_answer", 8, 104);
    read("read_out_of_range_keeps_the_answer", 65535, 104);
    // both ports at once: the old word, then the new one
    we    = 1'b1;
    waddr = 16'd3;
    wdata = 12'hfff;
    read("read_and_write_gives_the_old_word", 3, 103);
    we = 1'b0;
    read("read_and_write_gives_the_old_word", 3, 4095);
    finish;
  end
endmodule

`default_nettype wire
