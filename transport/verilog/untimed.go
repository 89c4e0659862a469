package verilog

import (
	"fmt"
	"strings"

	"utfbench/internal/lazy"
)

var (
	specify     = lazy.Regexp(`(?s)\bspecify\b.*?\bendspecify\b`)
	timingCheck = lazy.Regexp(`(?s)\$(?:setuphold|recrem)\s*\((.*?)\)\s*;`)
)

// untimed removes delays and timing checks from a cell: Verilator has none. Icarus 11 leaves nets undriven that
// $setuphold and $recrem should drive and that IHP's cells use (IEEE 1364-2005, 15.2.4 and 15.2.8: the last two
// arguments are the delayed signals).
func untimed(cell string) string {
	var assigns strings.Builder
	seen := map[string]bool{"": true}
	for _, check := range timingCheck().FindAllStringSubmatch(cell, -1) {
		args := strings.Split(check[1], ",")
		for i := 7; i < min(len(args), 9); i++ {
			delayed := strings.TrimSpace(args[i])
			if !seen[delayed] {
				seen[delayed] = true
				fmt.Fprintf(&assigns, "assign %s = %s;\n", delayed, checked(args[i-7]))
			}
		}
	}
	return specify().ReplaceAllLiteralString(cell, assigns.String())
}

// checked returns the signal in an argument such as "posedge D &&& enabled".
func checked(arg string) string {
	arg, _, _ = strings.Cut(arg, "&&&")
	words := strings.Fields(arg)
	if len(words) == 0 {
		return "1'bx"
	}
	return words[len(words)-1]
}
