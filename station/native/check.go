package native

import (
	"cmp"
	"slices"
	"strings"

	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/tile/project"
	"utfbench/transport/verilog"
)

// CheckTile finds gaps in a tile's description, constructs that act differently in silicon, and effects on the machine
// that simulates it. It finds nothing in a built-in tile.
func CheckTile(t tile.Tile) (all []project.Finding, err error) {
	p := gates.ProjectOf(t)
	if p == nil {
		return nil, nil
	}
	if all, err = gates.ReferenceFindings(t); err != nil {
		return nil, err
	}
	found, err := p.Check()
	if err != nil {
		return nil, err
	}
	if len(all) > 0 && strings.Contains(all[0].What, "syntax error") { // after a syntax error they may be wrong
		found = slices.DeleteFunc(found, func(f project.Finding) bool { return f.File == all[0].File })
	}
	read := p.Paths()
	if own, is := t.(*gates.Tile); is && own.RTL != nil {
		read = own.RTL.FilesRead
	}
	effects, err := verilog.FindEffects(read)
	for _, e := range effects {
		found = append(found, project.Finding{File: e.File, Line: e.Line, What: e.What})
	}
	all = append(all, found...)
	slices.SortStableFunc(all, func(a, b project.Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line)
	})
	return slices.Compact(all), err
}
