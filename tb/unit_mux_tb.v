// Bench of unit_mux: every unit.
`default_nettype none

module unit_mux_tb;
  localparam NAME = "unit_mux";
  `include "isa.vh"
  `include "bench.vh"

  reg  [1:0] unit = 2'd0;
  wire [7:0] out;

  unit_mux #(
      .BITS(8)
  ) dut (
      .unit_i  (unit),
      .dma_i   (8'd10),
      .matrix_i(8'd21),
      .vector_i(8'd32),
      .out_o   (out)
  );

  task pick(input [1:0] which, input integer want);
    begin
      unit = which;
      @(negedge clk);
      expect_eq("each_unit_has_its_turn", {56'd0, out}, want);
    end
  endtask

  initial begin
    pick(UNIT_DMA, 10);
    pick(UNIT_MATRIX, 21);
    pick(UNIT_VECTOR, 32);
    pick(UNIT_MATRIX, 21);
    pick(UNIT_DMA, 10);
    finish;
  end
endmodule

`default_nettype wire
