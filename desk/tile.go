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
	"utfbench/tile/gates/yosys"
	"utfbench/tile/project"
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

	// Macros and folders of include files count for the tile's own Verilog as well.
	Simulation Simulation
	Working    func(what string) (done func()) // is told what takes seconds, until done is called; may be nil

	// Check opens a project of whose RTL nobody can make gates too: as an Unread.
	Check bool
}

// An Unread tile is a project without a reference, and why there is none.
type Unread struct {
	project.Described
	Why error
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
	switch {
	case err != nil:
		return nil, fmt.Errorf("--tile: %w; built in are %s", err, built)
	case n.Against == "none":
		return project.Described{About: p}, nil
	case p.Netlist != "":
		return n.openGates(p)
	}
	if _, err := yosys.Find(); err != nil && !n.Against.Explicit() {
		return Unread{project.Described{About: p}, err}, nil
	}
	t, err := n.elaborate(ctx, p)
	switch {
	case err == nil:
		return t, nil
	case ctx.Err() != nil:
		return nil, stopped(fmt.Errorf("stopped while Yosys was at work: nothing was asked of a chip yet"))
	case n.Check && failure.KindOf(err) == failure.User:
		return Unread{project.Described{About: p}, err}, nil
	}
	return nil, fmt.Errorf("--tile %s: %w", n.Where, err)
}

// openGates opens a tile by its netlist.
func (n *TileName) openGates(p *project.Project) (tile.Tile, error) {
	if n.Against.Explicit() {
		return nil, failure.Usagef("--against %s: the reference of a netlist is its gates; give the folder of the "+
			"project with its sources", n.Against)
	}
	t, err := gates.Open(p)
	if err != nil {
		return nil, failure.Usage(fmt.Errorf("--tile: %w", err))
	}
	return t, nil
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

// CheckTile finds what is missing in a tile's description, what of the sources does not hold in silicon, and what acts
// on the machine that simulates them; nothing of a tile that is built in.
func CheckTile(t tile.Tile) (all []project.Finding, err error) {
	var p *project.Project
	var read []string
	switch own := t.(type) {
	case Unread:
		p, read = own.About, own.About.Paths()
		all = append(all, project.Finding{File: p.Info, Line: 1, What: "it has no gates: " + own.Why.Error()})
	case project.Described:
		p = own.About
	case *gates.Tile:
		if p = own.About; own.RTL != nil {
			read = own.RTL.Read
		}
	default:
		return nil, nil
	}
	found, err := p.Check()
	if err != nil {
		return nil, err
	}
	effects, err := verilog.Effects(read)
	for _, e := range effects {
		found = append(found, project.Finding{File: e.File, Line: e.Line, What: e.What})
	}
	return append(all, found...), err
}

// AlsoRead says in one line which files of a tile's design its author does not list; "" for none.
func AlsoRead(t tile.Tile) string {
	if own, is := t.(*gates.Tile); is && own.RTL != nil && len(own.RTL.Unlisted) > 0 {
		return "read besides source_files: " + strings.Join(own.RTL.Unlisted, ", ")
	}
	return ""
}

// ShowTile prints what is known of a tile, pin by pin.
func ShowTile(w io.Writer, t tile.Tile) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "tile\t%s\n", t.Name())
	switch own := t.(type) {
	case Unread:
		showProject(table, own.About)
		fmt.Fprintf(table, "reference\tnone: %v\n", own.Why)
	case project.Described:
		showProject(table, own.About)
		fmt.Fprintf(table, "reference\tnone\n")
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
	if also := AlsoRead(t); also != "" {
		fmt.Fprintf(w, "files\t%s\n", also)
	}
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
	if about := ProjectOf(t); about != nil {
		names = about.Short("uio")
	}
	if own, is := t.(*gates.Tile); is {
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

// ProjectOf returns the project of a tile that is opened by one; nil for others.
func ProjectOf(t tile.Tile) *project.Project {
	switch own := t.(type) {
	case Unread:
		return own.About
	case project.Described:
		return own.About
	case *gates.Tile:
		return own.About
	}
	return nil
}
