package native

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"utfbench/driver"
	"utfbench/internal/failure"
	"utfbench/runs/report"
	"utfbench/station"
	"utfbench/tile/gates"
	"utfbench/transport"
	"utfbench/transport/verilog"
)

// Verilog returns the kind of a simulated design.
func Verilog() station.Kind {
	return station.Kind{Name: report.Verilog, DefaultBoard: "verilog", Reopenable: true, Simulated: true,
		RunsForeignCode: true, Open: openVerilog, Options: []string{"insist", "simulator", "define"}}
}

// InstalledSimulators returns the commands of the simulators that are installed.
func InstalledSimulators() []string { return verilog.InstalledCommands() }

// shortNames lists files by their paths if they are below the working directory, and otherwise by the last folder and
// their names, since other folders differ between machines.
func shortNames(paths []string) string {
	var names []string
	for _, path := range paths[:min(len(paths), 3)] {
		if !filepath.IsLocal(path) {
			path = filepath.Join(filepath.Base(filepath.Dir(path)), filepath.Base(path))
		}
		names = append(names, filepath.ToSlash(path))
	}
	text := strings.Join(names, ",")
	if more := len(paths) - len(names); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// openVerilog simulates a design. WHERE lists its files, separated by commas.
func openVerilog(ctx context.Context, t *station.Target, where string, c *station.Chip) (transport.Transport, error) {
	in := configOf(t, slices.DeleteFunc(strings.Split(where, ","), func(file string) bool { return file == "" }))
	if len(in.Sources) == 0 && t.TileName != "" {
		return nil, failure.Usagef("transport verilog: --tile %s has gates but no Verilog sources: -t netlist "+
			"simulates the gates, -t verilog:src/project.v sources", t.TileName)
	}
	if len(in.Sources) == 0 {
		return nil, failure.Usagef("transport verilog needs the design's files, as in -t " +
			"verilog:src/project.v,src/utf8.v")
	}
	if where != "" {
		in.GivenSources = shortNames(in.Sources)
	}
	started, done := time.Now(), t.StartActivity("reading the design")
	tr, err := verilog.Open(ctx, in)
	done()
	switch {
	case err == nil:
	case errors.Is(err, context.Canceled):
		return nil, failure.New(failure.Interrupted, fmt.Errorf("stopped after %s while the design was compiled: "+
			"no vector was run", time.Since(started).Round(time.Second)))
	default:
		return nil, err
	}
	c.Info.Design, c.Info.Sources = tr.Design()
	if err := t.CheckModule(tr.Top(), in.Sources...); err != nil {
		tr.Close()
		return nil, err
	}
	if also := verilog.UnlistedNote(tr.Files(), in.Sources); also != "" && where != "" {
		c.Notes = append(c.Notes, "read for the simulation besides the files that were named: "+also)
	}
	c.OpenTwin = func(ctx context.Context, of *gates.Tile) (*driver.Twin, error) { return openTwin(ctx, t, of, tr) }
	return tr, nil
}

// openTwin simulates the RTL of a tile with a chip's simulator unless the chip is itself that simulation.
func openTwin(ctx context.Context, t *station.Target, of *gates.Tile, chip *verilog.Transport) (*driver.Twin, error) {
	in := configOf(t, nil)
	in.Simulator = chip.Simulator()
	sim, err := verilog.Open(ctx, in)
	switch {
	case ctx.Err() != nil:
		return nil, err
	case err != nil: // only the gates judge
		return new(driver.Twin), nil
	}
	if sim.SameSources(chip) {
		return &driver.Twin{IsChip: true}, sim.Close()
	}
	return &driver.Twin{Transport: sim}, nil
}

// configOf returns the configuration that simulates sources, by default the tile's own, with its macros and folders.
func configOf(t *station.Target, sources []string) verilog.Config {
	u := &t.Simulation
	c := verilog.Config{Sources: sources, Simulator: u.Simulator, Defines: u.Defines, ShowActivity: t.ShowActivity}
	p := gates.ProjectOf(t.Tile)
	if p == nil {
		for _, file := range sources {
			c.Includes = distinct(c.Includes, []string{filepath.Dir(file)})
		}
		return c
	}
	c.Simulator = exactly(c.Simulator)
	c.Reset = new(p.ResetStep())
	c.Defines = slices.Concat(p.Defines, c.Defines)
	if len(sources) == 0 {
		c.Sources, c.Top = p.Paths(), p.Top
	}
	// include files and data are found where the reference finds them and beside sources that the user names
	var beside []string
	for _, file := range c.Sources {
		beside = append(beside, filepath.Dir(file))
	}
	c.Includes = distinct(beside, p.SourceFolders(), p.IncludeDirs)
	c.WorkingDirs = distinct(beside, p.SourceFolders(), []string{""})
	if p.DataDir != "" {
		c.WorkingDirs = distinct([]string{p.DataDir}, c.WorkingDirs)
	}
	return c
}

// distinct returns the values of several lists in order, without duplicates.
func distinct(lists ...[]string) (all []string) {
	for _, value := range slices.Concat(lists...) {
		if !slices.Contains(all, value) {
			all = append(all, value)
		}
	}
	return all
}

// exactly replaces the simulator auto with Verilator if that is installed. Like a chip, Verilator has no X.
func exactly(simulator string) string {
	if simulator == verilog.Simulators()[0] && slices.Contains(verilog.InstalledCommands(), "verilator") {
		return "verilator"
	}
	return simulator
}
