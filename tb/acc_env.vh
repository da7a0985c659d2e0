// The accumulators of a unit that reads them on an address of their own, with counted reads.
// Included after unit_env.vh.
wire        acc_re;
wire [15:0] acc_raddr;
wire [31:0] acc_rdata;
integer     acc_reads = 0;

ram_1r1w #(
    .WIDTH(32),
    .DEPTH(1024)
) u_acc (
    .clk_i  (clk),
    .re_i   (acc_re),
    .raddr_i(acc_raddr),
    .rdata_o(acc_rdata),
    .we_i   (1'b0),
    .waddr_i(16'd0),
    .wdata_i(32'd0)
);

always @(negedge clk) begin
  if (acc_re) acc_reads = acc_reads + 1;
  if (!rst && acc_re === 1'bx) fail("no X on a control output", 0, 0);
  if (!rst && acc_re && ^acc_raddr === 1'bx) fail("no X on a read address", acc_raddr, 0);
end

task put_multiplier(input integer addr, input integer value);
  begin
    put(addr, value);
    put(addr + 1, value >> 8);
  end
endtask
