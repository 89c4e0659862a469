// The tile with its pins as ports, for harness.cpp and powerups.cpp; it corresponds to tile.v under simulators driven
// from C++. A line of uio has the bench's level if the bench drives it, else the tile's, else none; the harness detects
// contention.
`resetall
`timescale 1ns / 1ps

module utfbench_pins(
    input wire clk, input wire rst_n, input wire [7:0] ui, input wire [7:0] level, input wire [7:0] drive,
    input wire [7:0] loose,
    output wire [7:0] uo, output wire [7:0] uio, output wire [7:0] own, output wire [7:0] enable);
  assign uio = (level & drive) | (own & enable & ~drive) | (loose & ~drive & ~enable);

  wire power = 1'b1, ground = 1'b0;
  `UTFBENCH_TOP tile (
`ifdef UTFBENCH_VPWR
    .VPWR(power), .VGND(ground),
`endif
`ifdef UTFBENCH_VDD
    .VDD(power), .VSS(ground),
`endif
`ifdef UTFBENCH_vccd1
    .vccd1(power), .vssd1(ground),
`endif
    .ui_in(ui), .uo_out(uo), .uio_in(uio), .uio_out(own), .uio_oe(enable),
    .ena(1'b1), .clk(clk), .rst_n(rst_n));
endmodule
