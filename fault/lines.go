package fault

import (
	"strconv"
	"strings"

	"utfbench/transport"
)

// Numbers of lines: the first of each port, clk and rst_n.
const (
	UI  = transport.UI
	UO  = transport.UO
	UIO = transport.UIO
	Clk = transport.Clk
	Rst = transport.RstN
)

// Masks of lines.
const (
	MaskUI  uint32 = 0xFF << UI
	MaskUO  uint32 = 0xFF << UO
	MaskUIO uint32 = 0xFF << UIO
	MaskClk uint32 = 1 << Clk
	MaskRst uint32 = 1 << Rst
)

// Lines names the 26 lines by number.
var Lines = transport.Lines

// Numbered returns n names with numbers from 0.
func Numbered(name string, n int) (all []string) {
	for i := range n {
		all = append(all, name+strconv.Itoa(i))
	}
	return all
}

// ranges formats names in one line, with numbered ones as in "ui0-7".
func ranges(names []string) string {
	var words []string
	for i := 0; i < len(names); {
		stem := strings.TrimSuffix(names[i], "0")
		n := 0
		for stem != names[i] && i+n < len(names) && names[i+n] == stem+strconv.Itoa(n) {
			n++
		}
		if n < 2 {
			words, i = append(words, names[i]), i+1
			continue
		}
		words, i = append(words, names[i]+"-"+strconv.Itoa(n-1)), i+n
	}
	return strings.Join(words, " ")
}
