package boards

import (
	"fmt"
	"slices"
)

// A padFrame maps lines to pins of its chips' QFN64 package. Source: docs/INFO.md of Tiny Tapeout's tt-multiplexer, at
// the tags of the shuttles' releases.
type padFrame struct {
	shuttles []string
	ui, uo   []int
	uio      []int
	clk, rst int
}

var padFrames = []padFrame{
	{[]string{"tt06", "tt07", "tt08", "tt09", "ttcad25a", "ttsky25a", "ttsky25b"}, // SkyWater's Open Frame
		[]int{31, 32, 33, 34, 35, 36, 37, 48}, []int{62, 2, 3, 4, 5, 6, 7, 8},
		[]int{53, 54, 55, 57, 58, 59, 60, 61}, 50, 51},
	{[]string{"ttihp0p2", "ttihp0p3", "ttihp25b", "ttihp26a"}, // Tiny Tapeout's own, for IHP
		[]int{41, 42, 43, 44, 45, 46, 47, 48}, []int{9, 10, 11, 12, 13, 14, 15, 16},
		[]int{33, 34, 35, 36, 37, 38, 39, 40}, 50, 49},
}

// With returns the board with a chip of a shuttle: Package has the pins of the chip's package, if known.
func (b *Board) With(shuttle string) *Board {
	i := slices.IndexFunc(padFrames, func(f padFrame) bool { return slices.Contains(f.shuttles, shuttle) })
	if i < 0 || b.Mux == nil {
		return b
	}
	with := *b
	with.Package = padFrames[i].pins()
	return &with
}

func (f *padFrame) pins() map[string]int {
	pins := map[string]int{"clk": f.clk, "rst_n": f.rst}
	for bus, numbers := range map[string][]int{"ui": f.ui, "uo": f.uo, "uio": f.uio} {
		for i, n := range numbers {
			pins[fmt.Sprint(bus, i)] = n
		}
	}
	return pins
}
