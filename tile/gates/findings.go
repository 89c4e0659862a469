package gates

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/tile"
	"utfbench/tile/gates/sim"
	"utfbench/tile/project"
	"utfbench/transport"
)

// mostNamed is the maximum number of nets or registers named in a line.
const mostNamed = 4

// ReferenceFindings finds doubtful points of a project's tile: why it has no gates, or what its gates show. The note is
// about registers without a reset, or "".
func ReferenceFindings(ctx context.Context, t tile.Tile) (all []project.Finding, note string, err error) {
	p := ProjectOf(t)
	switch own := t.(type) {
	case Described:
		if own.Reason != nil {
			all = append(all, ungated(p, own.Reason))
		}
	case *Tile:
		if all, note, err = own.findings(); err != nil {
			return nil, "", err
		}
	}
	macros, err := unset(ctx, t, p)
	return append(all, macros...), note, err
}

// findings returns doubtful points of a tile's gates, and a note on registers without a reset, or "".
func (t *Tile) findings() (all []project.Finding, note string, err error) {
	p := t.About
	if t.RTL != nil {
		if all, note, err = t.surprises(); err != nil {
			return nil, "", err
		}
	}
	driven, _ := t.DrivenUIO()
	all = append(all, p.UnusedFindings(driven&^t.UndrivenBits("uio_oe"))...)
	all = append(all, p.UntouchedFindings(t.Unused())...)
	omitted, err := t.OmittedLines()
	if err != nil {
		return nil, "", err
	}
	if omitted != 0 {
		all = append(all, project.Finding{File: p.TileFile, Line: p.Line("uio_outputs"),
			What: fmt.Sprintf("uio_outputs lacks %s, which the gates drive", transport.Outputs(omitted)<<8)})
	}
	return slices.Concat(all, t.invertedResetFindings(), t.clockAsDataFindings()), note, nil
}

// placed is a message with the place that it is about, and words before it.
var placed = printable.Regexp(`^(?:[^:]*: )?([^\s:]+):(\d+): (.*)$`)

// ungated says why a project has no gates, at the place that the error names, or else at its description.
func ungated(p *project.Project, why error) project.Finding {
	if at := placed().FindStringSubmatch(why.Error()); at != nil {
		line, _ := strconv.Atoi(at[2]) // digits
		return project.Finding{File: at[1], Line: line, What: at[3]}
	}
	what, described := strings.CutPrefix(why.Error(), p.Info+": ")
	if !described {
		what = "it has no gates: " + what
	}
	file, line := p.PlaceOfTop()
	return project.Finding{File: file, Line: line, What: what}
}

// unset finds assumed macros, and macros that the author's test sets and the reference does not, unless the gates are
// the same with them.
func unset(ctx context.Context, t tile.Tile, p *project.Project) (all []project.Finding, err error) {
	macros, err := p.TestMacros(p.Defines)
	if err != nil {
		return nil, err
	}
	effect := ""
	if own, is := t.(*Tile); is && own.RTL != nil {
		for _, m := range own.RTL.AssumedMacros {
			all = append(all, m.Confirm())
		}
		if len(macros) > 0 {
			if effect, err = with(ctx, own, macros); effect == "" || err != nil {
				return all, err
			}
		}
	}
	for _, m := range macros {
		m.Used.What += effect
		all = append(all, m.Used)
	}
	return all, nil
}

// with describes the effect of the test's macros on the gates of a tile, as the end of a sentence; "" without one.
func with(ctx context.Context, t *Tile, macros []project.TestMacro) (string, error) {
	other, err := t.RTL.WithMacros(ctx, macros)
	if failure.KindOf(err) == failure.User {
		return "; with the test's macros " + err.Error(), nil
	}
	if err != nil {
		return "", err
	}
	differ, err := t.Compare(other)
	if differ == "" || err != nil {
		return "", err
	}
	return "; with the test's macros the gates " + differ, nil
}

// surprises finds outputs without a driver, signals with several, registers that neither a reset nor data reach, loops
// of gates, and latches. The note is about registers without a reset, unless there are some that nothing sets.
func (t *Tile) surprises() (all []project.Finding, note string, err error) {
	all = slices.Clone(t.RTL.Undriven)
	file, line := t.About.PlaceOfTop()
	for i, port := range []string{"uo_out", "uio_out", "uio_oe"} {
		if lines := transport.Outputs(t.UndrivenBits(port)) << min(8*i, 8); lines != 0 && t.RTL.Undriven == nil {
			what := fmt.Sprintf("nothing drives %s of %s: assign every output of the top module, unused ones to 0",
				port, lines)
			all = append(all, project.Finding{File: file, Line: line, What: what})
		}
	}
	add := func(p sim.Part, what string) {
		file, line := t.placeOf(p)
		all = append(all, project.Finding{File: file, Line: line, What: p.Name + what})
	}
	rivals := t.RivalDrivers()
	for _, p := range rivals {
		if named := t.About.TwoDriversFinding(); named != nil { // with both places
			break
		}
		add(p, " is driven from another place, too, so its level is unknown where they differ: assign it in one block")
	}
	parts, err := t.UninitialisedRegisters()
	for _, p := range parts {
		if !slices.ContainsFunc(rivals, func(r sim.Part) bool { return r.Name == p.Name }) {
			add(p, " is never reset, nor set by random steps: it starts from an unknown value")
		}
	}
	if looped := t.LoopedParts(); len(looped) > 0 {
		var names []string
		for _, p := range looped {
			if !strings.Contains(p.Name, "$") { // a name of Yosys's
				names = append(names, p.Name)
			}
		}
		file, line := t.placeOf(looped[0])
		all = append(all, project.Finding{File: file, Line: line, What: fmt.Sprintf("gates in a loop without a "+
			"register (%s): they may keep an unknown level, or oscillate",
			cmp.Or(printable.ListAtMost(names, mostNamed), "unnamed"))})
	}
	for _, p := range t.Latches() {
		if err == nil && p.File != "" {
			var latch []project.Finding
			latch, err = project.LatchFindings(p.Name, p.File, p.Line)
			all = append(all, latch...)
		}
	}
	if err == nil && len(parts) == 0 {
		note, err = t.unreset()
	}
	return all, note, err
}

// unreset says which registers and latches of a tile by its RTL have no reset, if outputs are unknown for this reason;
// "" if none are.
func (t *Tile) unreset() (string, error) {
	parts, lines, err := t.RegistersWithoutReset()
	if err != nil || lines == 0 || len(parts) == 0 {
		return "", err
	}
	var registers, latches, clauses []string
	all := t.Latches()
	for _, p := range parts {
		if slices.ContainsFunc(all, func(l sim.Part) bool { return l.Name == p.Name }) {
			latches = append(latches, p.Name)
		} else {
			registers = append(registers, p.Name)
		}
	}
	for _, k := range []struct {
		names     []string
		one, more string
	}{{registers, "register has", "registers have"}, {latches, "latch has", "latches have"}} {
		if n := len(k.names); n > 0 {
			clauses = append(clauses, fmt.Sprintf("%s no reset (%s)", printable.Plural(n, k.one, k.more),
				printable.ListAtMost(k.names, mostNamed)))
		}
	}
	return fmt.Sprintf("note: %s, so after a reset %s may be unknown until the design sets them",
		strings.Join(clauses, " and "), lines), nil
}

// invertedResetFindings names registers that are set by the level of rst_n that does not reset the tile.
func (t *Tile) invertedResetFindings() (all []project.Finding) {
	p, level, other := t.About, "low", "high"
	remedy := "Tiny Tapeout resets with a low one, so the Verilog needs if (!rst_n) and negedge rst_n; a design " +
		"with a high reset declares it by reset: {level: high} in " + project.OwnName
	if p.Reset.High {
		level, other, remedy = other, level, "the active level may be low, without reset: {level: high}"
	}
	parts, whole := t.RegistersResetInverted()
	if whole && len(parts) > 0 {
		file, line := cmp.Or(p.TileFile, p.Info), p.Line("reset")
		if t.RTL != nil {
			file, line = t.placeOf(parts[0])
		}
		return []project.Finding{{File: file, Line: line, What: fmt.Sprintf("the reset seems to be active %s: such an "+
			"rst_n sets %s and all else that is reset, and a %s one leaves it unknown: %s", other, parts[0].Name, level,
			remedy)}}
	}
	for _, part := range parts {
		if t.RTL != nil {
			file, line := t.placeOf(part)
			all = append(all, project.Finding{File: file, Line: line, What: fmt.Sprintf("%s is set by a %s rst_n, and "+
				"not by a %s one, which is the reset: is its condition inverted?", part.Name, other, level)})
		}
	}
	return all
}

// clockAsDataFindings names outputs that use the clock as data.
func (t *Tile) clockAsDataFindings() []project.Finding {
	lines, parts := t.ClockedOutputs()
	if lines == 0 {
		return nil
	}
	file, line := t.About.PlaceOfTop()
	if t.RTL != nil && len(parts) > 0 {
		file, line = t.placeOf(parts[0])
	}
	return []project.Finding{{File: file, Line: line, What: fmt.Sprintf("%s follow the level of clk, which is used as "+
		"data: the bench samples while clk is low, so it does not see their levels while clk is high", lines)}}
}

// placeOf returns the place of a part; of a memory, which Yosys gives none, its declaration.
func (t *Tile) placeOf(p sim.Part) (file string, line int) {
	if p.File == "" {
		return t.About.PlaceOf(p.Name)
	}
	return p.File, p.Line
}

// UnlistedFilesNote says in one line which files of a tile's design its author does not list; "" for none.
func UnlistedFilesNote(t tile.Tile) string {
	if own, is := t.(*Tile); is && own.RTL != nil && len(own.RTL.UnlistedFiles) > 0 {
		return "read besides source_files: " + strings.Join(own.RTL.UnlistedFiles, ", ")
	}
	return ""
}

// DoubtfulPoints returns the doubtful points of a reference's RTL: names without a declaration and driver, and assumed
// macros, with their origin and the reason.
func DoubtfulPoints(t tile.Tile) (all []string) {
	if own, is := t.(*Tile); is && own.RTL != nil {
		for _, f := range own.RTL.Undriven {
			all = append(all, f.String())
		}
		for _, m := range own.RTL.AssumedMacros {
			all = append(all, m.AssumedText())
		}
		for _, f := range append(own.invertedResetFindings(), own.clockAsDataFindings()...) {
			all = append(all, f.String())
		}
	}
	return all
}
