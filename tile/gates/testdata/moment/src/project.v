// A register that gets ui directly, and a sum of it with uio.
`default_nettype none

module tt_um_bench_moment (
    input wire [7:0] ui_in, output wire [7:0] uo_out,
    input wire [7:0] uio_in, output wire [7:0] uio_out, output wire [7:0] uio_oe,
    input wire ena, input wire clk, input wire rst_n);
  reg [3:0] direct, sum;
  always @(posedge clk)
    if (!rst_n) {direct, sum} <= 8'h00;
    else begin
      direct <= ui_in[3:0];
      sum <= sum + ui_in[3:0] + uio_in[3:0];
    end
  assign uo_out = {sum, direct};
  assign uio_out = 8'h00;
  assign uio_oe = 8'h00;
  wire unused = &{ena, ui_in[7:4], uio_in[7:4], 1'b0};
endmodule
