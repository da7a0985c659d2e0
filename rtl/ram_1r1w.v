// Memory with one read port and one write port.
//
// Shapes:      DEPTH words of WIDTH bits; 16-bit addresses whatever the depth.
// Latency:     a read answers in the next cycle, and the answer stays until the next read.
// Throughput:  one read and one write per cycle. A read and a write of the same word in the same
//              cycle return the old word.
// Reset:       none; contents and rdata_o are undefined until written and read.
// Does not:    report a bad address. A write beyond DEPTH is dropped and a read beyond DEPTH keeps
//              the previous answer, so that no simulator wraps onto another word.
`default_nettype none

module ram_1r1w #(
    parameter WIDTH = 8,
    parameter DEPTH = 256
) (
    input  wire             clk_i,
    input  wire             re_i,
    input  wire [15:0]      raddr_i,
    output reg  [WIDTH-1:0] rdata_o,
    input  wire             we_i,
    input  wire [15:0]      waddr_i,
    input  wire [WIDTH-1:0] wdata_i
);
  localparam [15:0] LAST = DEPTH - 1;
  localparam AW = (DEPTH > 1) ? $clog2(DEPTH) : 1;

  reg [WIDTH-1:0] mem [0:DEPTH-1];

  always @(posedge clk_i) begin
    if (we_i && waddr_i <= LAST) mem[waddr_i[AW-1:0]] <= wdata_i;
    if (re_i && raddr_i <= LAST) rdata_o <= mem[raddr_i[AW-1:0]];
  end
endmodule

`default_nettype wire
