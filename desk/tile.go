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
	"utfbench/tile/gates"
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

	// Inspect opens a project without a reference: its Verilog is read, and nothing of it is executed.
	Inspect bool
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
	if p.Netlist != "" && n.Against != "none" {
		return n.openGates(p)
	}
	if n.Against.Gates() {
		return n.elaborate(ctx, p)
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
	t, err := open(ctx, p, in, n.Inspect)
	if err != nil {
		return nil, fmt.Errorf("--tile %s: %w", n.Where, verilogFault(ctx, err))
	}
	return t, nil
}

// openGates opens a tile by its netlist.
func (n *TileName) openGates(p *project.Project) (tile.Tile, error) {
	if kind, _ := n.Against.Kind(); kind == "verilog" || kind == "icarus" {
		return nil, failure.Usagef("--against %s: the reference of a netlist is its gates; give the folder of the "+
			"project with its sources", n.Against)
	}
	t, err := gates.Open(p)
	if err != nil {
		return nil, failure.Usage(fmt.Errorf("--tile: %w", err))
	}
	return t, nil
}

// elaborate opens a tile by the gates of its RTL.
func (n *TileName) elaborate(ctx context.Context, p *project.Project) (tile.Tile, error) {
	if n.Working != nil {
		defer n.Working("Yosys elaborates the tile")()
	}
	t, err := gates.Elaborate(ctx, p, n.Simulation.Defines, n.Simulation.Includes)
	if err != nil {
		return nil, fmt.Errorf("--tile %s: %w", n.Where, err)
	}
	return t, nil
}

// open opens a project's tile, or inspects it.
func open(ctx context.Context, p *project.Project, c Simulation, inspect bool) (tile.Tile, error) {
	if inspect {
		return rtl.Inspect(ctx, p, c)
	}
	return rtl.Open(ctx, p, c)
}

// CheckTile finds what is missing in a tile's description, what of the sources does not hold in silicon, and what acts
// on the machine that simulates them; nothing of a tile that is built in.
func CheckTile(t tile.Tile) ([]project.Finding, error) {
	own, is := t.(rtl.Inspected)
	if !is {
		if d, is := t.(project.Described); is {
			return d.About.Check()
		}
		return nil, nil
	}
	all, err := own.About.Check()
	for _, e := range own.Effects {
		all = append(all, project.Finding{File: e.File, Line: e.Line, What: e.What})
	}
	if slices.ContainsFunc(own.Files, func(f verilog.File) bool { return f.Kind == verilog.ModuleFile }) {
		all = append(all, project.Finding{File: own.About.Info, Line: own.About.Sources[0].Line, What: "source_files " +
			"does not list all modules: a chip is made of the files that it lists"})
	}
	return all, err
}

// AlsoRead says in one line which files of a tile's design its author does not list, and which cannot be named; "" for
// none.
func AlsoRead(t tile.Tile) string {
	var unlisted string
	var unnamed []string
	switch own := t.(type) {
	case rtl.Inspected:
		unlisted, unnamed = own.Unlisted(), own.Unnamed
	case *rtl.Tile:
		unlisted, unnamed = own.Unlisted(), own.Unnamed()
	}
	var parts []string
	if unlisted != "" {
		parts = append(parts, "read besides source_files: "+unlisted)
	}
	if len(unnamed) > 0 {
		parts = append(parts, "read while it runs, by names that the text does not say, and in no digest: "+
			strings.Join(unnamed, ", "))
	}
	return strings.Join(parts, "; ")
}

// ShowTile prints what is known of a tile, pin by pin.
func ShowTile(w io.Writer, t tile.Tile) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "tile\t%s\n", t.Name())
	switch own := t.(type) {
	case rtl.Inspected:
		showProject(table, own.About)
		fmt.Fprintf(table, "reference\tits own Verilog, SHA-256 %s\n", own.Digest)
		if also := AlsoRead(t); also != "" {
			fmt.Fprintf(table, "files\t%s\n", also)
		}
	case project.Described:
		showProject(table, own.About)
		fmt.Fprintf(table, "reference\tnone, as no simulator is installed\n")
	case *gates.Tile:
		showGates(table, own)
	default:
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

func showProject(w io.Writer, p *project.Project) {
	if p.Title != "" {
		fmt.Fprintf(w, "title\t%s\n", p.Title)
	}
	fmt.Fprintf(w, "described by\t%s\n", strings.Join(slices.DeleteFunc([]string{p.Info, p.Own},
		func(s string) bool { return s == "" }), ", "))
	fmt.Fprintf(w, "top module\t%s\n", p.Top)
	fmt.Fprintf(w, "sources\t%s\n", strings.Join(p.Paths(), ", "))
	if p.ClockHz > 0 {
		fmt.Fprintf(w, "clock\t%d Hz, as its author asks for\n", p.ClockHz)
	}
	if p.Vectors != "" {
		fmt.Fprintf(w, "vectors\t%s\n", p.Vectors)
	}
}

func showGates(w io.Writer, t *gates.Tile) {
	p, program := t.About, t.Design.Program()
	if p.Title != "" {
		fmt.Fprintf(w, "title\t%s\n", p.Title)
	}
	if t.Yosys != "" {
		fmt.Fprintf(w, "sources\t%s, by %s\n", strings.Join(p.Paths(), ", "), t.Yosys)
	} else {
		fmt.Fprintf(w, "netlist\t%s\n", p.Netlist)
	}
	fmt.Fprintf(w, "reference\tits gates, SHA-256 %s\n", t.Digest())
	fmt.Fprintf(w, "cells\t%d flip-flops, %d latches, %d operations, %d loops\n", program.Flops(),
		program.Latches(), program.Ops(), program.Loops())
	if len(t.Design.Macros) > 0 {
		fmt.Fprintf(w, "macros\t%s: their outputs are unknown\n", strings.Trim(fmt.Sprint(t.Design.Macros), "[]"))
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
	switch own := t.(type) {
	case rtl.Inspected:
		names = own.About.Short("uio")
		may, always = own.Driven()
	case project.Described:
		names = own.About.Short("uio")
	}
	if own, is := t.(*gates.Tile); is {
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
