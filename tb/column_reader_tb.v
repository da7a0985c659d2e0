// Bench of column_reader: pairs in order, wrapped columns, timing, counted reads.
`default_nettype none

module column_reader_tb;
  localparam NAME = "column_reader";
  `include "isa.vh"
  `include "bench.vh"
  `include "unit_env.vh"
  `include "acc_env.vh"

  reg         busy = 1'b0;
  reg  [15:0] a, b, n, cols;
  wire        ask;
  wire        valid;
  wire [15:0] mult;

  assign done       = 1'b0;  // the reader writes nothing and says only that it asks
  assign spad_we    = 1'b0;
  assign spad_waddr = 16'd0;
  assign spad_wdata = 8'd0;

  column_reader dut (
      .clk_i       (clk),
      .rst_i       (rst),
      .start_i     (start),
      .en_i        (busy),
      .a_i         (a),
      .b_i         (b),
      .n_i         (n),
      .cols_i      (cols),
      .ask_o       (ask),
      .spad_re_o   (spad_re),
      .spad_raddr_o(spad_raddr),
      .spad_rdata_i(spad_rdata),
      .acc_re_o    (acc_re),
      .acc_raddr_o (acc_raddr),
      .valid_o     (valid),
      .mult_o      (mult)
  );

  // Accumulator i holds 1000 + i, the multiplier of column j is 5 j + 256 (200 + j).
  function [15:0] multiplier(input integer column);
    multiplier = 16'd5 * column[15:0] + 16'd256 * (16'd200 + column[15:0]);
  endfunction

  integer i;

  task begin_read(input integer from, input integer table_at, input integer count,
                  input integer columns);
    begin
      a    = from[15:0];
      b    = table_at[15:0];
      n    = count[15:0];
      cols = columns[15:0];
      for (i = 0; i < columns; i = i + 1) put_multiplier(table_at + 2 * i, multiplier(i));
      acc_reads  = 0;
      byte_reads = 0;
      start = 1'b1;
      @(negedge clk);
      start = 1'b0;
      busy  = 1'b1;
    end
  endtask

  // The pair of element i is there in cycle 2i + 3, and in no cycle around it.
  task reads(input integer from, input integer table_at, input integer count,
             input integer columns);
    integer cycle;
    begin
      begin_read(from, table_at, count, columns);
      for (cycle = 1; cycle <= 2 * count + 1; cycle = cycle + 1) begin
        expect_eq("asks_for_2n_cycles", {63'd0, ask}, {63'd0, cycle <= 2 * count});
        expect_eq("a_pair_every_other_cycle", {63'd0, valid},
                  {63'd0, cycle >= 3 && cycle % 2 == 1});
        if (valid) begin
          expect_eq("accumulators_in_order", {32'd0, acc_rdata}, 1000 + from + (cycle - 3) / 2);
          expect_eq("multipliers_repeat_after_cols", {48'd0, mult},
                    {48'd0, multiplier(((cycle - 3) / 2) % columns)});
        end
        @(negedge clk);
      end
      expect_eq("silent_after_the_last", {61'd0, ask, valid, acc_re}, 64'd0);
      busy = 1'b0;
      expect_eq("every_byte_is_read_when_needed", byte_reads, 2 * count);
      expect_eq("every_accumulator_is_read_once", acc_reads, count);
      @(negedge clk);
    end
  endtask

  initial begin
    for (i = 0; i < 1024; i = i + 1) u_acc.mem[i] = 1000 + i;
    reset;
    reads(5, 100, 1, 1);
    reads(1023, 8190, 1, 1);     // the last cells
    reads(0, 100, 4, 4);         // one row
    reads(7, 200, 9, 3);         // three rows
    reads(7, 200, 8, 3);         // the last one not whole
    reads(2, 300, 3, 1);         // one column
    reads(2, 400, 2, 5);         // more columns than elements
    reads(0, 1000, 600, 300);    // nine bits of both counts
    // Held, it waits: without en_i nothing moves.
    begin_read(3, 500, 2, 2);
    busy = 1'b0;
    repeat (5) @(negedge clk);
    expect_eq("stands_still_when_not_enabled", {61'd0, ask, valid, acc_re}, {61'd0, 3'b100});
    busy = 1'b1;
    repeat (2) @(negedge clk);
    expect_eq("goes_on_when_enabled", {63'd0, valid}, 64'd1);
    expect_eq("goes_on_when_enabled", {32'd0, acc_rdata}, 64'd1003);
    // After a reset in any cycle of a run, the next one knows nothing of it.
    begin : resets
      integer at;
      for (at = 1; at <= 6; at = at + 1) begin
        begin_read(0, 600, 2, 2);
        repeat (at - 1) @(negedge clk);
        rst = 1'b1;
        @(negedge clk);
        rst  = 1'b0;
        busy = 1'b0;
        expect_eq("idle_after_reset", {61'd0, ask, valid, acc_re}, 64'd0);
        reads(9, 700, 3, 2);
      end
    end
    finish;
  end
endmodule

`default_nettype wire
