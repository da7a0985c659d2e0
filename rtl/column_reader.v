// n accumulators, each with the multiplier of its column: the operands of RQC and AMAXC.
//
// Shapes:      n int32 from address a; a table of cols 16-bit multipliers, low byte first, from
//              scratchpad address b. Element i meets multiplier i mod cols.
// Latency:     3 cycles from the start to the first pair.
// Throughput:  one pair every two cycles: a multiplier comes as two bytes through one read port.
// Reset:       idle.
// Does not:    check bounds (check.v), or multiply.
//
//   low byte read | high byte and accumulator read, low byte kept | pair valid
`default_nettype none

module column_reader (
    input  wire        clk_i,
    input  wire        rst_i,
    input  wire        start_i,
    input  wire        en_i,         // clocks the reader; high from start_i's next cycle to the end
    input  wire [15:0] a_i,          // all four steady while en_i is high
    input  wire [15:0] b_i,
    input  wire [15:0] n_i,
    input  wire [15:0] cols_i,
    output wire        ask_o,        // reads are being issued
    output wire        spad_re_o,
    output wire [15:0] spad_raddr_o,
    input  wire [7:0]  spad_rdata_i,
    output wire        acc_re_o,
    output wire [15:0] acc_raddr_o,
    output wire        valid_o,      // the accumulator port answers, with this multiplier
    output wire [15:0] mult_o
);
  reg        ask_q;
  reg        second_q;   // there is a read, and it is the one of the high byte
  reg [15:0] left_q;     // elements to read, this one included
  reg [15:0] col_q;      // columns to read in this row, this one included
  reg [15:0] aaddr_q;
  reg [15:0] baddr_q;
  reg [7:0]  low_q;
  reg        vld_q;

  wire last_col = col_q == 16'd1;

  wire awake = rst_i || start_i || en_i;

  always @(posedge clk_i) begin
    if (awake) begin
      if (rst_i) begin
        ask_q    <= 1'b0;
        second_q <= 1'b0;
        vld_q    <= 1'b0;
      end else if (start_i) begin
        ask_q   <= 1'b1;
        left_q  <= n_i;
        col_q   <= cols_i;
        aaddr_q <= a_i;
        baddr_q <= b_i;
      end else begin
        vld_q <= second_q;
        if (ask_q) begin
          second_q <= !second_q;
          baddr_q  <= baddr_q + 16'd1;
        end
        if (second_q) begin
          low_q   <= spad_rdata_i;
          aaddr_q <= aaddr_q + 16'd1;
          left_q  <= left_q - 16'd1;
          col_q   <= last_col ? cols_i : col_q - 16'd1;
          if (last_col) baddr_q <= b_i;
          if (left_q == 16'd1) ask_q <= 1'b0;
        end
      end
    end
  end

  assign ask_o        = ask_q;
  assign spad_re_o    = ask_q;
  assign spad_raddr_o = baddr_q;
  assign acc_re_o     = second_q;
  assign acc_raddr_o  = aaddr_q;
  assign valid_o      = vld_q;
  assign mult_o       = {spad_rdata_i, low_q};
endmodule

`default_nettype wire
