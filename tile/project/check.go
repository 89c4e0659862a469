package project

import (
	"fmt"
	"slices"

	"utfbench/transport"
)

// A Finding is a note for the author about a line of a file.
type Finding struct {
	File string
	Line int // 0 if unknown
	Text string
}

func (f Finding) String() string {
	if f.Line == 0 {
		return f.File + ": " + f.Text
	}
	return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Text)
}

// Check returns findings on doubtful points of the description.
func (p *Project) Check() (all []Finding) {
	all = append(all, p.UnknownEntries...)
	if p.Analog > 0 {
		all = append(all, Finding{p.Info, p.Line("analog"), fmt.Sprintf("analog_pins: %d; the bench judges digital "+
			"levels only, of lines that cells drive in the RTL or in the netlist that was fabricated", p.Analog)})
	}
	if line, odd := p.Lines["clock"]; odd {
		all = append(all, Finding{p.Info, line, "clock_hz is no number of Hz, so --at author has no clock"})
	}
	return all
}

// NamingNotes returns notes on lines without a name, and on named lines that the gates do not use, though these are
// harmless. A line with an empty name gets no note if the gates do not use it, or are unknown.
func (p *Project) NamingNotes(gates bool, unused []string) (all []Finding) {
	var lines [2][]string
	if p.Info == "" {
		return nil
	}
	for _, line := range transport.Lines[:transport.Clk] {
		_, there := p.Lines[line]
		named, used := p.Pins[line] != "", !slices.Contains(unused, line)
		if !there || gates && named != used {
			kind := map[bool]int{true: 1}[named]
			lines[kind] = append(lines[kind], line)
		}
	}
	for i, what := range []string{"pinout has no name for %s",
		"pinout names %s, which the design neither reads nor drives"} {
		if lines[i] != nil {
			what = fmt.Sprintf(what, transport.AbbreviateLines(lines[i]))
			all = append(all, Finding{p.Info, p.Line("pinout"), what})
		}
	}
	return all
}

// PlaceOfTop returns the file and line that name the top module.
func (p *Project) PlaceOfTop() (file string, line int) { return p.Info, p.Line("top_module") }
