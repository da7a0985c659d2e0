// The k largest of a row, one a pass over it: what TOPK and TOPKC have in common. A pass looks for
// the largest of the values that come behind the last winner in the order of the results, which is
// falling values and, among equal ones, rising indices. So winners are distinct whatever they are.
//
// Shapes:      k passes over a row of up to 128 signed values of WIDTH bits, each with a byte that
//              is to stand for it; k indices to addresses d to d + k - 1, k bytes to the k behind.
// Latency:     the index is written in the cycle after the last value of a pass, its byte in the
//              cycle after that.
// Throughput:  one value per cycle.
// Reset:       nothing to be written.
// Does not:    read the row.
`default_nettype none

module topk_select #(
    parameter WIDTH = 48
) (
    input  wire                    clk_i,
    input  wire                    rst_i,
    input  wire                    start_i,
    input  wire                    en_i,      // clocks it; high from start_i's next cycle to done_o
    input  wire [15:0]             d_i,
    input  wire [7:0]              k_i,       // at least 1, at most the length of the row
    input  wire                    valid_i,
    input  wire signed [WIDTH-1:0] x_i,
    input  wire [7:0]              y_i,       // the byte of x_i
    input  wire                    last_i,    // x_i ends the row
    output wire                    again_o,   // the next pass begins with the next cycle
    output wire                    done_o,
    output wire                    we_o,
    output wire [15:0]             waddr_o,
    output wire [7:0]              wdata_o
);
  reg                    has_last_q;  // there is a last winner
  reg signed [WIDTH-1:0] last_q;
  reg        [7:0]       last_arg_q;
  reg                    found_q;     // there is a best of this pass
  reg signed [WIDTH-1:0] best_q;
  reg        [7:0]       arg_q;       // index of best_q
  reg        [7:0]       y_q;         // byte of best_q
  reg        [7:0]       index_q;     // index of x_i
  reg        [7:0]       left_q;      // passes to make, this one included
  reg        [15:0]      iaddr_q;
  reg        [15:0]      yaddr_q;
  reg                    index_wr_q;
  reg                    y_wr_q;

  wire behind = !has_last_q || x_i < last_q || (x_i == last_q && index_q > last_arg_q);
  // Strictly greater keeps the lowest index.
  wire better = behind && (!found_q || x_i > best_q);

  wire awake = rst_i || start_i || en_i;

  always @(posedge clk_i) begin
    if (awake) begin
      if (rst_i) begin
        index_wr_q <= 1'b0;
        y_wr_q     <= 1'b0;
      end else if (start_i) begin
        has_last_q <= 1'b0;
        found_q    <= 1'b0;
        index_q    <= 8'd0;
        left_q     <= k_i;
        iaddr_q    <= d_i;
        yaddr_q    <= d_i + {8'd0, k_i};
      end else begin
        index_wr_q <= valid_i && last_i;
        y_wr_q     <= index_wr_q;
        if (valid_i) begin
          index_q <= index_q + 8'd1;
          if (better) begin
            found_q <= 1'b1;
            best_q  <= x_i;
            arg_q   <= index_q;
            y_q     <= y_i;
          end
        end
        if (y_wr_q) begin
          has_last_q <= 1'b1;
          last_q     <= best_q;
          last_arg_q <= arg_q;
          found_q    <= 1'b0;
          index_q    <= 8'd0;
          left_q     <= left_q - 8'd1;
          iaddr_q    <= iaddr_q + 16'd1;
          yaddr_q    <= yaddr_q + 16'd1;
        end
      end
    end
  end

  assign again_o = y_wr_q && left_q != 8'd1;
  assign done_o  = y_wr_q && left_q == 8'd1;
  assign we_o    = index_wr_q || y_wr_q;
  assign waddr_o = index_wr_q ? iaddr_q : yaddr_q;
  assign wdata_o = index_wr_q ? arg_q : y_q;
endmodule

`default_nettype wire
