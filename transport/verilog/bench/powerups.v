// The tile as a reference under Icarus: STATES of it side by side, which wake up in different states and take the same
// steps. powerups.c does what is done to them; here time passes.
`resetall
`timescale 1ns / 1ps

module utfbench_state;
  reg clk, rst_n;
  reg [7:0] ui, level, drive, loose;
  wire [7:0] uo, uio, own, enable;
  utfbench_pins pins(clk, rst_n, ui, level, drive, loose, uo, uio, own, enable);
endmodule

module utfbench_powerups;
  parameter STATES = 2;
  localparam SETTLE = 1000;  // a microsecond after each change
  localparam UNUSED = 32;    // so many states have not lived before
  localparam LIFE = 256;     // clocks of a state that has

  genvar i;
  generate
    for (i = 0; i < STATES; i = i + 1) begin : states
      utfbench_state state();
    end
  endgenerate

  task awake;
    begin
      $utfbench_power;
      #SETTLE $utfbench_sleep;
      #SETTLE $utfbench_wake;
      #SETTLE $utfbench_shake;
      #SETTLE $utfbench_still;
      #SETTLE $utfbench_woken;
      if (STATES > UNUSED) begin
        repeat (LIFE) begin
          $utfbench_live;
          #SETTLE $utfbench_rise;
          #SETTLE $utfbench_fall;
          #SETTLE;
        end
        $utfbench_lived;
        #SETTLE $utfbench_woken;
      end
    end
  endtask

  integer asked;
  initial begin
    #1 $utfbench_find;  // once each `initial` of the design has run
    $utfbench_power;
    #SETTLE $utfbench_learn;
    awake;
    $utfbench_show;
    asked = $utfbench_next;
    while (asked > 0) begin
      if (asked > 256) awake;
      $utfbench_first;
      #SETTLE $utfbench_settled;
      $utfbench_second;
      #SETTLE $utfbench_settled;
      repeat ((asked - 1) % 256) begin
        $utfbench_rise;
        #SETTLE $utfbench_settled;
        $utfbench_fall;
        #SETTLE $utfbench_settled;
      end
      $utfbench_show;
      asked = $utfbench_next;
    end
    $finish(0);
  end
endmodule
