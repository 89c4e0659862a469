package native

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/internal/printable"
	"utfbench/station"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/tile/gates/sim"
	"utfbench/tile/gates/yosys"
	"utfbench/tile/pack"
	"utfbench/tile/project"
	"utfbench/transport"
	"utfbench/transport/verilog"
)

// A TileName is a user's name of a tile.
type TileName struct {
	// one that is built in, by name; a project of Tiny Tapeout, by its folder or one of its two files (see
	// project.Open); or a design of a pack, FILE.pack:NAME
	Where   string
	Against station.Against

	// Macros and folders of include files count for the tile's own Verilog as well.
	Simulation station.Simulation
	Working    func(what string) (done func()) // is told what takes seconds, until done is called; may be nil

	// Check also opens a project whose RTL cannot be synthesised, without a reference.
	Check bool
}

// Open opens a tile. Whoever opens one calls tile.Done.
func (n *TileName) Open(ctx context.Context) (tile.Tile, error) {
	built := strings.Join(station.TileNames(), ", ")
	if own, is := station.BuiltIn(n.Where); is {
		return own, nil
	}
	if n.Where == "" {
		return nil, failure.Usagef("--tile: give the folder of a project, or one of %s", built)
	}
	where, err := unpacked(n.Where)
	if err != nil {
		return nil, fmt.Errorf("--tile: %w", err)
	}
	p, err := project.Open(where)
	switch {
	case err != nil && absent(where):
		return nil, fmt.Errorf("--tile: %w; built in are %s", err, built)
	case err != nil:
		return nil, fmt.Errorf("--tile: %w%s", err, meant(where))
	case n.Against == "none":
		return gates.Described{About: p}, nil
	case p.Netlist != "":
		return n.openGates(p)
	}
	if _, err := yosys.Find(); err != nil && !n.Against.Explicit() {
		return gates.Described{About: p, Why: err}, nil
	}
	t, err := n.elaborate(ctx, p)
	switch {
	case err == nil:
		return t, nil
	case ctx.Err() != nil:
		return nil, failure.New(failure.Interrupted, errors.New("stopped while Yosys was at work: no chip was reached"))
	case n.Check && failure.KindOf(err) == failure.User:
		return gates.Described{About: p, Why: err}, nil
	}
	return nil, fmt.Errorf("--tile %s: %w", n.Where, err)
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
		return "", failure.Usagef("%s is a pack: name one of its designs, as in %[1]s:tt_um_example; bench pack show "+
			"%[1]s lists them", where)
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
	kept, err := files.OpenCache("", "packs")
	if err != nil {
		return "", err
	}
	return p.Extract(d, kept)
}

// openGates opens a tile by its netlist.
func (n *TileName) openGates(p *project.Project) (tile.Tile, error) {
	if n.Against.Explicit() {
		return nil, failure.Usagef("--against %s: the reference of a netlist is its gates; give the folder of the "+
			"project with its sources", n.Against)
	}
	t, err := gates.Open(p)
	if err != nil {
		return nil, failure.Usage(fmt.Errorf("--tile: %w%s", err, meant(p.Netlist)))
	}
	return t, nil
}

// meant returns a hint at the project around a path, such as a source file.
func meant(path string) string {
	p := project.Around([]string{filepath.Join(path, "x")})
	if p == nil || p.Netlist != "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean --tile %s?)", p.Dir)
}

// elaborate opens a tile by the gates of its RTL, or of other files that --against names.
func (n *TileName) elaborate(ctx context.Context, p *project.Project) (*gates.Tile, error) {
	if files := n.Against.Files(); files != "" {
		p.Reference = strings.Split(files, ",")
	}
	if n.Working != nil {
		defer n.Working("Yosys reads the tile")()
	}
	return yosys.Open(ctx, p, n.Simulation.Defines, n.Simulation.Includes)
}

// CheckTile finds what is missing in a tile's description, what does not hold in silicon, and what affects the machine
// that simulates it; nothing for a built-in tile.
func CheckTile(ctx context.Context, t tile.Tile) (all []project.Finding, err error) {
	var p *project.Project
	var read []string
	switch own := t.(type) {
	case gates.Described:
		p, read = own.About, own.About.Paths()
		if own.Why != nil {
			all = append(all, ungated(p, own.Why))
		}
	case *gates.Tile:
		if p = own.About; own.RTL != nil {
			read = own.RTL.Read
			if all, err = surprises(own); err != nil {
				return nil, err
			}
		}
		driven, _ := own.Driven()
		all = append(all, p.Unused(driven&^own.Undriven("uio_oe"))...)
		all = append(all, p.Untouched(own.Unused())...)
	default:
		return nil, nil
	}
	found, err := p.Check()
	if err != nil {
		return nil, err
	}
	if len(all) > 0 && strings.Contains(all[0].What, "syntax error") { // the hints would be about other code
		found = slices.DeleteFunc(found, func(f project.Finding) bool { return f.File == all[0].File })
	}
	macros, err := unset(ctx, t, p)
	if err != nil {
		return nil, err
	}
	found = append(found, macros...)
	effects, err := verilog.Effects(read)
	for _, e := range effects {
		found = append(found, project.Finding{File: e.File, Line: e.Line, What: e.What})
	}
	all = append(all, found...)
	slices.SortStableFunc(all, func(a, b project.Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line)
	})
	return all, err
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
		for _, m := range own.RTL.Assumed {
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
	other, err := t.RTL.With(ctx, macros)
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

// surprises finds outputs without a driver, signals with several, registers that neither a reset nor data reach, and
// latches.
func surprises(t *gates.Tile) (all []project.Finding, err error) {
	all = slices.Clone(t.RTL.Undriven)
	file, line := t.About.PlaceOfTop()
	for i, port := range []string{"uo_out", "uio_out", "uio_oe"} {
		if lines := transport.Outputs(t.Undriven(port)) << min(8*i, 8); lines != 0 && t.RTL.Undriven == nil {
			what := fmt.Sprintf("nothing drives %s of %s: assign every output of the top module, unused ones to 0",
				port, lines)
			all = append(all, project.Finding{File: file, Line: line, What: what})
		}
	}
	add := func(p sim.Part, what string) {
		file, line := placeOf(t, p)
		all = append(all, project.Finding{File: file, Line: line, What: p.Name + what})
	}
	rivals := t.Rivals()
	for _, p := range rivals {
		add(p, " is driven from another place, too, so its level is unknown where they differ: assign it in one block")
	}
	parts, err := t.Unset()
	for _, p := range parts {
		if !slices.ContainsFunc(rivals, func(r sim.Part) bool { return r.Name == p.Name }) {
			add(p, " is never reset, nor set by random steps: it starts from an unknown value")
		}
	}
	for _, p := range t.Latches() {
		if err == nil && p.File != "" {
			var latch []project.Finding
			latch, err = project.Latch(p.Name, p.File, p.Line)
			all = append(all, latch...)
		}
	}
	return all, err
}

// placeOf returns the place of a part; of a memory, which Yosys gives none, its declaration.
func placeOf(t *gates.Tile, p sim.Part) (file string, line int) {
	if p.File == "" {
		return t.About.PlaceOf(p.Name)
	}
	return p.File, p.Line
}

// Unreset says which registers of a tile by its RTL have no reset, if outputs are unknown for this reason; "" if none
// are. It leaves registers that nothing sets to CheckTile.
func Unreset(t tile.Tile) (string, error) {
	own, is := t.(*gates.Tile)
	if !is || own.RTL == nil {
		return "", nil
	}
	never, err := own.Unset()
	if err != nil || len(never) > 0 {
		return "", err
	}
	parts, lines, err := own.Unreset()
	if err != nil || lines == 0 {
		return "", err
	}
	var names []string
	for _, p := range parts {
		names = append(names, p.Name)
	}
	return fmt.Sprintf("note: %s no reset (%s), so after a reset %s may be unknown until the design sets them",
		printable.Plural(len(names), "register has", "registers have"), firstOf(names), lines), nil
}

// ShowTile prints a tile, pin by pin.
func ShowTile(w io.Writer, t tile.Tile) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "tile\t%s\n", t.Name())
	switch own := t.(type) {
	case gates.Described:
		showProject(table, own.About)
		reference := "none"
		if own.Why != nil {
			reference += ": " + own.Why.Error()
		}
		fmt.Fprintf(table, "reference\t%s\n", reference)
	case *gates.Tile:
		showGates(table, own)
	default:
		revisions := strings.Join(tile.Revisions(t), ", ")
		if revisions != "" {
			revisions = ", revisions " + revisions
		}
		fmt.Fprintf(table, "reference\tthe model in this program%s\n", revisions)
	}
	reset := tile.Reset(t)
	level := map[bool]string{true: "low", false: "high"}[reset.Reset]
	fmt.Fprintf(table, "reset\trst_n %s for %s, ui %02X\n", level,
		printable.Count(int(reset.Clocks), "clock"), reset.In)
	in, out, unused := tile.InNames(t), tile.OutNames(t, t.Idle()), tile.Unused(t)
	for from, names := range [][]string{in, out} {
		for i, name := range names {
			line, note := transport.Lines[8*from+i], ""
			if slices.Contains(unused, line) {
				note = "\tunused"
			}
			fmt.Fprintf(table, "%s\t%s%s\n", line, name, note)
		}
	}
	showBus(table, t)
	return table.Flush()
}

func showProject(w io.Writer, p *project.Project) {
	if p.Title != "" {
		fmt.Fprintf(w, "title\t%s\n", p.Title)
	}
	fmt.Fprintf(w, "described by\t%s\n", strings.Join(slices.DeleteFunc([]string{p.Info, p.Own},
		func(s string) bool { return s == "" }), ", "))
	fmt.Fprintf(w, "top module\t%s\n", p.Top)
	if len(p.Sources) > 0 {
		fmt.Fprintf(w, "sources\t%s\n", strings.Join(p.Paths(), ", "))
	}
	if p.ClockHz > 0 {
		fmt.Fprintf(w, "clock\t%d Hz, as its author asks for\n", p.ClockHz)
	}
	if p.Vectors != "" {
		fmt.Fprintf(w, "vectors\t%s\n", p.Vectors)
	}
}

func showGates(w io.Writer, t *gates.Tile) {
	p, program := t.About, t.Design.Program()
	showProject(w, p)
	if t.RTL != nil {
		fmt.Fprintf(w, "gates\tof its RTL, by %s\n", t.RTL.Yosys)
	} else {
		fmt.Fprintf(w, "gates\tof the netlist %s\n", p.Netlist)
	}
	fmt.Fprintf(w, "reference\tits gates, SHA-256 %s\n", t.Digest())
	if also := station.AlsoRead(t); also != "" {
		fmt.Fprintf(w, "files\t%s\n", also)
	}
	for _, doubt := range station.Doubts(t) {
		fmt.Fprintf(w, "note\t%s\n", doubt)
	}
	fmt.Fprintf(w, "simulation\t%d flip-flops, %d latches, %d operations, %d loops\n", program.Flops(),
		program.Latches(), program.Ops(), program.Loops())
	if names, err := t.Oscillating(); err == nil && len(names) > 0 {
		fmt.Fprintf(w, "oscillating\t%s: unknown at steps at which it does not settle\n", firstOf(names))
	}
	if len(t.Design.Macros) > 0 {
		fmt.Fprintf(w, "macros\t%s: their outputs are unknown\n", strings.Trim(fmt.Sprint(t.Design.Macros), "[]"))
	}
}

// firstOf lists a few names, and says how many more there are.
func firstOf(names []string) string {
	const few = 4
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
}

// showBus prints the driver of each line of uio.
func showBus(w io.Writer, t tile.Tile) {
	may, always := uint8(0), uint8(0xFF)
	for in := range 256 {
		lines := t.Drives(transport.Step{In: uint8(in)})
		may, always = may|lines, always&lines
	}
	if own, is := t.(*gates.Tile); is {
		may, always = own.Driven()
	}
	bare, is := t.(gates.Described)
	unknown := is && bare.About.Outputs == nil
	unused := tile.Unused(t)
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
		fmt.Fprintf(w, "uio%d\t%s\t%s\n", i, name, who)
	}
}
