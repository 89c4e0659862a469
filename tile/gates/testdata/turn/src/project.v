// Four bytes of memory. While write is high, uio is taken at each clock; after a clock with read high and write low the
// tile drives uio with the byte at that clock's address, until a clock without. uo has a counter and flags.
`default_nettype none

module tt_um_bench_turn (
    input wire [7:0] ui_in, output wire [7:0] uo_out,
    input wire [7:0] uio_in, output wire [7:0] uio_out, output wire [7:0] uio_oe,
    input wire ena, input wire clk, input wire rst_n);
  wire read = ui_in[0], write = ui_in[1];
  wire [7:0] data;
  reg [7:0] out;
  reg drive;
  reg [3:0] count;

  memory bytes (.clk(clk), .write(write), .address(ui_in[3:2]), .in(uio_in), .out(data));

  always @(posedge clk)
    if (!rst_n) begin
      drive <= 0;
      out <= 0;
      count <= 0;
    end else begin
      drive <= read & ~write;
      out <= data;
      if (ui_in[4]) count <= count + 1;
    end

  assign uio_out = out;
  assign uio_oe = {8{drive}};
  assign uo_out = {write, read, drive, ^out, count};
  wire unused = &{ena, ui_in[7:5], 1'b0};
endmodule
