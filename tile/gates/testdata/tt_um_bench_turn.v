// A tile of this project's own, drawn by hand in SkyWater's cells: a byte that is written while ui7 is low and read while
// it is high, a ripple counter on uo[1:0], a latch on uo2, a shared line on uo3, and a ring that stands while ui6 is low.
module tt_um_bench_turn (VGND, VPWR, clk, ena, rst_n, ui_in, uio_in, uio_oe, uio_out, uo_out);
  inout VGND, VPWR;
  input clk, ena, rst_n;
  input [7:0] ui_in, uio_in;
  output [7:0] uio_oe, uio_out, uo_out;
  wire we, turn, n0, n1, q0, q1, free, ring;
  wire [7:0] d, kept;
  assign uio_out = kept;
  assign uio_oe = {8{turn}};
  sky130_fd_sc_hd__buf_1 b_turn (.A(ui_in[7]), .X(turn), .VPWR(VPWR), .VGND(VGND), .VPB(VPWR), .VNB(VGND));
  sky130_fd_sc_hd__nor2b_1 b_we (.A(ui_in[7]), .B_N(ui_in[0]), .Y(we), .VPWR(VPWR), .VGND(VGND), .VPB(VPWR), .VNB(VGND));
  sky130_fd_sc_hd__mux2_1 m0 (.A0(kept[0]), .A1(uio_in[0]), .S(we), .X(d[0]));
  sky130_fd_sc_hd__mux2_1 m1 (.A0(kept[1]), .A1(uio_in[1]), .S(we), .X(d[1]));
  sky130_fd_sc_hd__mux2_1 m2 (.A0(kept[2]), .A1(uio_in[2]), .S(we), .X(d[2]));
  sky130_fd_sc_hd__mux2_1 m3 (.A0(kept[3]), .A1(uio_in[3]), .S(we), .X(d[3]));
  sky130_fd_sc_hd__mux2_1 m4 (.A0(kept[4]), .A1(uio_in[4]), .S(we), .X(d[4]));
  sky130_fd_sc_hd__mux2_1 m5 (.A0(kept[5]), .A1(uio_in[5]), .S(we), .X(d[5]));
  sky130_fd_sc_hd__mux2_1 m6 (.A0(kept[6]), .A1(uio_in[6]), .S(we), .X(d[6]));
  sky130_fd_sc_hd__mux2_1 m7 (.A0(kept[7]), .A1(uio_in[7]), .S(we), .X(d[7]));
  sky130_fd_sc_hd__dfrtp_1 f0 (.CLK(clk), .D(d[0]), .RESET_B(rst_n), .Q(kept[0]));
  sky130_fd_sc_hd__dfrtp_1 f1 (.CLK(clk), .D(d[1]), .RESET_B(rst_n), .Q(kept[1]));
  sky130_fd_sc_hd__dfrtp_1 f2 (.CLK(clk), .D(d[2]), .RESET_B(rst_n), .Q(kept[2]));
  sky130_fd_sc_hd__dfrtp_1 f3 (.CLK(clk), .D(d[3]), .RESET_B(rst_n), .Q(kept[3]));
  sky130_fd_sc_hd__dfrtp_1 f4 (.CLK(clk), .D(d[4]), .RESET_B(rst_n), .Q(kept[4]));
  sky130_fd_sc_hd__dfrtp_1 f5 (.CLK(clk), .D(d[5]), .RESET_B(rst_n), .Q(kept[5]));
  sky130_fd_sc_hd__dfrtp_1 f6 (.CLK(clk), .D(d[6]), .RESET_B(rst_n), .Q(kept[6]));
  sky130_fd_sc_hd__dfstp_1 f7 (.CLK(clk), .D(d[7]), .SET_B(rst_n), .Q(kept[7]));
  // two stages of a ripple counter, falling edge
  sky130_fd_sc_hd__dfrtn_1 r0 (.CLK_N(clk), .D(n0), .RESET_B(rst_n), .Q(q0));
  sky130_fd_sc_hd__inv_2 i0 (.A(q0), .Y(n0));
  sky130_fd_sc_hd__dfrtn_1 r1 (.CLK_N(q0), .D(n1), .RESET_B(rst_n), .Q(q1));
  sky130_fd_sc_hd__inv_2 i1 (.A(q1), .Y(n1));
  assign uo_out[1:0] = {q1, q0};
  sky130_fd_sc_hd__dlxtp_1 l (.GATE(ui_in[1]), .D(ui_in[2]), .Q(uo_out[2]));
  // a line that two cells share, and that floats while neither drives
  sky130_fd_sc_hd__ebufn_1 t0 (.A(kept[0]), .TE_B(ui_in[3]), .Z(uo_out[3]));
  sky130_fd_sc_hd__einvp_1 t1 (.A(kept[0]), .TE(ui_in[4]), .Z(uo_out[3]));
  // a ring of one gate, which stands while ui6 is low
  sky130_fd_sc_hd__nand2_1 o (.A(ring), .B(ui_in[6]), .Y(ring));
  assign uo_out[4] = ring;
  sky130_fd_sc_hd__conb_1 c (.HI(uo_out[5]), .LO(uo_out[6]));
  sky130_fd_sc_hd__buf_1 b7 (.A(free), .X(uo_out[7]));
  sky130_fd_sc_hd__decap_3 fill1 (.VPWR(VPWR), .VGND(VGND), .VPB(VPWR), .VNB(VGND));
  sky130_ef_sc_hd__decap_12 fill2 (.VPWR(VPWR), .VGND(VGND), .VPB(VPWR), .VNB(VGND));
endmodule
