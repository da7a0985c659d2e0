// Surroundings of a unit that works on the scratchpad: reset, start, instruction, the scratchpad
// itself, and a run that pins the number of cycles. Included after bench.vh.
reg          rst = 1'b1;
reg          start = 1'b0;
reg  [127:0] insn = 128'd0;
wire         done;
wire         spad_re;
wire [15:0]  spad_raddr;
wire [7:0]   spad_rdata;
wire         spad_we;
wire [15:0]  spad_waddr;
wire [7:0]   spad_wdata;

ram_1r1w #(
    .WIDTH(8),
    .DEPTH(8192)
) u_spad (
    .clk_i  (clk),
    .re_i   (spad_re),
    .raddr_i(spad_raddr),
    .rdata_o(spad_rdata),
    .we_i   (spad_we),
    .waddr_i(spad_waddr),
    .wdata_i(spad_wdata)
);

// Cycles of this run with a read or write enable: a byte is asked for, or written, once.
integer byte_reads;
integer byte_writes;

always @(negedge clk) begin
  if (spad_re) byte_reads = byte_reads + 1;
  if (spad_we) byte_writes = byte_writes + 1;
end

task expect_bytes(input [48*8-1:0] law, input integer reads, input integer writes);
  begin
    expect_eq(law, byte_reads, reads);
    expect_eq(law, byte_writes, writes);
  end
endtask

// No X on a control output, nor on what it qualifies.
always @(negedge clk) begin
  if (!rst) begin
    if (^{done, spad_re, spad_we} === 1'bx) fail("no X on a control output", 0, 0);
    if (spad_re && ^spad_raddr === 1'bx) fail("no X on a read address", spad_raddr, 0);
    if (spad_we && ^{spad_waddr, spad_wdata} === 1'bx) fail("no X on a write", spad_wdata, 0);
  end
end

task reset;
  begin
    rst = 1'b1;
    @(negedge clk);
    @(negedge clk);
    rst = 1'b0;
    expect_eq("idle_after_reset", {done, spad_re, spad_we}, 64'd0);
  end
endtask

task put(input integer addr, input integer value);
  u_spad.mem[addr[12:0]] = value[7:0];
endtask

task fill(input integer addr, input integer count, input integer value);
  integer at;
  for (at = addr; at < addr + count; at = at + 1) put(at, value);
endtask

task expect_byte(input [48*8-1:0] law, input integer addr, input integer value);
  expect_eq(law, {56'd0, u_spad.mem[addr[12:0]]}, {56'd0, value[7:0]});
endtask

// Runs `insn`: not done in cycle cycles - 1 or before, done in cycle `cycles`, idle after it.
task run(input [48*8-1:0] law, input integer cycles);
  integer c;
  begin
    byte_reads  = 0;
    byte_writes = 0;
    start = 1'b1;
    @(negedge clk);
    start = 1'b0;
    for (c = 1; c < cycles; c = c + 1) begin
      if (done !== 1'b0) fail(law, c, cycles);
      @(negedge clk);
    end
    expect_eq(law, {63'd0, done}, 64'd1);
    @(negedge clk);
    expect_eq("idle_after_done", {done, spad_re, spad_we}, 64'd0);
  end
endtask

// Starts `insn` and resets the unit in its cycle `cycles`.
task interrupt(input integer cycles);
  begin
    start = 1'b1;
    @(negedge clk);
    start = 1'b0;
    repeat (cycles - 1) @(negedge clk);
    rst = 1'b1;
    @(negedge clk);
    rst = 1'b0;
  end
endtask
