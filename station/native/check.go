package native

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/station"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/tile/gates/sim"
	"utfbench/tile/project"
	"utfbench/transport"
	"utfbench/transport/verilog"
)

// CheckTile finds gaps in a tile's description, constructs that do not hold in silicon, and effects on the machine that
// simulates it; nothing for a built-in tile. The note is about registers without a reset, or "".
func CheckTile(ctx context.Context, t tile.Tile) (all []project.Finding, note string, err error) {
	var p *project.Project
	var read []string
	switch own := t.(type) {
	case gates.Described:
		p, read = own.About, own.About.Paths()
		if own.Reason != nil {
			all = append(all, ungated(p, own.Reason))
		}
	case *gates.Tile:
		if p = own.About; own.RTL != nil {
			read = own.RTL.FilesRead
			if all, note, err = surprises(own); err != nil {
				return nil, "", err
			}
		}
		driven, _ := own.DrivenUIO()
		all = append(all, p.UnusedFindings(driven&^own.UndrivenBits("uio_oe"))...)
		all = append(all, p.UntouchedFindings(own.Unused())...)
		omitted, err := own.OmittedLines()
		if err != nil {
			return nil, "", err
		}
		if omitted != 0 {
			all = append(all, project.Finding{File: p.TileFile, Line: p.Line("uio_outputs"),
				What: fmt.Sprintf("uio_outputs lacks %s, which the gates drive", transport.Outputs(omitted)<<8)})
		}
		all = append(all, station.InvertedResetFindings(own)...)
		all = append(all, station.ClockAsDataFindings(own)...)
	default:
		return nil, "", nil
	}
	found, err := p.Check()
	if err != nil {
		return nil, "", err
	}
	if len(all) > 0 && strings.Contains(all[0].What, "syntax error") { // the hints would be about other code
		found = slices.DeleteFunc(found, func(f project.Finding) bool { return f.File == all[0].File })
	}
	macros, err := unset(ctx, t, p)
	if err != nil {
		return nil, "", err
	}
	found = append(found, macros...)
	effects, err := verilog.FindEffects(read)
	for _, e := range effects {
		found = append(found, project.Finding{File: e.File, Line: e.Line, What: e.What})
	}
	all = append(all, found...)
	slices.SortStableFunc(all, func(a, b project.Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line)
	})
	return slices.Compact(all), note, err
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
	if own, is := t.(*gates.Tile); is && own.RTL != nil {
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
func with(ctx context.Context, t *gates.Tile, macros []project.TestMacro) (string, error) {
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
func surprises(t *gates.Tile) (all []project.Finding, note string, err error) {
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
		file, line := station.PlaceOf(t, p)
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
		file, line := station.PlaceOf(t, looped[0])
		all = append(all, project.Finding{File: file, Line: line, What: fmt.Sprintf("gates in a loop without a "+
			"register (%s): they may keep an unknown level, or oscillate",
			cmp.Or(printable.ListAtMost(names, few), "unnamed"))})
	}
	for _, p := range t.Latches() {
		if err == nil && p.File != "" {
			var latch []project.Finding
			latch, err = project.LatchFindings(p.Name, p.File, p.Line)
			all = append(all, latch...)
		}
	}
	if err == nil && len(parts) == 0 {
		note, err = unreset(t)
	}
	return all, note, err
}

// unreset says which registers and latches of a tile by its RTL have no reset, if outputs are unknown for this reason;
// "" if none are.
func unreset(t *gates.Tile) (string, error) {
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
				printable.ListAtMost(k.names, few)))
		}
	}
	return fmt.Sprintf("note: %s, so after a reset %s may be unknown until the design sets them",
		strings.Join(clauses, " and "), lines), nil
}
