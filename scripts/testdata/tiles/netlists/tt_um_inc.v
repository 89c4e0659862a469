module tt_um_inc (VPWR, VGND, clk, ena, rst_n, ui_in, uio_in, uio_oe, uio_out, uo_out);
  inout VPWR, VGND;
  input clk, ena, rst_n;
  input [7:0] ui_in, uio_in;
  output [7:0] uio_oe, uio_out, uo_out;
  wire n0, n1, n2;
  assign uio_oe = 8'h00;
  assign uio_out = 8'h00;
  assign uo_out[7:2] = ui_in[7:2];
  sky130_fd_sc_hd__dfrtp_1 f0 (.CLK(clk), .D(n0), .RESET_B(rst_n), .Q(uo_out[0]), .VPWR(VPWR), .VGND(VGND));
  sky130_fd_sc_hd__dfrtp_1 f1 (.CLK(clk), .D(n1), .RESET_B(rst_n), .Q(uo_out[1]), .VPWR(VPWR), .VGND(VGND));
  sky130_fd_sc_hd__xor2_1 x0 (.A(uo_out[0]), .B(ui_in[0]), .X(n0), .VPWR(VPWR), .VGND(VGND));
  sky130_fd_sc_hd__xor2_1 x1 (.A(uo_out[1]), .B(uo_out[0]), .X(n1), .VPWR(VPWR), .VGND(VGND));
  sky130_fd_sc_hd__buf_1 b0 (.A(uo_out[1]), .X(n2), .VPWR(VPWR), .VGND(VGND)); // whose output nothing reads
  sky130_ef_sc_hd__decap_12 d (.VPWR(VPWR), .VGND(VGND));
endmodule
