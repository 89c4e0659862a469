package gates

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"utfbench/internal/printable"
	"utfbench/tile"
	"utfbench/tile/project"
	"utfbench/transport"
)

// Show prints a tile, pin by pin.
func Show(w io.Writer, t tile.Tile) error {
	table := printable.NewTable()
	table.Row("tile", t.Name())
	switch own := t.(type) {
	case DescribedTile:
		showProject(table, own.About)
		reference := "none"
		if own.Reason != nil {
			reference += ": " + own.Reason.Error()
		}
		table.Row("reference", reference)
	case *Tile:
		showGates(table, own)
	default:
		revisions := strings.Join(tile.Revisions(t), ", ")
		if revisions != "" {
			revisions = ", revisions " + revisions
		}
		table.Row("reference", "the model in this program"+revisions)
	}
	reset := tile.ResetStep(t)
	level := map[bool]string{true: "low", false: "high"}[reset.Reset]
	table.Row("reset", fmt.Sprintf("rst_n %s for %s, ui %02X", level, printable.Count(int(reset.Clocks), "clock"),
		reset.In))
	in, out, unused := tile.InputNames(t), tile.OutputNames(t, t.Idle()), tile.UnusedLines(t)
	for from, names := range [][]string{in, out} {
		for i, name := range names {
			line, note := transport.Lines[8*from+i], ""
			if slices.Contains(unused, line) {
				note = "unused"
			}
			table.Row(line, map[bool]string{true: name}[name != line], note)
		}
	}
	showBus(table, t)
	return table.Write(w)
}

func showProject(w *printable.Table, p *project.Project) {
	if p.Title != "" {
		w.Row("title", p.Title)
	}
	w.Row("described by", strings.Join(slices.DeleteFunc([]string{p.Info, p.TileFile},
		func(s string) bool { return s == "" }), ", "))
	w.Row("top module", p.Top)
	if len(p.Sources) > 0 {
		w.Row("sources", strings.Join(p.Paths(), ", "))
	}
	if p.ClockHz > 0 {
		w.Row("clock", fmt.Sprintf("%d Hz, as its author asks for", p.ClockHz))
	}
	if p.VectorDir != "" {
		w.Row("vectors", p.VectorDir)
	}
}

func showGates(w *printable.Table, t *Tile) {
	p, program := t.About, t.Design.Program()
	showProject(w, p)
	if t.RTL != nil {
		w.Row("gates", "of its RTL, by "+t.RTL.Yosys)
	} else {
		w.Row("gates", "of the netlist "+p.Netlist)
	}
	w.Row("reference", "its gates, SHA-256 "+t.Digest())
	if also := UnlistedFilesNote(t); also != "" {
		w.Row("files", also)
	}
	for _, doubt := range DoubtfulPoints(t) {
		w.Row("note", doubt)
	}
	w.Row("simulated as", fmt.Sprintf("%s, %s, %s, %s", printable.Count(program.FlopCount(), "flip-flop"),
		printable.Plural(program.LatchCount(), "latch", "latches"), printable.Count(program.OpCount(), "operation"),
		printable.Count(program.LoopCount(), "loop")))
	if len(t.Design.Macros) > 0 {
		w.Row("macros", strings.Trim(fmt.Sprint(t.Design.Macros), "[]")+
			": their outputs are unknown, and all else is judged")
	}
}

// showBus prints the direction of each line of uio.
func showBus(w *printable.Table, t tile.Tile) {
	may, always := uint8(0), uint8(0xFF)
	for in := range 256 {
		lines := t.Drives(transport.Step{In: uint8(in)})
		may, always = may|lines, always&lines
	}
	if own, is := t.(*Tile); is {
		may, always = own.DrivenUIO()
	}
	bare, is := t.(DescribedTile)
	unknown := is && bare.About.Outputs == nil
	unused := tile.UnusedLines(t)
	for i, name := range tile.BusNames(t) {
		who := "input"
		switch {
		case slices.Contains(unused, transport.Lines[transport.UIO+i]):
			who = "unused"
		case unknown:
			who = "input or output"
		case always>>i&1 != 0:
			who = "output"
		case may>>i&1 != 0:
			who = "input or output, as the design decides"
		}
		line := transport.Lines[transport.UIO+i]
		w.Row(line, map[bool]string{true: name}[name != line], who)
	}
}
