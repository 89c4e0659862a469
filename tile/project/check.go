package project

import (
	"fmt"

	"utfbench/transport"
)

// A Finding is a hint for the author, at a line of a file.
type Finding struct {
	File string
	Line int
	What string
}

func (f Finding) String() string { return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.What) }

// Check returns the doubtful points of the description.
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

// UnnamedText notes the lines that info.yaml omits, which does no harm. It is "" if info.yaml has all. A line with an
// empty name is unused.
func (p *Project) UnnamedText() string {
	var lines []string
	for _, group := range []string{"ui", "uo", "uio"} {
		for i := range 8 {
			line := fmt.Sprintf("%s%d", group, i)
			if _, there := p.Lines[line]; !there {
				lines = append(lines, line)
			}
		}
	}
	if lines == nil {
		return ""
	}
	return Finding{p.Info, p.Line("pinout"), "pinout has no name for " + transport.AbbreviateLines(lines)}.String()
}

// PlaceOfTop returns the file and line that name the top module.
func (p *Project) PlaceOfTop() (file string, line int) { return p.Info, p.Line("top_module") }
