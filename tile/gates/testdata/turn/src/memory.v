// Memory that no reset clears: what it holds after power-up nobody knows.
`default_nettype none

module memory (input wire clk, input wire write, input wire [1:0] address, input wire [7:0] in, output wire [7:0] out);
  reg [7:0] bytes [0:3];
  always @(posedge clk) if (write) bytes[address] <= in;
  assign out = bytes[address];
endmodule
