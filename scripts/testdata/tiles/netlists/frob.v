module tt_um_frob (clk, ena, rst_n, ui_in, uio_in, uio_oe, uio_out, uo_out);
  input clk, ena, rst_n;
  input [7:0] ui_in, uio_in;
  output [7:0] uio_oe, uio_out, uo_out;
  assign uio_oe = 8'h00;
  assign uio_out = 8'h00;
  assign uo_out[7:2] = ui_in[7:2];
  sky130_fd_sc_hd__inv_2 c (.A(ui_in[1]), .Y(uo_out[1]));
  mylib_frob_1 f (.A(ui_in[0]), .Y(uo_out[0]));
endmodule
