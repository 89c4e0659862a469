package native

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/station"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/tile/gates/yosys"
	"utfbench/tile/pack"
	"utfbench/tile/project"
	"utfbench/transport"
)

// openTile opens the tile of a target that is not built in: a project of Tiny Tapeout, by its folder or one of its two
// files (see project.Open), or a design of a pack, FILE.pack:NAME. The user's macros apply to the tile's own Verilog,
// too.
func openTile(ctx context.Context, of *station.Target) (tile.Tile, error) {
	built := strings.Join(station.TileNames(), ", ")
	if of.TileName == "" {
		return nil, failure.Usagef("--tile: give the folder of a project, or one of %s", built)
	}
	where, err := unpacked(of.TileName)
	if err != nil {
		return nil, fmt.Errorf("--tile: %w", err)
	}
	p, err := project.Open(where)
	switch {
	case err != nil && absent(where):
		return nil, fmt.Errorf("--tile: %w; built in are %s", err, built)
	case err != nil:
		return nil, fmt.Errorf("--tile: %w%s", err, meant(where))
	case of.Against == "none":
		return gates.Described{About: p}, nil
	case p.Netlist != "":
		return openGates(p, of.Against)
	}
	if _, err := yosys.Find(); err != nil && !of.Against.Gates() {
		return gates.Described{About: p, Reason: err}, nil
	}
	t, err := elaborate(ctx, p, of)
	switch {
	case err == nil:
		return t, nil
	case ctx.Err() != nil:
		return nil, failure.New(failure.Interrupted, errors.New("stopped while Yosys was at work: no chip was reached"))
	case of.WithoutGates && failure.KindOf(err) == failure.User:
		return gates.Described{About: p, Reason: err}, nil
	}
	if of.Against.Files() != "" {
		return nil, fmt.Errorf("--against %s: %w", of.Against, err)
	}
	return nil, fmt.Errorf("--tile %s: %w", of.TileName, err)
}

// absent reports whether nothing has this path, so that a tile's name may have been meant.
func absent(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// packed separates the name of a pack from a design: tt09.pack:tt_um_example.
const packed = ".pack:"

// unpacked returns where a tile is. A design of a pack is put into the user's cache.
func unpacked(where string) (string, error) {
	if strings.HasSuffix(where, strings.TrimSuffix(packed, ":")) {
		return "", failure.Usagef("%s is a pack: name one of its designs, as in %[1]s:tt_um_example; bench shuttle "+
			"show %[1]s lists them", where)
	}
	i := strings.LastIndex(where, packed)
	if i < 0 {
		return where, nil
	}
	p, err := pack.Open(where[:i+len(packed)-1])
	if err != nil {
		return "", err
	}
	defer p.Close()
	d, err := p.Find(where[i+len(packed):])
	if err != nil {
		return "", err
	}
	return p.Extract(d, "")
}

// openGates opens a tile by its netlist.
func openGates(p *project.Project, against station.Against) (tile.Tile, error) {
	if against.Gates() {
		return nil, failure.Usagef("--against %s: the reference of a netlist is its gates; give the folder of the "+
			"project with its sources", against)
	}
	t, err := gates.Open(p)
	if err != nil {
		return nil, failure.Usage(fmt.Errorf("--tile: %w%s", err, meant(p.Netlist)))
	}
	return t, nil
}

// meant returns a hint at the project around a path, such as a source file.
func meant(path string) string {
	p := project.FromSources([]string{filepath.Join(path, "x")})
	if p == nil || p.Netlist != "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean --tile %s?)", p.Dir)
}

// elaborate opens a tile by the gates of its RTL, or of other files that --against names.
func elaborate(ctx context.Context, p *project.Project, of *station.Target) (*gates.Tile, error) {
	if files := of.Against.Files(); files != "" {
		p.Reference = strings.Split(files, ",")
		for _, file := range p.Reference {
			if _, err := os.Stat(file); err != nil {
				return nil, failure.Usage(err)
			}
		}
	}
	defer of.StartActivity("Yosys reads the tile")()
	return yosys.Open(ctx, p, of.Simulation.Defines)
}

// ShowTile prints a tile, pin by pin.
func ShowTile(w io.Writer, t tile.Tile) error {
	table := printable.NewTable()
	table.Row("tile", t.Name())
	switch own := t.(type) {
	case gates.Described:
		showProject(table, own.About)
		reference := "none"
		if own.Reason != nil {
			reference += ": " + own.Reason.Error()
		}
		table.Row("reference", reference)
	case *gates.Tile:
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
	in, out, unused := tile.InputNames(t), tile.OutputNames(t, t.Idle()), tile.Unused(t)
	for from, names := range [][]string{in, out} {
		for i, name := range names {
			line, note := transport.Lines[8*from+i], ""
			if slices.Contains(unused, line) {
				note = "unused"
			}
			table.Row(line, ownName(name, line), note)
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
	if p.Vectors != "" {
		w.Row("vectors", p.Vectors)
	}
}

func showGates(w *printable.Table, t *gates.Tile) {
	p, program := t.About, t.Design.Program()
	showProject(w, p)
	if t.RTL != nil {
		w.Row("gates", "of its RTL, by "+t.RTL.Yosys)
	} else {
		w.Row("gates", "of the netlist "+p.Netlist)
	}
	w.Row("reference", "its gates, SHA-256 "+t.Digest())
	if also := gates.UnlistedFilesNote(t); also != "" {
		w.Row("files", also)
	}
	for _, doubt := range gates.DoubtfulPoints(t) {
		w.Row("note", doubt)
	}
	w.Row("simulated as", fmt.Sprintf("%s, %s, %s, %s", printable.Count(program.Flops(), "flip-flop"),
		printable.Plural(program.Latches(), "latch", "latches"), printable.Count(program.Ops(), "operation"),
		printable.Count(program.Loops(), "loop")))
	if names, err := t.Oscillating(); err == nil && len(names) > 0 {
		w.Row("oscillating", printable.ListAtMost(names, few)+": unknown at steps at which it does not settle")
	}
	if len(t.Design.Macros) > 0 {
		w.Row("macros", strings.Trim(fmt.Sprint(t.Design.Macros), "[]")+
			": their outputs are unknown, and all else is judged")
	}
}

// few is the maximum number of nets or registers named in a line.
const few = 4

// showBus prints the driver of each line of uio.
func showBus(w *printable.Table, t tile.Tile) {
	may, always, omitted := uint8(0), uint8(0xFF), uint8(0)
	for in := range 256 {
		lines := t.Drives(transport.Step{In: uint8(in)})
		may, always = may|lines, always&lines
	}
	if own, is := t.(*gates.Tile); is {
		may, always = own.DrivenUIO()
		omitted, _ = own.OmittedLines() // an error is the check's to report
	}
	bare, is := t.(gates.Described)
	unknown := is && bare.About.Outputs == nil
	unused := tile.Unused(t)
	for i, name := range tile.BusNames(t) {
		who := "input"
		switch {
		case slices.Contains(unused, transport.Lines[transport.UIO+i]):
			who = "unused"
		case omitted>>i&1 != 0:
			who = "output, which uio_outputs lacks"
		case unknown:
			who = "input or output"
		case always>>i&1 != 0:
			who = "output"
		case may>>i&1 != 0:
			who = "input or output, as the design decides"
		}
		line := transport.Lines[transport.UIO+i]
		w.Row(line, ownName(name, line), who)
	}
}

// ownName returns the author's name of a line, or "" without one.
func ownName(name, line string) string {
	if name == line {
		return ""
	}
	return name
}
