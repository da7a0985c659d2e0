// Bench of dma_unit with the external memory model: LD, ST, timing.
`default_nettype none

module dma_unit_tb;
  localparam NAME = "dma_unit";
  `include "isa.vh"
  `include "bench.vh"
  `include "unit_env.vh"

  wire        ext_re;
  wire [23:0] ext_addr;
  wire        ext_rvalid;
  wire [31:0] ext_rdata;
  wire        ext_we;
  wire [31:0] ext_wdata;

  dma_unit dut (
      .clk_i       (clk),
      .rst_i       (rst),
      .start_i     (start),
      .insn_i      (insn),
      .done_o      (done),
      .spad_re_o   (spad_re),
      .spad_raddr_o(spad_raddr),
      .spad_rdata_i(spad_rdata),
      .spad_we_o   (spad_we),
      .spad_waddr_o(spad_waddr),
      .spad_wdata_o(spad_wdata),
      .ext_re_o    (ext_re),
      .ext_addr_o  (ext_addr),
      .ext_rvalid_i(ext_rvalid),
      .ext_rdata_i (ext_rdata),
      .ext_we_o    (ext_we),
      .ext_wdata_o (ext_wdata)
  );

  ext_mem #(
      .WORDS(8192)
  ) u_ext (
      .clk_i   (clk),
      .rst_i   (rst),
      .words_i (25'd8192),
      .re_i    (ext_re),
      .addr_i  (ext_addr),
      .rvalid_o(ext_rvalid),
      .rdata_o (ext_rdata),
      .we_i    (ext_we),
      .wdata_i (ext_wdata)
  );

  task ld(input integer d, input integer x, input integer n);
    begin
      insn = 128'd0;
      insn[7:0] = OP_LD;
      insn[LD_D_LSB +: LD_D_WIDTH] = d;
      insn[LD_X_LSB +: LD_X_WIDTH] = x;
      insn[LD_N_LSB +: LD_N_WIDTH] = n;
    end
  endtask

  task st(input integer a, input integer x, input integer n);
    begin
      insn = 128'd0;
      insn[7:0] = OP_ST;
      insn[ST_A_LSB +: ST_A_WIDTH] = a;
      insn[ST_X_LSB +: ST_X_WIDTH] = x;
      insn[ST_N_LSB +: ST_N_WIDTH] = n;
    end
  endtask

  // A write and a read request never come together; LD writes nothing outside.
  always @(negedge clk) begin
    if (!rst && (^{ext_re, ext_we} === 1'bx || (ext_re && ext_we))) begin
      fail("one_external_request_at_a_time", {62'd0, ext_re, ext_we}, 0);
    end
  end

  integer i;

  initial begin
    reset;
    for (i = 0; i < 8192; i = i + 1) u_ext.mem[i] = i * 3 + 32'h00ABC000;
    fill(0, 64, 85);
    // the low byte of a word, whatever is above it
    u_ext.mem[8191] = 32'h12345680;
    ld(10, 8191, 1);
    run("ld_takes_n_plus_9", 10);
    expect_byte("ld_keeps_the_low_byte", 10, -128);
    expect_byte("writes_only_n", 9, 85);
    expect_byte("writes_only_n", 11, 85);
    ld(20, 0, 2);
    run("ld_takes_n_plus_9", 11);
    expect_bytes("ld_writes_n_bytes_and_reads_none", 0, 2);
    expect_byte("ld_order", 20, 0);
    expect_byte("ld_order", 21, 3);
    ld(8192 - 40, 100, 40);
    run("ld_takes_n_plus_9", 49);
    for (i = 0; i < 40; i = i + 1) expect_byte("ld_order", 8152 + i, (100 + i) * 3);

    // sign extension, neighbours untouched
    put(30, -128);
    put(31, 127);
    put(32, -1);
    st(30, 200, 3);
    run("st_takes_n_plus_2", 5);
    expect_bytes("st_reads_n_bytes_and_writes_none", 3, 0);
    expect_eq("st_sign_extends", {32'd0, u_ext.mem[200]}, 64'hFFFFFF80);
    expect_eq("st_sign_extends", {32'd0, u_ext.mem[201]}, 64'h0000007F);
    expect_eq("st_sign_extends", {32'd0, u_ext.mem[202]}, 64'hFFFFFFFF);
    expect_eq("writes_only_n", {32'd0, u_ext.mem[199]}, 64'h00ABC000 + 64'd597);
    expect_eq("writes_only_n", {32'd0, u_ext.mem[203]}, 64'h00ABC000 + 64'd609);
    st(30, 8191, 1);
    run("st_takes_n_plus_2", 3);
    expect_eq("st_sign_extends", {32'd0, u_ext.mem[8191]}, 64'hFFFFFF80);
    st(8152, 300, 40);
    run("st_takes_n_plus_2", 42);
    for (i = 0; i < 40; i = i + 1) begin
      expect_eq("st_order", {56'd0, u_ext.mem[300 + i][7:0]}, {56'd0, 8'd44 + 8'd3 * i[7:0]});
    end
    // and back again, right behind each other
    ld(500, 300, 40);
    run("ld_takes_n_plus_9", 49);
    for (i = 0; i < 40; i = i + 1) expect_byte("round_trip", 500 + i, 300 + 3 * i);

    // After a reset in any cycle of a run, the next one knows nothing of it.
    for (i = 1; i <= 12; i = i + 1) begin
      ld(700, 0, 3);
      interrupt(i);
      st(30, 200, 3);
      run("st_takes_n_plus_2", 5);
      expect_eq("after_a_reset", {32'd0, u_ext.mem[200]}, 64'hFFFFFF80);
      expect_eq("after_a_reset", {32'd0, u_ext.mem[202]}, 64'hFFFFFFFF);
      if (i <= 5) begin
        st(30, 210, 3);
        interrupt(i);
        ld(20, 0, 2);
        run("ld_takes_n_plus_9", 11);
        expect_byte("after_a_reset", 20, 0);
        expect_byte("after_a_reset", 21, 3);
      end
    end
    finish;
  end
endmodule

`default_nettype wire
