module tt_um_ring (clk, ena, rst_n, ui_in, uio_in, uio_oe, uio_out, uo_out);
  input clk, ena, rst_n;
  input [7:0] ui_in, uio_in;
  output [7:0] uio_oe, uio_out, uo_out;
  wire n0;
  assign uio_oe = 8'h00;
  assign uio_out = 8'h00;
  assign uo_out = {ui_in[7:1], n0};
  sky130_fd_sc_hd__nand2_1 g (.A(n0), .B(ui_in[0]), .Y(n0));
endmodule
