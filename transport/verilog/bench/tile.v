// The far end of the transport: a Tiny Tapeout tile between two pipes. It reads steps from file descriptor 3 and writes a
// sample for each to 4. Plain Verilog-2005, for Icarus and Verilator alike.
//
// A step is 5 bytes: flags, clocks, ui, uio, and the uio bits that the bench drives. A sample is one 32-bit word as %z writes
// it, values and then X and Z, in the machine's byte order: from the top uo, uio, the uio bits that the tile drives, and
// those that both sides have driven in this step. One sample goes ahead, so that the bench knows that the simulation has
// begun.
//
// Simulators pay for each variable that they look at, so a step says what has changed and the rest is skipped.
`resetall
`timescale 1ns / 1ps

module utfbench_tile;
  // A microsecond after each change: more than any netlist needs, whatever its delays.
  localparam SETTLE = 1000;

  // Flags.
  localparam RST_N = 32, FLUSH = 33, LEVELS = 34, DRIVE = 35, LINGER = 36;

  reg         clk, rst_n;
  reg  [7:0]  ui, level, drive;
  reg  [7:0]  held, kept; // lines that linger until the first edge, and that keep their levels by their charge after it
  wire [7:0]  uo, uio, own, enable;

  // Each side drives a line of uio or lets go of it. Where both do and differ it is X; where neither does, Z.
  bufif1 bench_side [7:0] (uio, level, drive);
  bufif1 tile_side [7:0] (uio, own, enable);
  bufif1 (pull1, pull0) charge [7:0] (uio, level, kept);

  // Lines that both have driven in this step, whether or not they agree. What is over within half the time is a hazard, and no contention.
  wire [7:0] fight = drive & enable;
  reg  [7:0] both;
  always @(fight) if (fight != 0) begin
    #(SETTLE / 2) both = both | fight;
  end

  // Gate-level netlists may have power pins, by one pair of these names.
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

  // Icarus looks up the type of each variable that it reads, at a thousand instructions a time, but not of a word of a memory
  // nor of a net that is printed: hence a memory of one step, and a net for the sample.
  integer          from, to;
  reg [39:0]       step [0:0];
  wire [31:0]      sample = {uo, uio, enable, both | fight};
  reg [8*4096-1:0] vcd;

  initial begin
    clk = 0; ui = 0; level = 0; drive = 0; both = 0; kept = 0;
    rst_n = 1;
    #1 rst_n = 0;  // comes as an edge: an asynchronous reset acts by its level, and in a simulation by that
    #1;
    if ($value$plusargs("vcd=%s", vcd)) begin
      $dumpfile(vcd);
      $dumpvars(0, utfbench_tile);
    end
    from = $fopen("/dev/fd/3", "rb");
    to = $fopen("/dev/fd/4", "wb");
    $fwrite(to, "%z", sample); // no constant: of one Verilator drops the zero bytes
    $fflush(to);
    while ($fread(step, from) == 5) begin // less when the bench has closed its end, or is no more
      held = step[0][LINGER] ? drive & ~step[0][7:0] : 8'h00;
      if (step[0][LEVELS]) begin
        drive = drive & (step[0][7:0] | held);
        rst_n = step[0][RST_N];
        ui = step[0][23:16];
        #SETTLE;
      end
      if (step[0][DRIVE]) begin
        level = (step[0][15:8] & ~held) | (level & held);
        drive = step[0][7:0] | held;
        #SETTLE;
      end
      repeat (step[0][31:24]) begin
        if (held != 0) begin
          kept = held;
          drive = step[0][7:0];
          held = 0;
        end
        clk = 1;
        #SETTLE kept = 0;
        clk = 0;
        #SETTLE;
      end
      $fwrite(to, "%z", sample);
      both = 0;
      if (step[0][FLUSH]) $fflush(to);
    end
    $finish(0);
  end
endmodule
