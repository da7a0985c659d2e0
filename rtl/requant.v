// One value to int8: y = sat8(relu((x * mult + half) >>> shift)), the only rounding rule there is.
//
// Shapes:      x int32, mult 0..2^31-1, shift 0..63; y int8. half = 2^(shift-1), 0 for shift 0,
//              which is floor(v / 2^shift + 1/2): round half up.
// Latency:     1 cycle: the product is registered, rounding and saturation follow it.
// Throughput:  one value per cycle.
// Reset:       valid only.
// Does not:    overflow: |x * mult| <= 2^62 and half <= 2^62, so the sum fits 64 bits.
//
// mult_i, shift_i and relu_i must be steady while values are in flight.
`default_nettype none

module requant (
    input  wire        clk_i,
    input  wire        rst_i,
    input  wire        en_i,      // clocks the stage; keep it high until valid_o has been low
    input  wire        valid_i,
    input  wire [31:0] x_i,
    input  wire [30:0] mult_i,
    input  wire [5:0]  shift_i,
    input  wire        relu_i,
    output wire        valid_o,
    output wire [63:0] prod_o,    // what was rounded
    output reg  [7:0]  y_o
);
  reg         valid_q;
  reg  [63:0] prod_q;

  wire        [63:0] half = (64'd1 << shift_i) >> 1;
  wire signed [63:0] sum  = prod_q + half;
  wire signed [63:0] v    = sum >>> shift_i;

  // Eight bits hold v exactly when all bits from the seventh on are its sign.
  wire negative = v < 64'sd0;
  wire fits     = v[63:7] == {57{negative}};

  always @* begin
    if (negative && relu_i)  y_o = 8'h00;
    else if (fits)           y_o = v[7:0];
    else                     y_o = {negative, {7{!negative}}};
  end

  wire awake = rst_i || en_i;

  // The multiplier is unsigned: a zero in front makes it a positive signed number. The product is
  // 64 bits wide because its destination is, and both factors are signed.
  always @(posedge clk_i) begin
    if (awake) begin
      valid_q <= valid_i && !rst_i;
      if (valid_i) prod_q <= $signed(x_i) * $signed({1'b0, mult_i});
    end
  end

  assign valid_o = valid_q;
  assign prod_o  = prod_q;
endmodule

`default_nettype wire
