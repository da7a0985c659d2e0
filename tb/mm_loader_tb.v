// Bench of mm_loader: tile words, their order, timing.
`default_nettype none

module mm_loader_tb;
  localparam NAME = "mm_loader";
  `include "isa.vh"
  `include "bench.vh"
  `include "unit_env.vh"

  wire        a_we;
  wire        b_we;
  wire [15:0] tile_addr;
  wire [31:0] tile_data;

  assign spad_we    = 1'b0;
  assign spad_waddr = 16'd0;
  assign spad_wdata = 8'd0;

  mm_loader dut (
      .clk_i       (clk),
      .rst_i       (rst),
      .start_i     (start),
      .insn_i      (insn),
      .done_o      (done),
      .spad_re_o   (spad_re),
      .spad_raddr_o(spad_raddr),
      .spad_rdata_i(spad_rdata),
      .a_we_o      (a_we),
      .b_we_o      (b_we),
      .tile_addr_o (tile_addr),
      .tile_data_o (tile_data)
  );

  reg [31:0] ta [0:255];
  reg [31:0] tb [0:255];
  integer    words = 0;

  always @(posedge clk) begin
    if (a_we) ta[tile_addr[7:0]] <= tile_data;
    if (b_we) tb[tile_addr[7:0]] <= tile_data;
    if (a_we || b_we) words <= words + 1;
  end

  always @(negedge clk) begin
    if (!rst) begin
      if (^{a_we, b_we} === 1'bx || (a_we && b_we)) fail("one tile at a time", 0, 0);
      if ((a_we || b_we) && ^{tile_addr, tile_data} === 1'bx) fail("no X on a write", 0, 0);
    end
  end

  task operands(input bt, input integer a, input integer b, input integer m, input integer k,
                input integer n, input integer sa, input integer sb);
    begin
      insn = 128'd0;
      insn[7:0] = OP_MM;
      insn[MM_BT_LSB] = bt;
      insn[MM_A_LSB +: MM_A_WIDTH] = a;
      insn[MM_B_LSB +: MM_B_WIDTH] = b;
      insn[MM_M_LSB +: MM_M_WIDTH] = m;
      insn[MM_K_LSB +: MM_K_WIDTH] = k;
      insn[MM_N_LSB +: MM_N_WIDTH] = n;
      insn[MM_SA_LSB +: MM_SA_WIDTH] = sa;
      insn[MM_SB_LSB +: MM_SB_WIDTH] = sb;
      words = 0;
    end
  endtask

  task expect_word(input [48*8-1:0] law, input [31:0] got, input [31:0] want);
    expect_eq(law, {32'd0, got}, {32'd0, want});
  endtask

  integer i;

  initial begin
    reset;
    for (i = 0; i < 256; i = i + 1) put(i, i);  // a byte is its own address
    // A: 2 rows of 3 at 0x10, stride 8; B: 3 rows of 4 at 0x40, stride 16
    operands(1'b0, 16, 64, 2, 3, 4, 8, 16);
    run("loads_in_k_m_plus_k_n_plus_2", 20);
    expect_word("a_word_is_a_column", ta[0], 32'h00001810);
    expect_word("a_word_is_a_column", ta[1], 32'h00001911);
    expect_word("a_word_is_a_column", ta[2], 32'h00001a12);
    expect_word("b_word_is_a_row", tb[0], 32'h43424140);
    expect_word("b_word_is_a_row", tb[1], 32'h53525150);
    expect_word("b_word_is_a_row", tb[2], 32'h63626160);
    expect_eq("one_write_a_word", words, 64'd6);
    // the same B address transposed: 4 columns of 3
    operands(1'b1, 16, 64, 4, 3, 4, 8, 16);
    run("loads_in_k_m_plus_k_n_plus_2", 26);
    expect_word("a_word_is_a_column", ta[0], 32'h28201810);
    expect_word("a_word_is_a_column", ta[2], 32'h2a221a12);
    expect_word("transposed_b", tb[0], 32'h70605040);
    expect_word("transposed_b", tb[1], 32'h71615141);
    expect_word("transposed_b", tb[2], 32'h72625242);
    // one lane each, one step: the smallest
    operands(1'b0, 255, 254, 1, 1, 1, 1, 1);
    run("loads_in_k_m_plus_k_n_plus_2", 4);
    expect_word("unused_lanes_are_zero", ta[0], 32'h000000ff);
    expect_word("unused_lanes_are_zero", tb[0], 32'h000000fe);
    expect_word("old_words_stay", ta[2], 32'h2a221a12);
    // one lane of A followed by three of B, and the other way round
    operands(1'b0, 1, 32, 1, 2, 3, 1, 3);
    run("loads_in_k_m_plus_k_n_plus_2", 10);
    expect_word("lane_counts_differ", ta[1], 32'h00000002);
    expect_word("lane_counts_differ", tb[0], 32'h00222120);
    expect_word("lane_counts_differ", tb[1], 32'h00252423);
    operands(1'b0, 32, 1, 3, 2, 1, 2, 1);
    run("loads_in_k_m_plus_k_n_plus_2", 10);
    expect_word("lane_counts_differ", ta[0], 32'h00242220);
    expect_word("lane_counts_differ", ta[1], 32'h00252321);
    expect_word("lane_counts_differ", tb[0], 32'h00000001);
    expect_word("lane_counts_differ", tb[1], 32'h00000002);
    finish;
  end
endmodule

`default_nettype wire
