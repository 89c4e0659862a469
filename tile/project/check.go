package project

import (
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"

	"utfbench/internal/files"
	"utfbench/transport"
)

// A Finding is a hint for the author, at a line of a file.
type Finding struct {
	File string
	Line int
	What string
}

func (f Finding) String() string { return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.What) }

// Check returns gaps in the description, and constructs that behave differently in silicon.
func (p *Project) Check() (all []Finding, err error) {
	all = append(all, p.UnknownEntries...)
	if p.Analog > 0 {
		all = append(all, Finding{p.Info, p.Line("analog"), fmt.Sprintf("analog_pins: %d; the bench judges digital "+
			"levels only, of lines that cells drive in the RTL or in the netlist that was fabricated", p.Analog)})
	}
	if line, odd := p.Lines["clock"]; odd {
		all = append(all, Finding{p.Info, line, "clock_hz is no number of Hz, so --at author has no clock"})
	}
	for _, s := range p.Sources {
		found, err := checkSource(s.Path)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// UnnamedText notes the lines that info.yaml omits, which harms nothing; it is "" if it has all. A line with an empty
// name is unused.
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

// suspicious lists constructs that simulate differently from silicon. They are searched line by line, so comments over
// several lines may be taken for code: a finding is a hint, not a verdict.
var suspicious = []struct {
	pattern *regexp.Regexp
	what    string
}{
	{regexp.MustCompile(`(?:^|;)\s*initial\b`), "an initial block: a flip-flop in silicon powers up as 0 or 1, so " +
		"this has no effect before a reset sets it"},
	{regexp.MustCompile(`^\s*(?:output\s+)?(?:reg|logic)\b[^;=)]*\w\s*=\s*[^=]`), "an initial value: a flip-flop in " +
		"silicon powers up as 0 or 1, so it has no effect before a reset sets it"},
	{regexp.MustCompile(`(?:^|[^#\w])#\s*\d`), "a delay: silicon has its own"},
	{regexp.MustCompile(`[=!]==`), "a comparison with === or !==: silicon has no x and no z to compare with"},
	{regexp.MustCompile(`\bcasex\b`), "casex: an x in a simulation takes the first branch, silicon takes one by its " +
		"levels; write casez"},
	{regexp.MustCompile(`\b(?:full|parallel)_case\b`), "full_case or parallel_case: synthesis relies on it, and a " +
		"simulation does not"},
	{regexp.MustCompile(`(?:\b(?:pos|neg)edge\b[^()]*){3}`), "a clock with a set and a reset: a simulation misses " +
		"the one that is still active when the other ends, and in Yosys before 0.45 the reset always wins"},
	{regexp.MustCompile(`\$(?:random|urandom|time|realtime)\b`), "a function of the simulator: silicon has none"},
}

// PlaceOfTop returns the file and line of the top module; without one, of the description.
func (p *Project) PlaceOfTop() (file string, line int) {
	return p.placeOf(func(m *module, i int) bool { return i == 0 && m.text(0) == p.Top })
}

// PlaceOf returns the file and line of the only declaration of a signal, given its path; without one, PlaceOfTop.
func (p *Project) PlaceOf(signal string) (file string, line int) {
	name := signal[strings.LastIndexByte(signal, '.')+1:]
	file, line = p.placeOf(func(m *module, i int) bool { return m.text(i) == name && m.isDeclared(i) })
	if file == p.Info {
		return p.PlaceOfTop()
	}
	return file, line
}

// placeOf returns the place of the only token of a module that fits; without one, of the description.
func (p *Project) placeOf(fits func(m *module, i int) bool) (file string, line int) {
	file, line = p.Info, 1
	for _, path := range p.Paths() {
		text, err := files.Verilog.Read(path)
		if err != nil {
			continue // which the check of the sources says
		}
		for _, m := range modules(string(text)) {
			for i, t := range m.all {
				switch {
				case !fits(m, i):
				case file != p.Info:
					return p.Info, 1
				default:
					file, line = path, t.line
				}
			}
		}
	}
	return file, line
}

// LatchFindings returns a finding if a block of the file infers a latch for the signal, unless an always_latch assigns
// it. signal is a hierarchical path. Yosys 0.23 does not give its line.
func LatchFindings(signal, file string, line int) ([]Finding, error) {
	text, err := files.Verilog.Read(file)
	if err != nil {
		return nil, err
	}
	name := signal[strings.LastIndexByte(signal, '.')+1:]
	for _, m := range modules(string(text)) {
		for _, p := range m.processes {
			if m.text(p.from) == "always_latch" && slices.ContainsFunc(p.assigns, func(a assignment) bool {
				return a.name == name
			}) {
				return nil, nil
			}
		}
	}
	return []Finding{{file, line, signal + " is a latch, since this block does not assign it in every case: assign a " +
		"default first, or write always_latch if the latch is intended"}}, nil
}

// codeLines returns the lines of a Verilog file, from 1, without line comments.
func codeLines(text string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		n := 0
		for line := range strings.Lines(text) {
			n++
			if code, _, _ := strings.Cut(line, "//"); !yield(n, code) {
				return
			}
		}
	}
}

// Differences returns what simulations and silicon may do differently in the files of the reference.
func (p *Project) Differences() (all []Finding) {
	paths := p.Reference
	if paths == nil {
		paths = p.Paths()
	}
	for _, path := range paths {
		found, _ := checkSource(path) // an unreadable file has none to show
		all = append(all, found...)
	}
	return all
}

func checkSource(path string) (all []Finding, err error) {
	text, err := files.Verilog.Read(path)
	if err != nil {
		return nil, err
	}
	for n, code := range codeLines(string(text)) {
		for _, s := range suspicious {
			if s.pattern.MatchString(code) {
				all = append(all, Finding{path, n, s.what})
			}
		}
	}
	all = append(all, races(path, string(text))...)
	all = append(all, undefined(path, string(text))...)
	all = append(all, rivals(path, string(text))...)
	slices.SortStableFunc(all, func(a, b Finding) int { return a.Line - b.Line })
	return all, nil
}
