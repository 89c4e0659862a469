`resetall
`timescale 1ns / 1ps

module utfbench_tb;
  // The time after each change, 1 us: more than any netlist needs, whatever its delays.
  localparam SETTLE = 1000;
  // Lines of uio that the tile drives depending on its state.
  localparam [7:0] TURNS = `UTFBENCH_TURNS;
  // An X where a level is expected is an ERROR, not a FAIL: a chip would have some level, which is unknown here.

  reg        clk, rst_n;
  reg  [7:0] ui, level, drive, keeps, kept;
  wire [7:0] uo, uio, own, enable;

  // Each side drives or releases a line of uio. It is X if both drive different levels, and Z if neither drives. The
  // tile's pads have a delay: without one, Icarus does not rerun a block that reads a line which it drives.
  bufif1 bench_side [7:0] (uio, level, drive);
  bufif1 #1 tile_side [7:0] (uio, own, enable);

  // A lingering line is released right before an edge, and its charge holds its level while clk is high.
  bufif1 (pull1, pull0) charge [7:0] (uio, level, kept);

  // Lines driven by both sides in this step, even to the same level. An overlap of at most half the time is a hazard, not
  // contention.
  wire [7:0] fight = drive & enable;
  reg  [7:0] both;
  always @(fight) if (fight != 0) begin
    #(SETTLE / 2) both = both | fight;
  end

  wire power = 1'b1, ground = 1'b0;
  `TOP tile (
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

  // The current vector; its first difference: step, got and want of uo and uio, and the lines that both sides drive; and
  // its first step with an X that is an ERROR.
  reg [8*512-1:0] name;
  integer         vectors, failures, errors, skipped, number, first, vague, i;
  reg             all, fresh, released, known;
  reg [15:0]      got, want, mask, differs;
  reg [7:0]       clash, fought;

  // A step as applied by the bench.
  reg [7:0] in, io, oe, held, clocks, uo_want, uo_mask, uio_want, uio_mask;
  reg       rst, lingers;

  // begins initialises the testbench.
  task begins;
    begin
      clk = 0; rst_n = 0; ui = 0; level = 0; drive = 0; both = 0; kept = 0;
      vectors = 0; failures = 0; errors = 0; skipped = 0; number = 0; first = 0; vague = 0; fresh = 1;
      all = $test$plusargs("all") != 0;
    end
  endtask

  // vector ends the previous vector and begins the next.
  task vector(input [8*512-1:0] called);
    begin
      judge;
      name = called;
      vectors = vectors + 1;
      number = 0; first = 0; vague = 0; released = 0; held = 0; known = 0;
    end
  endtask

  // apply applies a step: release, levels, drive, clocks, sample with clk low. A part without a change takes no time.
  task apply(input [67:0] step);
    begin
      {in, io, oe, lingers, rst, clocks, uo_want, uo_mask, uio_want, uio_mask} = {step[67:44], step[41:0]};
      number = number + 1;
      if ((uo_mask | uio_mask & ~oe) != 0) known = 1;
      // After a difference the driver of the turning lines is unknown: the bench releases them instead of driving them.
      if (first + vague != 0 && (oe & ~held & TURNS) != 0) released = 1;
      held = oe;
      if (released) oe = oe & ~TURNS;
      keeps = lingers && clocks != 0 ? drive & ~oe : 8'h00;
      if (fresh || in != ui || rst != rst_n || (drive & ~oe & ~keeps) != 0) begin
        fresh = 0;
        drive = drive & (oe | keeps);
        rst_n = rst;
        ui = in;
        #SETTLE;
      end
      if ((oe & ~drive) != 0 || ((io ^ level) & oe) != 0) begin
        level = (io & ~keeps) | (level & keeps);
        drive = oe | keeps;
        #SETTLE;
      end
      repeat (clocks) begin
        if (keeps != 0) begin
          kept = keeps;
          drive = oe;
          keeps = 0;
        end
        clk = 1;
        #SETTLE kept = 0;
        clk = 0;
        #SETTLE;
      end
      for (i = 0; i < 8; i = i + 1) clash[i] = ((both[i] | fight[i]) & uio_mask[i]) === 1'b1;
      both = 0;
      differs = ({uo, uio} ^ {uo_want, uio_want}) & {uo_mask, uio_mask & ~clash};
      if (vague == 0 && (^differs) === 1'bx) vague = number;
      if (first == 0 && (clash != 0 || (|differs) === 1'b1)) begin
        first = number;
        fought = clash;
        got = {uo, uio};
        want = {uo_want, uio_want};
        mask = {uo_mask, uio_mask};
      end
    end
  endtask

  // judge prints the verdict on the current vector.
  task judge;
    if (vectors != 0) begin
      if (first != 0) begin
        failures = failures + 1;
        tell;
      end
      else if (vague != 0) begin
        errors = errors + 1;
        $display("ERROR %0s: step %0d: x where a level is wanted, which a chip would have", name, vague);
      end
      else if (!known) begin
        skipped = skipped + 1;
        if (all) $display("SKIPPED %0s", name);
      end
      else if (all) $display("PASS %0s", name);
    end
  endtask

  // wrong reports whether a line differs.
  function wrong(input integer line);
    wrong = mask[line] && (got[line] ^ want[line]) === 1'b1;
  endfunction

  // tell prints the lines that differ at the first wrong step. A bit that is not compared is x in want.
  task tell;
    begin
      $write("FAIL %0s: step %0d:", name, first);
      for (i = 0; i < 8; i = i + 1)
        if (wrong(8 + i)) $write(" uo%0d is %b, not %b;", i, got[8 + i], want[8 + i]);
      for (i = 0; i < 8; i = i + 1)
        if (fought[i]) $write(" uio%0d is driven by bench and tile;", i);
        else if (wrong(i)) $write(" uio%0d is %b, not %b;", i, got[i], want[i]);
      for (i = 0; i < 16; i = i + 1)
        if (!mask[i]) want[i] = 1'bx;
      $display(" got uo %b uio %b, want uo %b uio %b", got[15:8], got[7:0], want[15:8], want[7:0]);
    end
  endtask

  // ends prints the overall verdict. lack is the reason why a run without a difference is not a PASS, if any.
  task ends(input [8*512-1:0] lack);
    begin
      judge;
      if (failures != 0) $display("FAIL %0d of %0d vectors", failures, vectors);
      else if (errors != 0) $display("ERROR x in %0d of %0d vectors", errors, vectors);
      else if (lack != 0) $display("WEAK %0d vectors: %0s", vectors - skipped, lack);
      else $display("PASS %0d vectors", vectors - skipped);
      leave(failures + errors != 0 || lack != 0);
    end
  endtask

  // leave ends the simulation, under Icarus with an exit code; plain Verilog has none.
  task leave(input bad);
    begin
`ifdef __ICARUS__
      $finish_and_return(bad);
`else
      $finish;
`endif
      #1; // nothing runs after this
    end
  endtask

