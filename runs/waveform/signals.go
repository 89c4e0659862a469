package waveform

import (
	"fmt"
	"strings"
	"sync"

	"utfbench/tile"
	"utfbench/transport"
)

// A source is the origin of a signal's value.
type source uint8

const (
	aBus source = iota
	aText
	aStep
)

// A text is a track of words.
type text uint8

const (
	textOperation text = iota
	textGot
	textWant
)

// A signal is a line of a viewer's list.
type signal struct {
	scope, name string
	source      source
	bus         bus // for aText, the bus that the words describe
	shift       int // index of its lowest bit in the bus
	width       int
	text        text
}

func (s *signal) cut(b bits) bits {
	mask := uint8(1<<s.width - 1)
	return bits{b.v >> s.shift & mask, b.x >> s.shift & mask, b.z >> s.shift & mask}
}

// kind returns the signal's type and size in a declaration.
func (s *signal) kind() string {
	switch s.source {
	case aText:
		return "string 1" // GTKWave's extension; the size means nothing
	case aStep:
		return "integer 32"
	}
	return fmt.Sprint("wire ", s.width)
}

// id returns a signal's short name in a file.
func id(i int) byte { return '!' + byte(i) }

// A list is the signals of a tile, and their declarations in a file.
type list struct {
	signals      []signal
	declarations string
}

// lists caches the lists by tile.
var lists sync.Map

func listOf(t tile.Tile) *list {
	l, ok := lists.Load(t)
	if !ok {
		all := allSignals(t)
		l, _ = lists.LoadOrStore(t, &list{all, declare(all)})
	}
	return l.(*list)
}

// declare returns the constant part of a file's header.
func declare(list []signal) string {
	var b strings.Builder
	scope := ""
	for i, s := range list {
		if s.scope != scope {
			if scope != "" {
				b.WriteString("$upscope $end\n")
			}
			scope = s.scope
			fmt.Fprintf(&b, "$scope module %s $end\n", scope)
		}
		fmt.Fprintf(&b, "$var %s %c %s $end\n", s.kind(), id(i), s.name)
	}
	b.WriteString("$upscope $end\n$enddefinitions $end\n")
	return b.String()
}

func allSignals(t tile.Tile) []signal {
	list := []signal{
		{scope: "bench", name: "step", source: aStep},
		{scope: "bench", name: "operation", source: aText, text: textOperation},
		{scope: "bench", name: "clk", bus: busClk, width: 1},
		{scope: "bench", name: "rst_n", bus: busReset, width: 1},
		byteSignal("bench", "ui", busUI),
	}
	for i, name := range tile.InputNames(t) {
		list = append(list, signal{scope: "bench", name: inName(i, name), bus: busUI, shift: i, width: 1})
	}
	list = append(list, byteSignal("bench", "uio_drive", busDrive))
	list = append(list, sampleSignals(t, "got", textGot, busGotOut, busGotIO)...)
	list = append(list, sampleSignals(t, "want", textWant, busWantOut, busWantIO)...)
	return append(list, signal{scope: "check", name: "mismatch", bus: busDiffers, width: 1},
		byteSignal("check", "mismatch_uo", busOutDiff), byteSignal("check", "mismatch_uio", busIODiff),
		signal{scope: "check", name: "checkpoint", bus: busCheck, width: 1},
		signal{scope: "check", name: "checkpoint_missed", bus: busMissed, width: 1})
}

func byteSignal(scope, name string, b bus) signal {
	return signal{scope: scope, name: name + " [7:0]", bus: b, width: 8}
}

// sampleSignals returns the signals of a sample. A bit of uo with two meanings has both names. Each name includes the
// scope, since a viewer may hide that.
func sampleSignals(of tile.Tile, scope string, t text, out, io bus) []signal {
	list := []signal{{scope: scope, name: scope + "_flags", source: aText, text: t, bus: out, width: 8},
		byteSignal(scope, scope+"_uo", out)}
	for i := range 8 {
		list = append(list, signal{scope: scope, name: scope + "_" + outName(of, i), bus: out, shift: i, width: 1})
	}
	return append(list, byteSignal(scope, scope+"_uio", io))
}

// inName returns the name of a bit of ui. Not all viewers allow a slash, so /ROUT is ui0_ROUT_n, like rst_n.
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

// lineName prefixes a line's meaning, if any, with its name.
func lineName(line int, name string) string {
	if own := transport.Lines[line]; own != name {
		return own + "_" + name
	}
	return name
}
