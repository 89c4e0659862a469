package testkit

import "regexp"

var short = regexp.MustCompile(`(^|[\s;])(inv|buf|nand2|nor2|xor2|mux2|a21oi|o21ai|conb|dfxtp|dfrbp|diode) (\S+ +\()`)

// Cells gives a netlist's cells their SkyWater names, so that a test can write inv g (...).
func Cells(verilog string) string {
	return short.ReplaceAllString(verilog, "${1}sky130_fd_sc_hd__${2}_1 ${3}")
}
