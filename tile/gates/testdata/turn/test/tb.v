// A plain test: bytes are written and read back. It writes its inputs after each edge, as a test that waits for edges.
`default_nettype none
`timescale 1ns / 1ps

module tb;
  reg clk = 0, rst_n = 0, ena = 1;
  reg [7:0] ui_in = 0, uio_in = 0;
  wire [7:0] uo_out, uio_out, uio_oe;
  integer i, wrong = 0;

  tt_um_bench_turn user_project (.ui_in(ui_in), .uo_out(uo_out), .uio_in(uio_in), .uio_out(uio_out), .uio_oe(uio_oe),
      .ena(ena), .clk(clk), .rst_n(rst_n));

  always #50 clk = ~clk;

  task check(input [7:0] want);
    if (uio_oe !== 8'hFF || uio_out !== want) begin
      wrong = wrong + 1;
      $display("byte %0d: %02x, and %02x is expected", i, uio_out, want);
    end
  endtask

  initial begin
    if ($test$plusargs("vcd")) begin
      $dumpfile("tb.vcd");
      $dumpvars(0, tb);
    end
    repeat (4) @(posedge clk);
    rst_n <= 1;
    for (i = 0; i < 4; i = i + 1) begin
      @(posedge clk);
      ui_in <= 8'h12 | (i << 2);
      uio_in <= 8'h35 * (i + 1);
    end
    @(posedge clk);
    ui_in <= 8'h00;
    for (i = 0; i < 4; i = i + 1) begin
      @(posedge clk);
      ui_in <= 8'h11 | (i << 2);
      @(posedge clk);
      @(posedge clk);
      #10 check(8'h35 * (i + 1));
    end
    @(posedge clk);
    ui_in <= 8'h10;
    repeat (20) @(posedge clk);
    #10 $display("%0d wrong", wrong);
    $finish;
  end
endmodule
