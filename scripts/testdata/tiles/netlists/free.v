module tt_um_free (clk, ena, rst_n, ui_in, uio_in, uio_oe, uio_out, uo_out);
  input clk, ena, rst_n;
  input [7:0] ui_in, uio_in;
  output [7:0] uio_oe, uio_out, uo_out;
  wire d0, d1, d2, c;
  assign uio_oe = 8'h00;
  assign uio_out = 8'h00;
  assign uo_out[7:3] = ui_in[7:3];
  sky130_fd_sc_hd__dfxtp_2 f0 (.CLK(clk), .D(d0), .Q(uo_out[0]));
  sky130_fd_sc_hd__dfxtp_2 f1 (.CLK(clk), .D(d1), .Q(uo_out[1]));
  sky130_fd_sc_hd__dfxtp_2 f2 (.CLK(clk), .D(d2), .Q(uo_out[2]));
  sky130_fd_sc_hd__inv_2 i0 (.A(uo_out[0]), .Y(d0));
  sky130_fd_sc_hd__xor2_2 i1 (.A(uo_out[0]), .B(uo_out[1]), .X(d1));
  sky130_fd_sc_hd__and2_2 i2 (.A(uo_out[0]), .B(uo_out[1]), .X(c));
  sky130_fd_sc_hd__xor2_2 i3 (.A(c), .B(uo_out[2]), .X(d2));
endmodule
