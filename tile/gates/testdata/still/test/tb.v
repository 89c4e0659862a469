// A plain test without a clock.
`default_nettype none
`timescale 1ns / 1ps

module tb;
  reg clk = 0, rst_n = 1, ena = 1;
  reg [7:0] ui_in = 0, uio_in = 0;
  wire [7:0] uo_out, uio_out, uio_oe;
  integer i, wrong = 0;

  tt_um_bench_still user_project (.ui_in(ui_in), .uo_out(uo_out), .uio_in(uio_in), .uio_out(uio_out), .uio_oe(uio_oe),
      .ena(ena), .clk(clk), .rst_n(rst_n));

  initial begin
    if ($test$plusargs("vcd")) begin
      $dumpfile("tb.vcd");
      $dumpvars(0, tb);
    end
    for (i = 0; i < 256; i = i + 1) begin
      #10 ui_in = i;
      #10 uio_in = i * 7;
      #10 if (uo_out[4:0] !== ui_in[3:0] + ui_in[7:4]) begin
        wrong = wrong + 1;
        $display("%02x: the sum is %0d", ui_in, uo_out[4:0]);
      end
    end
    $display("%0d wrong", wrong);
    $finish;
  end
endmodule
