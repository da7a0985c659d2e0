// `ASSERT(Name, expr) checks expr at every rising clock edge outside reset. An X counts as a
// failure. The message names the instance through the block's own name (%m), and $fatal makes
// both simulators exit with a non-zero status. The module needs clk_i and rst_i. Nothing is
// left of it under SYNTHESIS.
//
// Both simulating forms sample expr at the clock edge. The one for event-driven simulators sleeps
// as long as expr holds, because waking up in every cycle would cost more than most units do; the
// one for Verilator needs no timing support.
`ifndef CAPRA_ASSERT_VH
`define CAPRA_ASSERT_VH
`ifdef SYNTHESIS
`define ASSERT(Name, expr)
`elsif VERILATOR
`define ASSERT(Name, expr) \
  always @(posedge clk_i) begin : Name \
    if (!rst_i && !(expr)) begin \
      $display("ASSERT FAILED %m"); \
      $fatal(0); \
    end \
  end
`else
`define ASSERT(Name, expr) \
  if (1) begin : Name \
    wire holds = (expr); \
    always begin \
      wait (holds !== 1'b1); \
      @(posedge clk_i); \
      if (holds !== 1'b1 && rst_i === 1'b0) begin \
        $display("ASSERT FAILED %m"); \
        $fatal(0); \
      end \
    end \
  end
`endif
`endif
