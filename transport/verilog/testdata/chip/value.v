// The functions of the chip's 32-bit value: the lengths of its forms, its status, its properties. No clock here.
//
// Values from 80000000 on are not code points but incomplete or invalid input: the UTF-8 bytes so far, the first one
// sign-extended, or DDDDDDxx and DDDxxxxx for UTF-16 bytes.
`default_nettype none

module value (
    input  wire        written,   // low: nothing came since the reset
    input  wire        check,     // CHK: from 110000 on there are no properties
    input  wire [31:0] v,
    output reg  [2:0]  length8,   // bytes of the UTF-8 form; 0 is none
    output reg  [2:0]  length16,
    output reg  [3:0]  status,    // NONUNI OVERLONG INVALID READY
    output reg  [5:0]  properties // NONCHAR PRIVATE HIGHCHAR SURROGATE CONTROL NORMAL
);
  reg one16, three16;             // number of UTF-16 bytes
  reg wanting, overlong;
  reg control, surrogate, high, private, nonchar;

  always @* begin
    one16   = v >= 32'hDDDDDD00 && v <= 32'hDDDDDDFF;
    three16 = v >= 32'hDDD80000 && v <= 32'hDDDBFFFF;
    if (!written)                                   length8 = 0;
    else if (v < 32'h00000080 || v >= 32'hFFFFFF80) length8 = 1;
    else if (v < 32'h00000800 || v >= 32'hFFFFF000) length8 = 2;
    else if (v < 32'h00010000 || v >= 32'hFFFE0000) length8 = 3;
    else if (v < 32'h00200000 || v >= 32'hFFC00000) length8 = 4;
    else if (v < 32'h04000000 || v >= 32'hF8000000) length8 = 5;
    else if (v < 32'h80000000 || v >= 32'hF0000000) length8 = 6;
    else                                            length8 = 0;
    if (!written)                                   length16 = 0;
    else if (v < 32'h00010000)                      length16 = 2;
    else if (v < 32'h00110000)                      length16 = 4;
    else if (three16)                               length16 = 3;
    else if (one16)                                 length16 = 1;
    else                                            length16 = 0;
  end

  always @* begin
    wanting = one16 || three16 ||
      v >= 32'hFC000000 && v <= 32'hFDFFFFFF || v >= 32'hFFE00000 && v <= 32'hFFF7FFFF ||
      v >= 32'hFFFF0000 && v <= 32'hFFFFDFFF || v >= 32'hFFFFF800 && v <= 32'hFFFFFF7F ||
      v >= 32'hFFFFFFC0 && v <= 32'hFFFFFFFD;
    overlong =
      v >= 32'hF0000000 && v <= 32'hF3FFFFFF || v >= 32'hF8000000 && v <= 32'hF81FFFFF ||
      v >= 32'hFFC00000 && v <= 32'hFFC0FFFF || v >= 32'hFFFE0000 && v <= 32'hFFFE07FF ||
      v >= 32'hFFFFF000 && v <= 32'hFFFFF07F;
    if (!written)                 status = 4'b0000;
    else if (v < 32'h00110000)    status = 4'b0001;
    else if (v < 32'h80000000)    status = 4'b1001;
    else if (wanting)             status = 4'b0000;
    else if (overlong)            status = 4'b0101;
    else                          status = 4'b0011;
  end

  always @* begin
    control   = v < 32'h20 || v >= 32'h7F && v < 32'hA0;
    surrogate = v >= 32'hD800 && v < 32'hE000;
    high      = v >= 32'h10000 || v >= 32'hD800 && v < 32'hDC00;
    nonchar   = v >= 32'hFDD0 && v < 32'hFDF0 || v[15:1] == 15'h7FFF;
    private   = !nonchar && (v >= 32'hF0000 || v >= 32'hE000 && v < 32'hF900 || v >= 32'hDB80 && v < 32'hDC00);
    if (!written || v[31] || check && v >= 32'h110000) properties = 0;
    else properties = {nonchar, private, high, surrogate, control, !(nonchar || private || surrogate || control)};
  end
endmodule
`default_nettype wire
