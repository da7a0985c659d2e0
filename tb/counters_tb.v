// Bench of counters: each unit's counter, the total, clear, enable, the 32-bit border.
`default_nettype none

module counters_tb;
  localparam NAME = "counters";
  `include "isa.vh"
  `include "bench.vh"

  reg         rst = 1'b1;
  reg         clear = 1'b0;
  reg         en = 1'b0;
  reg  [1:0]  unit = 2'd0;
  wire [63:0] total, matrix, dma, vector, control;

  counters dut (
      .clk_i    (clk),
      .rst_i    (rst),
      .clear_i  (clear),
      .en_i     (en),
      .unit_i   (unit),
      .total_o  (total),
      .matrix_o (matrix),
      .dma_o    (dma),
      .vector_o (vector),
      .control_o(control)
  );

  task count(input [1:0] which, input integer cycles);
    begin
      unit = which;
      en   = 1'b1;
      repeat (cycles) @(negedge clk);
      en = 1'b0;
    end
  endtask

  task expect_all(input [48*8-1:0] law, input [63:0] c, input [63:0] d, input [63:0] m,
                  input [63:0] v, input [63:0] t);
    begin
      expect_eq(law, control, c);
      expect_eq(law, dma, d);
      expect_eq(law, matrix, m);
      expect_eq(law, vector, v);
      expect_eq(law, total, t);
    end
  endtask

  initial begin
    @(negedge clk);
    @(negedge clk);
    rst = 1'b0;
    expect_all("reset_clears", 0, 0, 0, 0, 0);
    count(UNIT_DMA, 1);
    expect_all("each_unit_has_its_counter", 0, 1, 0, 0, 1);
    count(UNIT_MATRIX, 2);
    count(UNIT_VECTOR, 3);
    count(UNIT_CONTROL, 4);
    expect_all("each_unit_has_its_counter", 4, 1, 2, 3, 10);
    repeat (3) @(negedge clk);
    expect_all("counts_only_when_enabled", 4, 1, 2, 3, 10);
    // the carry into the upper half
    dut.total_q  = 64'h00000000_ffffffff;
    dut.matrix_q = 64'h00000000_fffffffe;
    count(UNIT_MATRIX, 2);
    expect_all("counters_are_64_bits_wide", 4, 1, 64'h1_00000000, 3, 64'h1_00000001);
    clear = 1'b1;
    count(UNIT_VECTOR, 1);
    clear = 1'b0;
    expect_all("clear_wins_over_enable", 0, 0, 0, 0, 0);
    count(UNIT_VECTOR, 1);
    expect_all("each_unit_has_its_counter", 0, 0, 0, 1, 1);
    finish;
  end
endmodule

`default_nettype wire
