// Changes the inputs at the moment of an edge, before and after it, at once and nonblocking.
`default_nettype none
`timescale 1ns / 1ps

module tb;
  reg clk = 0, rst_n = 0;
  reg [7:0] ui_in = 0, uio_in = 0;
  wire [7:0] uo_out;

  tt_um_bench_moment user_project (.ui_in(ui_in), .uo_out(uo_out), .uio_in(uio_in), .uio_out(), .uio_oe(), .ena(1'b1),
      .clk(clk), .rst_n(rst_n));

  always #10 clk = ~clk;
  initial begin
    #50 rst_n = 1;
    #20 ui_in = 15;
    uio_in = 15;
    #5 $display("at the moment: %h", uo_out);
    #15 ui_in <= 3;
    uio_in <= 5;
    #5 $display("nonblocking at the moment: %h", uo_out);
    @(posedge clk) ui_in <= 1;
    uio_in <= 9;
    #5 $display("nonblocking after the edge: %h", uo_out);
    @(posedge clk) ui_in = 2;
    uio_in = 4;
    #5 $display("after the edge: %h", uo_out);
    @(posedge clk) #5 $display("later: %h", uo_out);
    $finish;
  end
endmodule
