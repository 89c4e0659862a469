package desk

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"utfbench/boards"
	"utfbench/internal/failure"
	"utfbench/tile"
	"utfbench/tile/project"
	"utfbench/transport"
	"utfbench/transport/gpio"
	"utfbench/transport/mock"
	"utfbench/transport/netlist"
	"utfbench/transport/verilog"
)

// A Kind of transport.
type Kind struct {
	Name    string // KIND of KIND[:WHERE]
	Board   string // if the user names none; "" if the transport finds out itself
	Wires   bool   // between bench and chip, so that they may be at fault, and another design may answer
	Several bool   // may be opened several times

	// Open opens the transport at WHERE. The chip has its board (nil if neither Kind nor the user names one), its
	// revision and its faults; Open adds what else becomes known of it.
	Open func(ctx context.Context, t *Target, where string, c *Chip) (transport.Transport, error)
}

// Kinds are the transports: the one list to add to.
func Kinds() []Kind {
	return []Kind{
		{"mock", "mock", false, true, openMock},
		{"rp2040", "", true, false, openRP2040},
		{"gpio", "rpi", true, false, openGPIO},
		{"verilog", "verilog", false, true, openVerilog},
		{"netlist", "netlist", false, true, openNetlist},
		{"replay", "", false, false, openReplay},
		{"lab", "", false, false, openLab},
	}
}

// KindNames are the names of Kinds.
func KindNames() []string { return names(Kinds()) }

func names(kinds []Kind) (all []string) {
	for _, k := range kinds {
		all = append(all, k.Name)
	}
	return all
}

// Simulators are the values for Target.Simulation.Simulator.
func Simulators() []string { return verilog.Simulators() }

// InstalledSimulators lists the simulators that this machine has, by the commands that start them.
func InstalledSimulators() []string { return verilog.Installed() }

// Simulated says whether a transport, by the name that a run has of it, is a simulation of a design, in which there are
// no wires. The mock has wires.
func Simulated(transport string) bool {
	kind, _, _ := strings.Cut(transport, ":")
	return kind == "verilog" || kind == "netlist"
}

// CheckBoard finds those mistakes in a board's file that only its transport can know. Its errors are bad input.
func CheckBoard(b *boards.Board) error {
	switch {
	case !slices.Contains(KindNames(), b.Transport):
		return failure.Usagef("%s: unknown transport %q: allowed are %s", b.File, b.Transport,
			strings.Join(KindNames(), ", "))
	case b.Transport == "gpio" && b.Chips == nil:
		return failure.Usagef("%s: no chip: a board for gpio names the label of its GPIO chip, `chip: LABEL`; "+
			"gpiodetect lists labels", b.File)
	case b.Transport == "rp2040":
		_, _, err := b.GPIO()
		return err
	}
	return nil
}

// openMock opens a chip in memory; WHERE is its revision, which need not be the one to compare with.
func openMock(_ context.Context, t *Target, where string, c *Chip) (transport.Transport, error) {
	own := c.Tile
	if where != "" {
		var ok bool
		if own, ok = tile.ByRevision(own, where); !ok {
			return nil, failure.Usagef("transport mock:%s: after mock: comes a revision of the chip, %s", where,
				strings.Join(tile.Revisions(t.Tile), " or "))
		}
	}
	if _, silent := own.New().(tile.Silent); silent {
		return nil, failure.Usagef("transport mock: the mock is the tile's own reference, of which there is none " +
			"here: -t verilog simulates the sources")
	}
	c.Asked.Design = own.Revision()
	if c.acted == nil {
		c.acted = new(atomic.Bool) // of all mocks of a run
	}
	return mock.Open(mock.Config{Tile: own, Faults: c.Faults, Seed: c.Seed, Acted: c.acted}), nil
}

// Guard makes a program able to guard a chip at GPIO lines; see [gpio.Guard]. Call it first in main, and return from
// main if it returns true.
func Guard() bool { return gpio.Guard() }

// openGPIO opens a chip at GPIO lines; WHERE is the back-end, or nothing for the best one.
func openGPIO(_ context.Context, t *Target, where string, c *Chip) (transport.Transport, error) {
	if err := t.checkTimes(gpio.Longest); err != nil {
		return nil, err
	}
	tr, err := gpio.Open(gpio.Config{Backend: where, Chips: c.Board.Chips, Pins: c.Board.Names(),
		Settle: t.Settle, Pulse: t.Pulse})
	if err == nil {
		return tr, nil
	}
	err = fmt.Errorf("transport %s: %w", t.Transport, err)
	return nil, err
}

// openVerilog simulates a design; WHERE is its files, with commas between them.
func openVerilog(ctx context.Context, t *Target, where string, chip *Chip) (transport.Transport, error) {
	c := t.Simulation
	c.Working = t.Working
	c.Sources = slices.DeleteFunc(strings.Split(where, ","), func(file string) bool { return file == "" })
	if own := ProjectOf(t.Tile); own != nil {
		c = t.exactly(c)
		if len(c.Sources) == 0 {
			c = Config(own, c)
		} else {
			c = like(c, own)
		}
	}
	if len(c.Sources) == 0 {
		return nil, failure.Usagef("transport verilog needs the design's files, as in -t " +
			"verilog:src/project.v,src/utf8.v")
	}
	started, done := time.Now(), t.working("reading the design")
	tr, err := verilog.Open(ctx, c)
	done()
	if err == nil {
		chip.Asked.Design, chip.Asked.Sources = tr.Design()
		if also := verilog.Unlisted(tr.Files(), c.Sources); also != "" && where != "" {
			chip.Notes = append(chip.Notes, "read for the simulation besides the files that were named: "+also)
		}
		return tr, nil
	}
	if errors.Is(err, context.Canceled) {
		took := time.Since(started).Round(time.Second)
		return nil, stopped(fmt.Errorf("stopped after %s while the design was compiled: nothing was asked of it yet",
			took))
	}
	return nil, verilogFault(ctx, err)
}

// Config is how the sources of a project are simulated. What a user said of the simulation is in c: its macros and
// folders are added to the project's.
func Config(p *project.Project, c verilog.Config) verilog.Config {
	c.Sources, c.Top, c.Dir = p.Paths(), p.Top, p.Data
	c.Defines = slices.Concat(p.Defines, c.Defines)
	c.Includes = slices.Concat(p.SourceFolders(), p.Include, c.Includes)
	return c
}

// like gives a simulation of other files the macros and the working folder of the tile's own.
func like(c verilog.Config, p *project.Project) verilog.Config {
	c.Dir = p.Data
	c.Defines = append(slices.Clone(p.Defines), c.Defines...)
	return c
}

// openNetlist opens a chip by its gates; WHERE is its netlist.
func openNetlist(_ context.Context, t *Target, where string, c *Chip) (transport.Transport, error) {
	if where == "" {
		return nil, failure.Usagef("transport netlist needs a netlist, as in -t netlist:tt_um_example.v")
	}
	faults, err := netlist.ParseFaults(t.Faults)
	if err != nil {
		return nil, failure.Usage(err)
	}
	tr, err := netlist.Open(netlist.Config{File: where, Faults: faults, Seed: t.Seed})
	if err != nil {
		return nil, failure.Usage(fmt.Errorf("transport netlist: %w", err))
	}
	c.Asked.Design, c.Asked.Faults = tile.OfGates+tr.Digest()[:10], netlist.Describe(faults)
	c.Notes = append(c.Notes, fmt.Sprintf("seed %d: lines that nobody drives have the fate %s", t.Seed, tr.Fate()))
	return tr, nil
}

// exactly takes Verilator where the user leaves it to the bench: it knows no X, as a chip does not. What a simulation
// makes of an X may be wrong in both ways, and a tile by its Verilog has no vectors that were made with that in mind.
func (t *Target) exactly(c verilog.Config) verilog.Config {
	if c.Simulator == verilog.Simulators()[0] && slices.Contains(verilog.Installed(), "verilator") {
		c.Simulator = "verilator"
	}
	return c
}

// verilogFault is an error of a simulation, or that the user stopped it.
func verilogFault(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return stopped(fmt.Errorf("stopped while the design was compiled: nothing was asked of it yet"))
	}
	return err
}

// working tells the user what takes seconds, if Target.Working is set.
func (t *Target) working(what string) (done func()) {
	if t.Working == nil {
		return func() {}
	}
	return t.Working(what)
}
