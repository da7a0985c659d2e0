// Processing element of the systolic array: multiplies, accumulates, passes operands on.
//
// Shapes:      int8 a from the left, int8 b from above; one int32 accumulator.
// Latency:     a product is in acc_o two cycles after its operands were valid.
// Throughput:  one multiply-accumulate per cycle.
// Reset:       clear_i (with en_i) ends all validity and empties the accumulator.
// Does not:    saturate: 4,095 products of at most 2^14 stay far below 2^31.
//
// shift_i loads the right neighbour's accumulator; it never comes while products are under way.
// Nothing moves while en_i is low.
`default_nettype none

module pe (
    input  wire        clk_i,
    input  wire        en_i,
    input  wire        clear_i,
    input  wire        shift_i,
    input  wire        valid_i,
    input  wire [7:0]  a_i,
    input  wire [7:0]  b_i,
    input  wire [31:0] acc_i,     // the right neighbour's accumulator
    output wire        valid_o,
    output wire [7:0]  a_o,
    output wire [7:0]  b_o,
    output wire [31:0] acc_o
);
  reg        valid_q;
  reg [7:0]  a_q;
  reg [7:0]  b_q;
  reg [15:0] prod_q;
  reg [31:0] acc_q;

  always @(posedge clk_i) begin
    if (en_i) begin
      valid_q <= valid_i && !clear_i;
      if (valid_i) begin
        a_q    <= a_i;
        b_q    <= b_i;
        prod_q <= $signed(a_i) * $signed(b_i);
      end
      if (valid_q)      acc_q <= acc_q + {{16{prod_q[15]}}, prod_q};
      else if (shift_i) acc_q <= acc_i;
      if (clear_i)      acc_q <= 32'd0;
    end
  end

  assign valid_o = valid_q;
  assign a_o     = a_q;
  assign b_o     = b_q;
  assign acc_o   = acc_q;
endmodule

`default_nettype wire
