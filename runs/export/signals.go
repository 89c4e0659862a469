package export

import (
	"strings"

	"utfbench/tile"
	"utfbench/transport"
)

// A signal is an entry in a viewer's list: some lines of a bus, or the step number if its width is stepWidth.
type signal struct {
	scope, name string
	bus         bus
	shift       int // index of its lowest bit in the bus
	width       int
}

// stepWidth is the width of the signal that numbers the steps.
const stepWidth = 32

func (s *signal) cut(b bits) bits {
	mask := uint8(1<<s.width - 1)
	return bits{b.v >> s.shift & mask, b.x >> s.shift & mask, b.z >> s.shift & mask}
}

// id returns the identifier of the i-th signal in a file.
func id(i int) byte { return '!' + byte(i) }

func signalsOf(t tile.Tile) []signal {
	list := []signal{
		{scope: "bench", name: "step", width: stepWidth},
		{scope: "bench", name: "clk", bus: busClk, width: 1},
		{scope: "bench", name: "rst_n", bus: busReset, width: 1},
		byteSignal("bench", "ui", busUI),
	}
	for i, name := range tile.InputNames(t) {
		list = append(list, signal{scope: "bench", name: inName(i, name), bus: busUI, shift: i, width: 1})
	}
	list = append(list, byteSignal("bench", "uio_drive", busDrive))
	list = append(list, sampleSignals(t, "got", busGotOut, busGotIO)...)
	list = append(list, sampleSignals(t, "want", busWantOut, busWantIO)...)
	return append(list, signal{scope: "check", name: "mismatch", bus: busDiffers, width: 1},
		byteSignal("check", "mismatch_uo", busOutDiff), byteSignal("check", "mismatch_uio", busIODiff))
}

func byteSignal(scope, name string, b bus) signal {
	return signal{scope: scope, name: name + " [7:0]", bus: b, width: 8}
}

// sampleSignals returns the signals of a sample. A bit of uo with two meanings is named after both. Each name includes
// its scope, since a viewer may hide scopes.
func sampleSignals(of tile.Tile, scope string, out, io bus) []signal {
	list := []signal{byteSignal(scope, scope+"_uo", out)}
	for i := range 8 {
		list = append(list, signal{scope: scope, name: scope + "_" + outName(of, i), bus: out, shift: i, width: 1})
	}
	return append(list, byteSignal(scope, scope+"_uio", io))
}

// inName returns the name of a bit of ui. Not all viewers allow a slash, so /ROUT becomes ui0_ROUT_n, like rst_n.
func inName(i int, name string) string {
	if low, ok := strings.CutPrefix(name, "/"); ok {
		name = low + "_n"
	}
	return lineName(transport.UI+i, name)
}

// outName returns the name of a bit of uo with all its meanings, such as uo3_OVERLONG_or_HIGHCHAR.
func outName(t tile.Tile, i int) string {
	name, other := tile.OutputNames(t, t.Idle())[i], tile.OutputNames(t, ^t.Idle())[i]
	if name != other {
		name += "_or_" + other
	}
	return lineName(transport.UO+i, name)
}

func lineName(line int, name string) string {
	if own := transport.Lines[line]; own != name {
		return own + "_" + name
	}
	return name
}
