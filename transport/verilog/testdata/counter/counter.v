// A different tile: it counts while enabled, and each half of uio has a fixed direction.
//
//   ui[0]     count at each clock edge
//   ui[1]     count by uio[7:4] instead of 1
//   uo        the count
//   uio[3:0]  the low digit of the count inverted, always driven
//   uio[7:4]  an input, never driven
module tt_um_counter (
    input  wire [7:0] ui_in,
    output wire [7:0] uo_out,
    input  wire [7:0] uio_in,
    output wire [7:0] uio_out,
    output wire [7:0] uio_oe,
    input  wire       ena,
    input  wire       clk,
    input  wire       rst_n
);
  reg [7:0] count;
  assign uo_out = count;
  assign uio_out = {4'b0000, ~count[3:0]};
  assign uio_oe = 8'h0F;

  always @(posedge clk)
    if (!rst_n)        count <= 0;
    else if (ui_in[0]) count <= count + (ui_in[1] ? {4'b0, uio_in[7:4]} : 8'd1);
endmodule
