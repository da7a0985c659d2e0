// External memory model: LATENCY cycles to a read, one request per cycle, for benches only.
//
// Shapes:      WORDS words of 32 bits, of which words_i exist.
// Latency:     a read requested in cycle c is answered in cycle c + LATENCY; a write is visible to
//              the next cycle's requests. Both simulators stop on an X in a request or on an
//              address out of range.
// Does not:    clear itself. `mem` and `high` (one above the highest word written) belong to the
//              bench as well, which loads images and clears behind them.
`default_nettype none

module ext_mem #(
    parameter WORDS   = 1048576,
    parameter LATENCY = 8
) (
    input  wire        clk_i,
    input  wire        rst_i,
    input  wire [24:0] words_i,
    input  wire        re_i,
    input  wire [23:0] addr_i,
    output reg         rvalid_o,
    output reg  [31:0] rdata_o,
    input  wire        we_i,
    input  wire [31:0] wdata_i
);
  reg [31:0] mem [0:WORDS-1];
  integer    high;

  // Words on their way, in a ring: the slot after the newest holds the oldest.
  reg [31:0]        ring_q [0:LATENCY-1];
  reg [LATENCY-2:0] under_way_q;
  integer           slot_q;
  integer           next;

  // An X in a request wakes the model up as well.
  wire awake = rst_i | (re_i !== 1'b0) | (we_i !== 1'b0) | rvalid_o | (under_way_q != 0);

  task refuse;
    begin
      $display("FAIL ext_mem re=%b we=%b addr=%0d of %0d wdata=%h", re_i, we_i, addr_i, words_i,
               wdata_i);
      $fatal(0);
    end
  endtask

  initial begin
    high        = 0;
    rvalid_o    = 1'b0;
    under_way_q = {LATENCY-1{1'b0}};
    slot_q      = 0;
  end

  always @(posedge clk_i) begin
    if (awake) begin
      if (rst_i) begin
        rvalid_o    <= 1'b0;
        under_way_q <= {LATENCY-1{1'b0}};
      end else begin
        // A comparison with X is not true, so an unknown address is refused too.
        if (re_i !== 1'b0 && !(re_i === 1'b1 && {1'b0, addr_i} < words_i)) refuse;
        if (we_i !== 1'b0 && !(we_i === 1'b1 && {1'b0, addr_i} < words_i)) refuse;
        if (we_i && (^wdata_i === 1'bx || re_i)) refuse;

        next = (slot_q == LATENCY - 1) ? 0 : slot_q + 1;
        slot_q <= next;
        if (re_i) ring_q[slot_q] <= mem[addr_i];
        under_way_q <= {under_way_q[LATENCY-3:0], re_i};
        rvalid_o    <= under_way_q[LATENCY-2];
        if (under_way_q[LATENCY-2]) rdata_o <= ring_q[next];

        if (we_i) begin
          mem[addr_i] <= wdata_i;
          if ({8'd0, addr_i} >= high) high <= {8'd0, addr_i} + 1;
        end
      end
    end
  end
endmodule

`default_nettype wire
