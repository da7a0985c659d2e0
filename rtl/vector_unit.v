// The vector instructions: one sub-unit each, sharing the memory ports.
//
// Shapes:      start_i and the sub-units are numbered rq 0, vadd 1, softmax 2, amax 3, rqc 4,
//              amaxc 5, lut 6, vmul 7, topk 8, topkc 9.
// Latency:     the sub-unit's own; nothing is added.
// Throughput:  one instruction at a time.
// Reset:       idle.
// Does not:    decode or check: control.v starts at most one sub-unit. The next vector instruction
//              is one more sub-unit and one more arm of the multiplexers.
`default_nettype none

module vector_unit (
    input  wire         clk_i,
    input  wire         rst_i,
    input  wire [9:0]   start_i,      // at most one bit
    input  wire [127:0] insn_i,       // steady from start_i to done_o
    output wire         done_o,
    output wire         spad_re_o,
    output wire [15:0]  spad_raddr_o,
    input  wire [7:0]   spad_rdata_i,
    output wire         acc_re_o,
    output wire [15:0]  acc_raddr_o,
    input  wire [31:0]  acc_rdata_i,
    output wire         spad_we_o,
    output wire [15:0]  spad_waddr_o,
    output wire [7:0]   spad_wdata_o
);
  `include "isa.vh"

  wire [9:0]  done;
  wire [9:0]  re;
  wire [9:0]  we;
  wire [3:0]  acc_re;   // rq, rqc, amaxc, topkc
  wire [15:0] rq_raddr, vadd_raddr, sm_raddr, amax_raddr, rqc_raddr, amaxc_raddr;
  wire [15:0] lut_raddr, vmul_raddr, topk_raddr, topkc_raddr;
  wire [15:0] rqc_acc_raddr, amaxc_acc_raddr, topkc_acc_raddr;
  wire [15:0] rq_waddr, vadd_waddr, sm_waddr, amax_waddr, rqc_waddr, amaxc_waddr, lut_waddr,
              vmul_waddr, topk_waddr, topkc_waddr;
  wire [7:0]  rq_wdata, vadd_wdata, sm_wdata, amax_wdata, rqc_wdata, amaxc_wdata, lut_wdata,
              vmul_wdata, topk_wdata, topkc_wdata;

  rq_unit u_rq (
      .clk_i       (clk_i),
      .rst_i       (rst_i),
      .start_i     (start_i[0]),
      .insn_i      (insn_i),
      .done_o      (done[0]),
      .spad_re_o   (re[0]),
      .acc_re_o    (acc_re[0]),
      .raddr_o     (rq_raddr),
      .spad_rdata_i(spad_rdata_i),
      .acc_rdata_i (acc_rdata_i),
      .spad_we_o   (we[0]),
      .spad_waddr_o(rq_waddr),
      .spad_wdata_o(rq_wdata)
  );

  vadd_unit u_vadd (
      .clk_i       (clk_i),
      .rst_i       (rst_i),
      .start_i     (start_i[1]),
      .insn_i      (insn_i),
      .done_o      (done[1]),
      .spad_re_o   (re[1]),
      .spad_raddr_o(vadd_raddr),
      .spad_rdata_i(spad_rdata_i),
      .spad_we_o   (we[1]),
      .spad_waddr_o(vadd_waddr),
      .spad_wdata_o(vadd_wdata)
  );

  softmax_unit u_softmax (
      .clk_i       (clk_i),
      .rst_i       (rst_i),
      .start_i     (start_i[2]),
      .insn_i      (insn_i),
      .done_o      (done[2]),
      .spad_re_o   (re[2]),
      .spad_raddr_o(sm_raddr),
      .spad_rdata_i(spad_rdata_i),
      .spad_we_o   (we[2]),
      .spad_waddr_o(sm_waddr),
      .spad_wdata_o(sm_wdata)
  );

  amax_unit u_amax (
      .clk_i       (clk_i),
      .rst_i       (rst_i),
      .start_i     (start_i[3]),
      .insn_i      (insn_i),
      .done_o      (done[3]),
      .spad_re_o   (re[3]),
      .spad_raddr_o(amax_raddr),
      .spad_rdata_i(spad_rdata_i),
      .spad_we_o   (we[3]),
      .spad_waddr_o(amax_waddr),
      .spad_wdata_o(amax_wdata)
  );

  rqc_unit u_rqc (
      .clk_i       (clk_i),
      .rst_i       (rst_i),
      .start_i     (start_i[4]),
      .insn_i      (insn_i),
      .done_o      (done[4]),
      .spad_re_o   (re[4]),
      .spad_raddr_o(rqc_raddr),
      .spad_rdata_i(spad_rdata_i),
      .acc_re_o    (acc_re[1]),
      .acc_raddr_o (rqc_acc_raddr),
      .acc_rdata_i (acc_rdata_i),
      .spad_we_o   (we[4]),
      .spad_waddr_o(rqc_waddr),
      .spad_wdata_o(rqc_wdata)
  );

  amaxc_unit u_amaxc (
      .clk_i       (clk_i),
      .rst_i       (rst_i),
      .start_i     (start_i[5]),
      .insn_i      (insn_i),
      .done_o      (done[5]),
      .spad_re_o   (re[5]),
      .spad_raddr_o(amaxc_raddr),
      .spad_rdata_i(spad_rdata_i),
      .acc_re_o    (acc_re[2]),
      .acc_raddr_o (amaxc_acc_raddr),
      .acc_rdata_i (acc_rdata_i),
      .spad_we_o   (we[5]),
      .spad_waddr_o(amaxc_waddr),
      .spad_wdata_o(amaxc_wdata)
  );

  lut_unit u_lut (
      .clk_i       (clk_i),
      .rst_i       (rst_i),
      .start_i     (start_i[6]),
      .insn_i      (insn_i),
      .done_o      (done[6]),
      .spad_re_o   (re[6]),
      .spad_raddr_o(lut_raddr),
      .spad_rdata_i(spad_rdata_i),
      .spad_we_o   (we[6]),
      .spad_waddr_o(lut_waddr),
      .spad_wdata_o(lut_wdata)
  );

  vmul_unit u_vmul (
      .clk_i       (clk_i),
      .rst_i       (rst_i),
      .start_i     (start_i[7]),
      .insn_i      (insn_i),
      .done_o      (done[7]),
      .spad_re_o   (re[7]),
      .spad_raddr_o(vmul_raddr),
      .spad_rdata_i(spad_rdata_i),
      .spad_we_o   (we[7]),
      .spad_waddr_o(vmul_waddr),
      .spad_wdata_o(vmul_wdata)
  );

  topk_unit u_topk (
      .clk_i       (clk_i),
      .rst_i       (rst_i),
      .start_i     (start_i[8]),
      .insn_i      (insn_i),
      .done_o      (done[8]),
      .spad_re_o   (re[8]),
      .spad_raddr_o(topk_raddr),
      .spad_rdata_i(spad_rdata_i),
      .spad_we_o   (we[8]),
      .spad_waddr_o(topk_waddr),
      .spad_wdata_o(topk_wdata)
  );

  topkc_unit u_topkc (
      .clk_i       (clk_i),
      .rst_i       (rst_i),
      .start_i     (start_i[9]),
      .insn_i      (insn_i),
      .done_o      (done[9]),
      .spad_re_o   (re[9]),
      .spad_raddr_o(topkc_raddr),
      .spad_rdata_i(spad_rdata_i),
      .acc_re_o    (acc_re[3]),
      .acc_raddr_o (topkc_acc_raddr),
      .acc_rdata_i (acc_rdata_i),
      .spad_we_o   (we[9]),
      .spad_waddr_o(topkc_waddr),
      .spad_wdata_o(topkc_wdata)
  );

  // The opcode is steady while a sub-unit works; the enables of the others are low.
  wire is_rq    = insn_i[7:0] == OP_RQ;
  wire is_vadd  = insn_i[7:0] == OP_VADD;
  wire is_sm    = insn_i[7:0] == OP_SM;
  wire is_amax  = insn_i[7:0] == OP_AMAX;
  wire is_rqc   = insn_i[7:0] == OP_RQC;
  wire is_lut   = insn_i[7:0] == OP_LUT;
  wire is_vmul  = insn_i[7:0] == OP_VMUL;
  wire is_topk  = insn_i[7:0] == OP_TOPK;
  wire is_amaxc = insn_i[7:0] == OP_AMAXC;

  assign done_o       = |done;
  assign spad_re_o    = |re;
  assign spad_we_o    = |we;
  assign acc_re_o     = |acc_re;
  assign acc_raddr_o  = is_rq ? rq_raddr : is_rqc ? rqc_acc_raddr :
                        is_amaxc ? amaxc_acc_raddr : topkc_acc_raddr;
  assign spad_raddr_o = is_rq ? rq_raddr : is_vadd ? vadd_raddr : is_sm ? sm_raddr :
                        is_amax ? amax_raddr : is_rqc ? rqc_raddr : is_lut ? lut_raddr :
                        is_vmul ? vmul_raddr : is_topk ? topk_raddr :
                        is_amaxc ? amaxc_raddr : topkc_raddr;
  assign spad_waddr_o = is_rq ? rq_waddr : is_vadd ? vadd_waddr : is_sm ? sm_waddr :
                        is_amax ? amax_waddr : is_rqc ? rqc_waddr : is_lut ? lut_waddr :
                        is_vmul ? vmul_waddr : is_topk ? topk_waddr :
                        is_amaxc ? amaxc_waddr : topkc_waddr;
  assign spad_wdata_o = is_rq ? rq_wdata : is_vadd ? vadd_wdata : is_sm ? sm_wdata :
                        is_amax ? amax_wdata : is_rqc ? rqc_wdata : is_lut ? lut_wdata :
                        is_vmul ? vmul_wdata : is_topk ? topk_wdata :
                        is_amaxc ? amaxc_wdata : topkc_wdata;
endmodule

`default_nettype wire
