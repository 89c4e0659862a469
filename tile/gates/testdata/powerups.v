// Sixty-four copies of the tile tt_um_random, which power up in different states and get the same steps, of 5 bytes:
// rst_n, clocks, ui, uio, and the lines of uio that the bench drives. Each prints its outputs at the end of each step.
module chip #(parameter FATE = 0) (
    input wire clk, input wire rst_n, input wire [7:0] ui, input wire [7:0] level, input wire [7:0] drive,
    input wire stir, output wire [7:0] uo, output wire [7:0] uio);
  wire [7:0] out, enable;
  wire [7:0] #1 own = out;
  wire [7:0] #1 owns = enable;
  reg  [7:0] kept, any;
  wire [7:0] floats = FATE == 0 ? kept : FATE == 1 ? 8'h00 : FATE == 2 ? 8'hFF : any;
  assign uio = level & drive | ~drive & (own & owns | floats & ~owns);
  initial begin #41 kept = $urandom; any = $urandom; end
  always @(uio) kept <= uio; // not at once, which is an endless loop in Icarus while it is X
  always @(stir) any = $urandom;
  tt_um_random tile (.ui_in(ui), .uo_out(uo), .uio_in(uio), .uio_out(out), .uio_oe(enable), .ena(1'b1), .clk(clk),
      .rst_n(rst_n));
endmodule

module powerups;
  reg        clk, rst_n, stir;
  reg  [7:0] ui, level, drive;
  wire [7:0] uo [0:63], uio [0:63];
  genvar g;
  generate for (g = 0; g < 64; g = g + 1) begin : chips
    chip #(g % 4) one(clk, rst_n, ui, level, drive, stir, uo[g], uio[g]);
  end endgenerate

  reg [39:0] steps [0:99];
  integer    i, k;
  initial begin
    $readmemh("steps.hex", steps);
    stir = 0;
    #40 drive = 0; level = 0;
    #5 clk = 0; ui = 0; rst_n = 1;
    #50 rst_n = 0; // as an edge
    #50;
    for (i = 0; i < 100; i = i + 1) begin
      stir = ~stir; drive = drive & steps[i][7:0]; rst_n = steps[i][32]; ui = steps[i][23:16];
      #50 level = steps[i][15:8]; drive = steps[i][7:0];
      #50;
      repeat (steps[i][31:24]) begin
        stir = ~stir; clk = 1;
        #50 stir = ~stir; clk = 0;
        #50;
      end
      for (k = 0; k < 64; k = k + 1) $write("%h%h\n", uo[k], uio[k]);
    end
    $finish(0);
  end
endmodule
