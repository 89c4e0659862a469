// The far end of the transport under Icarus: a Tiny Tapeout tile between two pipes. It reads steps from file descriptor 3 and writes
// a sample for each to 4.
//
// A step is 5 bytes: flags, clocks, ui, uio, and the uio bits that the bench drives. A sample is one 32-bit word in the
// format of %z, values and then X and Z, in the machine's byte order: from the top uo, uio, the uio bits that the tile
// drives, and those driven from both sides in this step. An additional first sample tells the bench that the simulation
// has begun.
//
// Each variable that a simulator reads takes time, so a step flags its changes and the rest is skipped.
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

  // Each side drives or releases a line of uio. A line driven to different levels is X, and an undriven line is Z. The
  // tile's pads have a delay: without one a block that reads a line which it drives can run for ever by its own glitches.
  bufif1 bench_side [7:0] (uio, level, drive);
  bufif1 #1 tile_side [7:0] (uio, own, enable);
  bufif1 charge [7:0] (uio, level, kept & ~enable); // weaker than the tile

  // Lines driven from both sides in this step, even at equal levels. Overlaps of up to half the settling time are
  // hazards, not contention.
  wire [7:0] fight = drive & enable;
  reg  [7:0] both;
  always @(fight) if (fight != 0) begin
    #(SETTLE / 2) both = both | fight;
  end

  // Gate-level netlists may have power pins with one of these pairs of names.
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

  // Icarus looks up the type of each variable that it reads, which takes a thousand instructions, but not of a word of
  // a memory or of a printed net. Hence a memory of one step, and a net for the sample.
  integer          from, to;
  reg [39:0]       step [0:0];
  wire [31:0]      sample = {uo, uio, enable, both | fight};

  initial begin
    clk = 0; ui = 0; level = 0; drive = 0; both = 0; kept = 0;
    rst_n = 1;
    #1 rst_n = 0;  // as an edge: an asynchronous reset acts by its level on a chip, but by an edge in a simulation
    #1;
    from = $fopen("/dev/fd/3", "rb");
    to = $fopen("/dev/fd/4", "wb");
    $fwrite(to, "%z", sample);
    $fflush(to);
    while ($fread(step, from) == 5) begin // less when the bench has closed its end
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
