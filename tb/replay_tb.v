// Replays a file of programs on capra_top and compares every retired instruction.
//
//   +replay=FILE    what to run and what to expect (its layout: docs/replay-file.md)
//   +result=FILE    where to write what happened, for a file that asks for a dump
//   +wave=FILE      waveform of everything (Icarus: VCD, or FST under vvp -fst)
//
// Prints one line: PASS, DIVERGE with the first difference, or REPLAY ERROR for a bad file; the
// last two end with a non-zero status. The file is read as the programs run. The bench sleeps
// between retires, so that a cycle costs the simulator only what the design does.
`default_nettype none

module replay_tb;
  `include "isa.vh"
  `include "mnemonic.vh"

  parameter EXT_MAX = 1048576;

  localparam SPAD_BYTES = 8192;
  localparam ACC_WORDS  = 1024;
  localparam PROG_WORDS = 1024;

  localparam [31:0] MAGIC     = 32'h43415052;
  localparam [31:0] VERSION   = 32'h00000001;
  localparam [31:0] PROG_MARK = 32'h50524f47;
  localparam [31:0] END_MARK  = 32'h454e4421;
  localparam integer PERIOD      = 10;
  // Without a retire for twice the longest instruction, a core hangs. That is TOPKC of the longest
  // row and as many winners; what goes once through the whole scratchpad takes half of that.
  localparam integer MAX_SILENCE = 2 * AMAX_MAX * (2 * AMAX_MAX + 4);
  localparam integer TICK_CYCLES = MAX_SILENCE;

  // The simulation ends when the clock does: no $finish, whose own message would follow PASS.
  reg         clk;
  reg         tick;
  reg         over = 1'b0;
  reg         rst;
  reg         start;
  reg         prog_we;
  reg [15:0]  prog_addr;
  reg [127:0] prog_data;
  reg [15:0]  prog_len;
  reg [24:0]  ext_words;

  wire        ext_re, ext_rvalid, ext_we, retire_valid;
  wire [23:0] ext_addr;
  wire [31:0] ext_rdata, ext_wdata;
  wire [1:0]  state, retire_unit;
  wire [3:0]  code;
  wire [15:0] pc, retire_pc;
  wire [63:0] total, matrix, dma, vector, control, retire_cycle;

  // Rises when an instruction retires and when the machine stops.
  wire        news = retire_valid | (state != STATE_RUNNING);

  // The instruction as text, "-" while it is fetched, for whoever looks at the waveform
  // (tb/replay_tb.gtkw).
  wire        has_insn = state == STATE_RUNNING && !dut.prog_re;
  wire [39:0] mnemonic = has_insn ? mnemonic_of(dut.insn[7:0]) : "-";

  // In its own sizes, which must be the ones above.
  capra_top dut (
      .clk_i         (clk),
      .rst_i         (rst),
      .start_i       (start),
      .prog_we_i     (prog_we),
      .prog_addr_i   (prog_addr),
      .prog_data_i   (prog_data),
      .prog_len_i    (prog_len),
      .ext_words_i   (ext_words),
      .ext_re_o      (ext_re),
      .ext_addr_o    (ext_addr),
      .ext_rvalid_i  (ext_rvalid),
      .ext_rdata_i   (ext_rdata),
      .ext_we_o      (ext_we),
      .ext_wdata_o   (ext_wdata),
      .state_o       (state),
      .code_o        (code),
      .pc_o          (pc),
      .total_o       (total),
      .matrix_o      (matrix),
      .dma_o         (dma),
      .vector_o      (vector),
      .control_o     (control),
      .retire_valid_o(retire_valid),
      .retire_pc_o   (retire_pc),
      .retire_unit_o (retire_unit),
      .retire_cycle_o(retire_cycle)
  );

  ext_mem #(
      .WORDS  (EXT_MAX),
      .LATENCY(EXT_LATENCY)
  ) u_ext (
      .clk_i   (clk),
      .rst_i   (rst),
      .words_i (ext_words),
      .re_i    (ext_re),
      .addr_i  (ext_addr),
      .rvalid_o(ext_rvalid),
      .rdata_o (ext_rdata),
      .we_i    (ext_we),
      .wdata_i (ext_wdata)
  );

  initial begin
    clk = 1'b0;
    while (!over) #(PERIOD / 2) clk = ~clk;
  end

  initial begin
    tick = 1'b0;
    while (!over) #(TICK_CYCLES * PERIOD / 2) tick = ~tick;
  end

  // ---- The file -------------------------------------------------------------------------------

  integer      fd;
  integer      got_items;
  reg [31:0]   tokens;        // tokens read so far
  reg [63:0]   wide;
  reg [31:0]   token;
  reg [7:0]    after;         // the character that ended the token

  task bad_file(input [32*8-1:0] why);
    begin
      $display("REPLAY ERROR token %0d: %0s", tokens, why);
      $fatal(0);
    end
  endtask

  // Next token into `token`. Two words wide, so that nine digits are not taken for eight, and with
  // the character behind it, so that 12g4 is not taken for 12.
  task next_token;
    begin
      got_items = $fscanf(fd, "%h%c", wide, after);
      if (got_items < 1) bad_file("missing or not hexadecimal");
      if (got_items == 2 && after > " ") bad_file("not hexadecimal");
      if (wide[63:32] !== 32'd0 || ^wide === 1'bx) bad_file("not a 32-bit word");
      token  = wide[31:0];
      tokens = tokens + 32'd1;
    end
  endtask

  task expect_token(input [31:0] value, input [32*8-1:0] why);
    begin
      next_token;
      if (token !== value) bad_file(why);
    end
  endtask

  task next_at_most(input [31:0] limit, input [32*8-1:0] why);
    begin
      next_token;
      if (token > limit) bad_file(why);
    end
  endtask

  // ---- One program ----------------------------------------------------------------------------

  integer    program_no;
  integer    retires;         // of this program
  integer    all_retires;
  reg [63:0] all_cycles;
  reg [63:0] all_cells;       // compared: written cells, and memory at the end of each program
  reg        checking;
  reg        dumping;
  integer    out;
  integer    i;
  reg [31:0] trace_len;
  reg [63:0] last_news;       // time of the last retire
  reg [63:0] expected64;

  task diverge(input [7*8-1:0] what, input integer element, input reg signed [63:0] expected,
               input reg signed [63:0] got);
    begin
      $write("DIVERGE program=%0d index=%0d pc=%0d cycle=%0d ", program_no, retires,
             retire_valid ? retire_pc : pc, total);
      $display("what=%0s element=%0d expected=%0d got=%0d", what, element, expected, got);
      $fatal(0);
    end
  endtask

  // A signed word that is not the expected one, which is `token`.
  task diverge_word(input [7*8-1:0] what, input integer element, input [31:0] got);
    diverge(what, element, {{32{token[31]}}, token}, {{32{got[31]}}, got});
  endtask

  task compare(input [7*8-1:0] what, input integer element, input reg [63:0] expected,
               input reg [63:0] got);
    if (got !== expected) diverge(what, element, expected, got);
  endtask

  task load_program;
    reg [31:0] code_len;
    begin
      expect_token(PROG_MARK, "no program marker");
      next_at_most(PROG_WORDS, "program too long");
      code_len = token;
      next_at_most({7'd0, ext_words}, "image too long");
      i = token;
      for (prog_addr = 16'd0; {16'd0, prog_addr} < code_len; prog_addr = prog_addr + 16'd1) begin
        next_token; prog_data[31:0]   = token;
        next_token; prog_data[63:32]  = token;
        next_token; prog_data[95:64]  = token;
        next_token; prog_data[127:96] = token;
        prog_we = 1'b1;
        @(negedge clk);
      end
      prog_we  = 1'b0;
      // A full memory ends where it ends, whatever the length says.
      prog_len = (code_len == PROG_WORDS) ? 16'hffff : code_len[15:0];
      load_image(i);
    end
  endtask

  // The image from word 0; zeros in every other word that the last program may have touched.
  task load_image(input integer words);
    integer at;
    begin
      for (at = 0; at < words; at = at + 1) begin
        next_token;
        u_ext.mem[at] = token;
      end
      for (at = words; at < u_ext.high; at = at + 1) u_ext.mem[at] = 32'd0;
      u_ext.high = words;
      ext_end    = words;
    end
  endtask

  // What the memories must hold: at first whatever they held at power-up, then what the retired
  // instructions wrote.
  reg [7:0]  want_spad [0:SPAD_BYTES-1];
  reg [31:0] want_acc [0:ACC_WORDS-1];
  reg [31:0] ext_end;  // one above the highest external word of the image and of those

  task snapshot;
    integer at;
    begin
      for (at = 0; at < SPAD_BYTES; at = at + 1) want_spad[at] = dut.u_spad.mem[at];
      for (at = 0; at < ACC_WORDS; at = at + 1) want_acc[at] = dut.u_acc.mem[at];
    end
  endtask

  function [31:0] extended(input [7:0] value);
    extended = {{24{value[7]}}, value};
  endfunction

  // The whole memories: a write to a cell that is not its instruction's is found here.
  task check_strays;
    integer at;
    begin
      for (at = 0; at < SPAD_BYTES; at = at + 1) begin
        if (dut.u_spad.mem[at] !== want_spad[at]) begin
          token = extended(want_spad[at]);
          diverge_word("spad", at, extended(dut.u_spad.mem[at]));
        end
      end
      for (at = 0; at < ACC_WORDS; at = at + 1) begin
        if (dut.u_acc.mem[at] !== want_acc[at]) begin
          token = want_acc[at];
          diverge_word("acc", at, dut.u_acc.mem[at]);
        end
      end
    end
  endtask

  // The cells the retired instruction wrote, against the memory as it is now.
  task check_cells;
    reg [31:0]    space, base, rows, cols, stride, row, col, at, got;
    reg [7*8-1:0] what;
    begin
      next_at_most(32'd3, "no such memory");
      space = token;
      next_token; base   = token;
      next_token; rows   = token;
      next_token; cols   = token;
      next_token; stride = token;
      all_cells = all_cells + {32'd0, rows} * {32'd0, cols};
      for (row = 32'd0; row < rows; row = row + 32'd1) begin
        for (col = 32'd0; col < cols; col = col + 32'd1) begin
          next_token;
          at = base + row * stride + col;
          case (space)
            32'd1: begin
              if (at >= SPAD_BYTES) bad_file("beyond the scratchpad");
              got = extended(dut.u_spad.mem[at[15:0]]);
              want_spad[at] = token[7:0];
            end
            32'd2: begin
              if (at >= ACC_WORDS) bad_file("beyond the accumulators");
              got = dut.u_acc.mem[at[15:0]];
              want_acc[at] = token;
            end
            32'd3: begin
              if (at >= {7'd0, ext_words}) bad_file("beyond the external memory");
              got = u_ext.mem[at[23:0]];
              if (at >= ext_end) ext_end = at + 1;
            end
            default: bad_file("cells in no memory");
          endcase
          if (got !== token) begin
            case (space)
              32'd1:   what = "spad";
              32'd2:   what = "acc";
              default: what = "ext";
            endcase
            diverge_word(what, at, got);
          end
        end
      end
    end
  endtask

  task retired;
    begin
      if (^{retire_pc, retire_unit, retire_cycle} === 1'bx) begin
        diverge("cycle", 0, -64'd1, retire_cycle);
      end
      if (checking) begin
        if (retires >= trace_len) begin
          next_token;  // the final state, which should have been reached
          diverge("state", 0, {32'd0, token}, {62'd0, STATE_RUNNING});
        end
        next_token; compare("pc", 0, {32'd0, token}, {48'd0, retire_pc});
        next_token; compare("cycle", 0, {32'd0, token}, retire_cycle);
        next_token; compare("unit", 0, {32'd0, token}, {62'd0, retire_unit});
        check_cells;
      end
      if (dumping) $fdisplay(out, "R %0d %0d %0d", retire_pc, retire_cycle, retire_unit);
      retires   = retires + 1;
      last_news = $time;
    end
  endtask

  task run_program;
    begin
      retires   = 0;
      last_news = $time;
      start     = 1'b1;
      @(negedge clk);
      start     = 1'b0;
      while (state === STATE_RUNNING) begin
        @(posedge news or posedge tick);
        @(negedge clk);
        if (retire_valid !== 1'b0) retired;
        if ($time - last_news > MAX_SILENCE * PERIOD) begin
          expected64 = 64'd0;
          if (checking && retires < trace_len) begin
            next_token;
            next_token;
            expected64 = {32'd0, token};
          end
          diverge("cycle", 0, expected64, total);
        end
      end
    end
  endtask

  task check_counter(input integer which, input reg [63:0] got);
    begin
      next_token; expected64[31:0]  = token;
      next_token; expected64[63:32] = token;
      compare("counter", which, expected64, got);
    end
  endtask

  task check_final;
    begin
      if (retires != trace_len) diverge("state", 0, {62'd0, STATE_RUNNING}, {62'd0, state});
      next_token; compare("state", 0, {32'd0, token}, {62'd0, state});
      next_token; compare("code", 0, {32'd0, token}, {60'd0, code});
      next_token; compare("pc", 0, {32'd0, token}, {48'd0, pc});
      check_counter(0, total);
      check_counter(1, matrix);
      check_counter(2, dma);
      check_counter(3, vector);
      check_counter(4, control);
    end
  endtask

  task finish_program;
    reg [31:0] mem_len;
    integer    at;
    begin
      if (checking) check_final;
      next_at_most({7'd0, ext_words}, "more memory than there is");
      mem_len = token;
      if (dumping) begin
        $fdisplay(out, "S %0d %0d %0d", state, code, pc);
        $fdisplay(out, "C %0d %0d %0d %0d %0d", total, matrix, dma, vector, control);
        $fdisplay(out, "M %0d", mem_len);
      end
      for (at = 0; at < mem_len; at = at + 1) begin
        if (checking) begin
          next_token;
          if (u_ext.mem[at] !== token) diverge_word("memory", at, u_ext.mem[at]);
        end
        if (dumping) $fdisplay(out, "%08h", u_ext.mem[at]);
      end
      if (checking) begin
        token = 32'd0;
        for (at = (mem_len > ext_end) ? mem_len : ext_end; at < u_ext.high; at = at + 1) begin
          if (u_ext.mem[at] !== token) diverge_word("memory", at, u_ext.mem[at]);
        end
        check_strays;
      end
      if (dumping) $fdisplay(out, "E");
      all_retires = all_retires + retires;
      all_cycles  = all_cycles + total;
      if (checking) all_cells = all_cells + {32'd0, mem_len};
    end
  endtask

  // ---- The run --------------------------------------------------------------------------------

  reg [1024*8-1:0] name;
  reg [31:0]       programs;
  integer          char;

  task read_header;
    begin
      if (!$value$plusargs("replay=%s", name)) bad_file("no +replay=FILE");
      fd = $fopen(name, "r");
      if (fd == 0) bad_file("cannot open the file");
      expect_token(MAGIC, "not a replay file");
      expect_token(VERSION, "unknown version");
      next_at_most(EXT_MAX, "external memory too large");
      ext_words = token[24:0];
      next_token;
      programs = token;
      next_at_most(32'd1, "check is 0 or 1");
      checking = token[0];
      next_at_most(32'd1, "dump is 0 or 1");
      dumping = token[0];
      if (dumping) begin
        if (!$value$plusargs("result=%s", name)) bad_file("a dump needs +result=FILE");
        out = $fopen(name, "w");
        if (out == 0) bad_file("cannot write the result");
      end
    end
  endtask

  task read_trailer;
    reg [31:0] count;
    begin
      count = tokens;
      expect_token(END_MARK, "no end marker");
      expect_token(count, "wrong number of tokens");
      char = $fgetc(fd);
      while (char == 10 || char == 13 || char == 32) char = $fgetc(fd);
      if (char != -1) bad_file("something after the end");
      $fclose(fd);
    end
  endtask

  initial begin
    rst         = 1'b1;
    start       = 1'b0;
    prog_we     = 1'b0;
    prog_addr   = 16'd0;
    prog_data   = 128'd0;
    prog_len    = 16'd0;
    ext_words   = 25'd0;
    tokens      = 32'd0;
    all_retires = 0;
    all_cycles  = 64'd0;
    all_cells   = 64'd0;
    read_header;
    if ($value$plusargs("wave=%s", name)) begin
      $dumpfile(name);
      $dumpvars(0, replay_tb);
    end
    u_ext.high = {7'd0, ext_words};  // everything is to be cleared once
    @(negedge clk);
    @(negedge clk);
    rst = 1'b0;
    snapshot;
    for (program_no = 0; program_no < programs; program_no = program_no + 1) begin
      load_program;
      if (checking) begin
        next_token;
        trace_len = token;
      end
      if (dumping) $fdisplay(out, "P %0d", program_no);
      run_program;
      finish_program;
    end
    read_trailer;
    if (dumping) begin
      $fdisplay(out, "DONE");
      $fclose(out);
    end
    $display("PASS programs=%0d cycles=%0d retires=%0d cells=%0d", programs, all_cycles,
             all_retires, all_cells);
    over = 1'b1;
  end
endmodule

`default_nettype wire
