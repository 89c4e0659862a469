// The sum of two nibbles, a latch of three bits that follows while hold is low, and a product of two pairs of bits. No
// clock and no reset.
`default_nettype none

module tt_um_bench_still (
    input wire [7:0] ui_in, output wire [7:0] uo_out,
    input wire [7:0] uio_in, output wire [7:0] uio_out, output wire [7:0] uio_oe,
    input wire ena, input wire clk, input wire rst_n);
  reg [2:0] q;
  always @* if (!uio_in[3]) q = uio_in[2:0];

  wire [4:0] sum = ui_in[3:0] + ui_in[7:4];
  wire [3:0] product = ui_in[1:0] * ui_in[5:4];
  assign uo_out = {q, sum};
  assign uio_out = {product, 4'b0};
  assign uio_oe = 8'hF0;
  wire unused = &{ena, clk, rst_n, uio_in[7:4], 1'b0};
endmodule
