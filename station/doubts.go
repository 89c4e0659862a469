package station

import (
	"cmp"
	"fmt"

	"utfbench/tile/gates"
	"utfbench/tile/gates/sim"
	"utfbench/tile/project"
)

// InvertedResetFindings names registers that are set by the level of rst_n that does not reset the tile.
func InvertedResetFindings(t *gates.Tile) (all []project.Finding) {
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
			file, line = PlaceOf(t, parts[0])
		}
		return []project.Finding{{File: file, Line: line, What: fmt.Sprintf("the reset seems to be active %s: such an "+
			"rst_n sets %s and all else that is reset, and a %s one leaves it unknown: %s", other, parts[0].Name, level,
			remedy)}}
	}
	for _, part := range parts {
		if t.RTL != nil {
			file, line := PlaceOf(t, part)
			all = append(all, project.Finding{File: file, Line: line, What: fmt.Sprintf("%s is set by a %s rst_n, and "+
				"not by a %s one, which is the reset: is its condition inverted?", part.Name, other, level)})
		}
	}
	return all
}

// ClockAsDataFindings names outputs that use the clock as data.
func ClockAsDataFindings(t *gates.Tile) []project.Finding {
	lines, parts := t.ClockedOutputs()
	if lines == 0 {
		return nil
	}
	file, line := t.About.PlaceOfTop()
	if t.RTL != nil && len(parts) > 0 {
		file, line = PlaceOf(t, parts[0])
	}
	return []project.Finding{{File: file, Line: line, What: fmt.Sprintf("%s follow the level of clk, which is used as "+
		"data: the bench samples while clk is low, so it does not see their levels while clk is high", lines)}}
}

// PlaceOf returns the place of a part; of a memory, which Yosys gives none, its declaration.
func PlaceOf(t *gates.Tile, p sim.Part) (file string, line int) {
	if p.File == "" {
		return t.About.PlaceOf(p.Name)
	}
	return p.File, p.Line
}
