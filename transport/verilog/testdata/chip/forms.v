// The bytes of a value in each form, one at a time, without a clock.
`default_nettype none

module forms (
    input  wire [31:0] v,
    input  wire [2:0]  length8, length16,
    input  wire        big,                 // CBE: byte order of UTF-32 and UTF-16
    input  wire [2:0]  at32, at8, at16,     // which byte is wanted
    output reg  [7:0]  byte32, byte8, byte16 // 00 past the end
);
  reg [15:0] unit, high, low;
  reg [2:0]  left;
  reg [31:0] minus;

  always @*
    case (big ? at32 : 3'd3 - at32)
      3'd0:    byte32 = v[31:24];
      3'd1:    byte32 = v[23:16];
      3'd2:    byte32 = v[15:8];
      3'd3:    byte32 = v[7:0];
      default: byte32 = 0;
    endcase

  // The lead byte of a form has the bits of the value above its continuation bytes.
  always @* begin
    left = length8 - at8 - 3'd1;            // bytes after this one
    if (at8 >= length8) byte8 = 0;
    else if (at8 == 0)
      case (length8)
        3'd1:    byte8 = v[7:0];
        3'd2:    byte8 = v[31] ? v[13:6]  : {3'b110, v[10:6]};
        3'd3:    byte8 = v[31] ? v[19:12] : {4'b1110, v[15:12]};
        3'd4:    byte8 = v[31] ? v[25:18] : {5'b11110, v[20:18]};
        3'd5:    byte8 = v[31] ? v[31:24] : {6'b111110, v[25:24]};
        default: byte8 = v[31] ? 8'hFC    : {7'b1111110, v[30]};
      endcase
    else
      case (left)
        3'd0:    byte8 = {2'b10, v[5:0]};
        3'd1:    byte8 = {2'b10, v[11:6]};
        3'd2:    byte8 = {2'b10, v[17:12]};
        3'd3:    byte8 = {2'b10, v[23:18]};
        default: byte8 = v[31] ? {4'b1000, v[27:24]} : {2'b10, v[29:24]};
      endcase
  end

  // A pair is D800 and DC00 plus ten bits each of the value minus 10000. Three bytes are a high surrogate and one more.
  always @* begin
    minus = v - 32'h10000;
    high = length16 == 4 ? {6'b110110, minus[19:10]} : length16 == 3 ? v[23:8] : v[15:0];
    low  = length16 == 4 ? {6'b110111, minus[9:0]}   : {v[7:0], v[7:0]};
    unit = at16[1] ? low : high;
    if (at16 >= length16)   byte16 = 0;
    else if (length16 == 1) byte16 = v[7:0];
    else                    byte16 = at16[0] ^ big ? unit[15:8] : unit[7:0];
  end
endmodule
`default_nettype wire
