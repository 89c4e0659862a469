package desk

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"utfbench/internal/failure"
	"utfbench/tile"
	"utfbench/tile/factory"
	"utfbench/tile/project"
	"utfbench/tile/rtl"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/verilog"
)

// A Simulation is what a user says of a Verilog design.
type Simulation = verilog.Config

// builtIn are the tiles that have a model in this program, by name.
var builtIn = []tile.Tile{utf.TT09, factory.Tile{}}

// TileNames are the tiles that are opened by name.
func TileNames() (all []string) {
	for _, t := range builtIn {
		all = append(all, t.Name())
	}
	return all
}

// A TileName is what a user says of a tile.
type TileName struct {
	// one that is built in, by name, or a project of Tiny Tapeout, by its folder or one of its two files (see
	// project.Open)
	Where   string
	Against Against

	// What a user says of a simulation counts for the tile's own Verilog, and for the reference, as well.
	Simulation Simulation
	Working    func(what string) (done func()) // is told what takes seconds, until done is called; may be nil
}

// Open opens a tile. Whoever opens one calls tile.Done.
func (n *TileName) Open(ctx context.Context) (tile.Tile, error) {
	built := strings.Join(TileNames(), ", ")
	if i := slices.Index(TileNames(), n.Where); i >= 0 {
		return builtIn[i], nil
	}
	if n.Where == "" {
		return nil, failure.Usagef("--tile: give the folder of a project, or one of %s", built)
	}
	p, err := project.Open(n.Where)
	if err != nil {
		return nil, fmt.Errorf("--tile: %w; built in are %s", err, built)
	}
	files, simulator, simulated := n.Against.Verilog()
	if !simulated && (n.Against == "none" || len(verilog.Installed()) == 0) {
		return project.Described{About: p}, nil
	}
	if files != "" {
		p.Reference = strings.Split(files, ",")
	}
	if n.Working != nil {
		defer n.Working("reading the tile")()
	}
	in := n.Simulation
	in.Simulator, in.Working = simulator, n.Working
	t, err := rtl.Open(ctx, p, in)
	if err != nil {
		return nil, fmt.Errorf("--tile %s: %w", n.Where, verilogFault(ctx, err))
	}
	return t, nil
}

// CheckTile finds what is missing in a tile's description, and what of its sources does not hold in silicon; nothing of
// a tile that is built in.
func CheckTile(t tile.Tile) ([]project.Finding, error) {
	if own, is := t.(*rtl.Tile); is {
		return own.About.Check()
	}
	return nil, nil
}

// ShowTile prints what is known of a tile, pin by pin.
func ShowTile(w io.Writer, t tile.Tile) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "tile\t%s\n", t.Name())
	if own, is := t.(*rtl.Tile); is {
		showProject(table, own)
	} else {
		fmt.Fprintf(table, "reference\tthe model in this program, revisions %s\n",
			strings.Join(tile.Revisions(t), ", "))
	}
	reset := tile.Reset(t)
	level := map[bool]string{true: "low", false: "high"}[reset.Reset]
	fmt.Fprintf(table, "reset\trst_n %s for %d clocks, ui %02X\n", level, reset.Clocks, reset.In)
	in, out := tile.InNames(t), tile.OutNames(t, t.Idle())
	for i := range 8 {
		fmt.Fprintf(table, "ui%d\t%s\n", i, in[i])
	}
	for i := range 8 {
		fmt.Fprintf(table, "uo%d\t%s\n", i, out[i])
	}
	showBus(table, t)
	return table.Flush()
}

func showProject(w io.Writer, t *rtl.Tile) {
	p := t.About
	if p.Title != "" {
		fmt.Fprintf(w, "title\t%s\n", p.Title)
	}
	fmt.Fprintf(w, "described by\t%s\n", strings.Join(slices.DeleteFunc([]string{p.Info, p.Own},
		func(s string) bool { return s == "" }), ", "))
	fmt.Fprintf(w, "top module\t%s\n", p.Top)
	fmt.Fprintf(w, "sources\t%s\n", strings.Join(p.Paths(), ", "))
	fmt.Fprintf(w, "reference\tits own Verilog, SHA-256 %s\n", t.Digest())
	if p.ClockHz > 0 {
		fmt.Fprintf(w, "clock\t%d Hz, as its author asks for\n", p.ClockHz)
	}
	if p.Vectors != "" {
		fmt.Fprintf(w, "vectors\t%s\n", p.Vectors)
	}
}

// showBus says of each line of uio who drives it.
func showBus(w io.Writer, t tile.Tile) {
	names := transport.Lines[transport.UIO : transport.UIO+8]
	may, always := uint8(0), uint8(0xFF)
	for in := range 256 {
		lines := t.Drives(transport.Step{In: uint8(in)})
		may, always = may|lines, always&lines
	}
	if own, is := t.(*rtl.Tile); is {
		names = own.About.Short("uio")
		may, always = own.Driven()
	}
	for i, name := range names {
		who := "input"
		switch {
		case always>>i&1 != 0:
			who = "output"
		case may>>i&1 != 0:
			who = "input or output, as the design has it"
		}
		fmt.Fprintf(w, "uio%d\t%s\t%s\n", i, name, who)
	}
}
