// The converter as a Tiny Tapeout tile, written from docs/chip.md for the transport's tests. TT08 selects that
// shuttle's revision.
`default_nettype none

module tt_um_rebeccargb_hardware_utf8 (
    input  wire [7:0] ui_in,
    output wire [7:0] uo_out,
    input  wire [7:0] uio_in,
    output wire [7:0] uio_out,
    output wire [7:0] uio_oe,
    input  wire       ena,
    input  wire       clk,
    input  wire       rst_n
);
`ifdef TT08
  localparam tt08 = 1'b1;
`else
  localparam tt08 = 1'b0;
`endif
  wire rewind_n = ui_in[0], errs = ui_in[1], check = ui_in[2], big = ui_in[3];
  wire read = ui_in[4], cio_n = ui_in[5], uio_n = ui_in[6], bio_n = ui_in[7];

  reg [31:0] v;
  reg        written, retry;
  reg [2:0]  count;              // UTF-32 bytes taken
  reg [2:0]  at32, at8, at16;    // read positions
  reg [7:0]  data;

  wire [2:0] length8, length16;
  wire [3:0] status;
  wire [5:0] properties;
  wire [7:0] byte32, byte8, byte16;
  value value (.written(written), .check(check), .v(v), .length8(length8), .length16(length16),
               .status(status), .properties(properties));
  forms forms (.v(v), .length8(length8), .length16(length16), .big(big), .at32(at32), .at8(at8), .at16(at16),
               .byte32(byte32), .byte8(byte8), .byte16(byte16));

  wire error = retry || status[1] || status[2] || status[3] && check;
  wire [5:0] flags = {error, status[3], status[2], status[1], retry, status[0]};
  wire full16 = length16 == 4, full8 = length8 == 6;
  assign uo_out  = {read ? at8 >= length8 : full8, read ? at16 >= length16 : full16, errs ? flags : properties};
  assign uio_out = data;
  assign uio_oe  = {8{read}};

  wire [15:0] unit = big ? {v[7:0], uio_in} : {uio_in, v[7:0]}; // the second byte of a UTF-16 unit is there
  wire [31:0] more = {v[25:0], uio_in[5:0]};                    // one more byte of UTF-8

  always @(posedge clk)
    if (!rst_n) begin
      v <= 0; written <= 0; retry <= 0; count <= 0;
      at32 <= 0; at8 <= 0; at16 <= 0; data <= 0;
    end
    else if (!rewind_n)       begin at32 <= 0; at8 <= 0; at16 <= 0; data <= 0; end
    else if (!read && !cio_n) take32;
    else if (!read && !bio_n) take8;
    else if (!read && !uio_n) take16;
    else if (!cio_n)          begin data <= byte32; if (at32 < 4) at32 <= at32 + 1; end
    else if (!bio_n)          begin data <= byte8;  if (at8 < length8) at8 <= at8 + 1; end
    else if (!uio_n)          begin data <= byte16; if (at16 < (tt08 ? 3'd4 : length16)) at16 <= at16 + 1; end

  task accept; if (tt08) retry <= 0; endtask

  task take32; begin
    if (count[2]) retry <= !tt08;
    else begin
      accept;
      count <= count + 1;
      written <= 1;
      case (count)
        3'd0: v <= {24'b0, uio_in};
        3'd1: v <= big ? {16'b0, v[7:0], uio_in}  : {16'b0, uio_in, v[7:0]};
        3'd2: v <= big ? {8'b0, v[15:0], uio_in}  : {8'b0, uio_in, v[15:0]};
        3'd3: v <= big ? {v[23:0], uio_in}        : {uio_in, v[23:0]};
      endcase
    end
  end endtask

  task take8;
    if (length8 == 0) begin
      accept;
      written <= 1;
      v <= {{24{uio_in[7]}}, uio_in};
    end
    else if (status[0] || uio_in[7:6] != 2'b10) retry <= 1;
    else v <= joined(v, more);
  endtask

  // The markers are removed from a form that is complete and not overlong. The leading ones of v identify the missing
  // byte.
  function [31:0] joined(input [31:0] v, input [31:0] more);
    if (v < 32'hFE000000)                          joined = more[31:26] == 0 ? {4'hF, more[27:0]} : more; // the sixth
    else if (v < 32'hFFF00000)                     joined = more[25:0] < 26'h200000 ? more : {6'b0, more[25:0]};
    else if (v >= 32'hFFFF0000 && v < 32'hFFFF8000) joined = more[20:0] < 21'h10000 ? more : {11'b0, more[20:0]};
    else if (v >= 32'hFFFFF800 && v < 32'hFFFFFC00) joined = more[15:0] < 16'h800   ? more : {16'b0, more[15:0]};
    else if (v >= 32'hFFFFFFC0 && v < 32'hFFFFFFE0) joined = more[10:0] < 11'h80    ? more : {21'b0, more[10:0]};
    else                                           joined = more;
  endfunction

  task take16;
    case (length16)
      3'd0: begin accept; written <= 1; v <= {24'hDDDDDD, uio_in}; end
      3'd1: begin accept; v <= {16'b0, unit}; end
      3'd2: if (v[15:10] == 6'b110110) begin accept; v <= {8'hDD, v[15:0], uio_in}; end
            else retry <= 1;
      3'd3: if (unit[15:10] == 6'b110111) begin accept; v <= {12'b0, v[17:8], unit[9:0]} + 32'h10000; end
            else begin retry <= 1; v <= {16'b0, v[23:8]}; end
      default: retry <= 1;
    endcase
  endtask
endmodule
`default_nettype wire
