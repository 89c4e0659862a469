package gates

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"utfbench/internal/files"
	"utfbench/internal/printable"
	"utfbench/tile"
	"utfbench/tile/gates/sim"
	"utfbench/tile/project"
	"utfbench/transport"
)

// CheckTile returns the findings about a tile: its description and its gates, or why it has no gates. They are sorted
// by file and line. A built-in tile has none.
func CheckTile(t tile.Tile) (all []project.Finding, err error) {
	p := ProjectOf(t)
	if p == nil {
		return nil, nil
	}
	switch own := t.(type) {
	case DescribedTile:
		if own.Reason != nil {
			all = append(all, ungated(own.About, own.Reason))
		}
	case *Tile:
		if all, err = own.findings(); err != nil {
			return nil, err
		}
	}
	all = append(all, p.Check()...)
	slices.SortStableFunc(all, func(a, b project.Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line)
	})
	return slices.Compact(all), nil
}

// NamingNotes returns notes on the names of a tile's lines. checked describes CheckTile's checks if these find nothing.
func NamingNotes(t tile.Tile) (notes []project.Finding, checked string) {
	own, p := TileOf(t), ProjectOf(t)
	switch {
	case p == nil:
		return nil, "it is built in, so there is nothing to check; --tile FOLDER checks a project"
	case own == nil:
		return p.NamingNotes(false, nil), "no mistake found in info.yaml; without gates nothing else is checked"
	case p.Info == "":
		return nil, "its reset is not inverted; without info.yaml no names are checked"
	case own.RTL == nil:
		return p.NamingNotes(true, own.UnusedLines()), "no mistake found in info.yaml, and no inverted reset"
	}
	return p.NamingNotes(true, own.UnusedLines()),
		"no mistake found in info.yaml, and no latch, inverted reset, undriven output or register that nothing sets"
}

func (t *Tile) findings() (all []project.Finding, err error) {
	if t.RTL != nil {
		if all, err = t.surprises(); err != nil {
			return nil, err
		}
	}
	return slices.Concat(all, t.invertedResetFindings(), t.clockAsDataFindings()), nil
}

// placed matches a message with an optional prefix and a place in the sources, with or without a line number.
var placed = printable.LazyRegexp(`^(?:[^:]*: )?([^\s:]+:\d+|[^\s:]+\.s?vh?): (.*)$`)

// ungated reports why a project has no gates, at the place that the error names or, without one, at the description.
func ungated(p *project.Project, why error) project.Finding {
	if at := placed().FindStringSubmatch(why.Error()); at != nil {
		file, digits, _ := strings.Cut(at[1], ":")
		line, _ := strconv.Atoi(digits)
		return project.Finding{File: file, Line: line, Text: at[2]}
	}
	what, described := strings.CutPrefix(why.Error(), p.Info+": ")
	if !described {
		what = "it has no gates: " + what
	}
	file, line := p.PlaceOfTop()
	return project.Finding{File: file, Line: line, Text: what}
}

// surprises finds outputs without a driver, signals with several drivers, registers that neither the reset nor random
// steps set, and latches.
func (t *Tile) surprises() (all []project.Finding, err error) {
	all = slices.Clone(t.RTL.Undriven)
	file, line := t.placeOf(t.Design.Circuit.Parts[0])
	for i, port := range []string{"uo_out", "uio_out", "uio_oe"} {
		if lines := transport.Outputs(t.UndrivenBits(port)) << min(8*i, 8); lines != 0 && t.RTL.Undriven == nil {
			what := fmt.Sprintf("nothing drives %s (%s): assign every output of the top module, unused ones to 0",
				lines, port)
			all = append(all, project.Finding{File: file, Line: line, Text: what})
		}
	}
	add := func(p sim.Part, what string) {
		file, line := t.placeOf(p)
		all = append(all, project.Finding{File: file, Line: line, Text: p.Name + what})
	}
	rivals := t.RivalDrivers()
	for _, p := range rivals {
		add(p, " is driven from another place, too, so its level is unknown where they differ: assign it in one block")
	}
	parts, err := t.UninitialisedRegisters()
	for _, p := range parts {
		if !slices.ContainsFunc(rivals, func(r sim.Part) bool { return r.Name == p.Name }) {
			add(p, " is never reset, nor set by random steps: it starts from an unknown value")
		}
	}
	for _, p := range t.Latches() {
		if isAlways(p) {
			add(p, " is a latch, since this block does not assign it in every case: assign a default first, or write "+
				"always_latch if the latch is intended")
		}
	}
	return all, err
}

var alwaysBlock = printable.LazyRegexp(`\balways\b`)

// isAlways reports whether a part's place is an always block. Yosys 0.23 gives a latch of an always_latch another.
func isAlways(p sim.Part) bool {
	text, err := files.Verilog.Read(p.File)
	lines := strings.Split(string(text), "\n")
	return err == nil && p.Line > 0 && p.Line <= len(lines) && alwaysBlock().MatchString(lines[p.Line-1])
}

// invertedResetFindings finds registers that only the inactive level of rst_n resets.
func (t *Tile) invertedResetFindings() (all []project.Finding) {
	p, level, other := t.About, "low", "high"
	remedy := "Tiny Tapeout resets with a low one: write if (!rst_n), and negedge rst_n for posedge rst_n. If a high " +
		"reset is intended, add reset: {level: high} to " + project.OwnName
	if p.Reset.High {
		level, other, remedy = other, level, "If a low reset is intended, remove reset: {level: high}"
	}
	parts, whole := t.RegistersResetInverted()
	if whole && len(parts) > 0 {
		file, line := cmp.Or(p.TileFile, p.Info), p.Line("reset")
		if t.RTL != nil {
			file, line = t.placeOf(parts[0])
		}
		return []project.Finding{{File: file, Line: line, Text: fmt.Sprintf("the reset seems to be active %s: such an "+
			"rst_n sets %s and all else that is reset, a %s one nothing. %s", other, parts[0].Name, level, remedy)}}
	}
	for _, part := range parts {
		if t.RTL != nil {
			file, line := t.placeOf(part)
			all = append(all, project.Finding{File: file, Line: line, Text: fmt.Sprintf("%s is set by a %s rst_n, and "+
				"not by a %s one, which is the reset: is its condition inverted?", part.Name, other, level)})
		}
	}
	return all
}

func (t *Tile) clockAsDataFindings() []project.Finding {
	lines, parts := t.ClockedOutputs()
	if lines == 0 {
		return nil
	}
	file, line := t.About.PlaceOfTop()
	if t.RTL != nil && len(parts) > 0 {
		file, line = t.placeOf(parts[0])
	}
	return []project.Finding{{File: file, Line: line, Text: fmt.Sprintf("%s follow the level of clk, which is used as "+
		"data: the bench samples while clk is low, so it does not see their levels while clk is high", lines)}}
}

// placeOf returns the place of a part. For a memory, which Yosys gives no place, it is the top module's, or else that
// of its name in info.yaml.
func (t *Tile) placeOf(p sim.Part) (file string, line int) {
	if p.File == "" {
		p = t.Design.Circuit.Parts[0]
	}
	if p.File == "" {
		return t.About.PlaceOfTop()
	}
	return p.File, p.Line
}

// UnlistedFilesNote returns a line that names the files of a tile's design that its author does not list, or "".
func UnlistedFilesNote(t tile.Tile) string {
	if own, is := t.(*Tile); is && own.RTL != nil && len(own.RTL.UnlistedFiles) > 0 {
		return "read besides source_files: " + strings.Join(own.RTL.UnlistedFiles, ", ")
	}
	return ""
}

// DoubtfulPoints describes undeclared, undriven names in a reference's RTL, an inverted reset, and a clock as data.
func DoubtfulPoints(t tile.Tile) (all []string) {
	if own, is := t.(*Tile); is && own.RTL != nil {
		for _, f := range own.RTL.Undriven {
			all = append(all, f.String())
		}
		for _, f := range append(own.invertedResetFindings(), own.clockAsDataFindings()...) {
			all = append(all, f.String())
		}
	}
	return all
}
