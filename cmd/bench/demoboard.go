package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"utfbench/boards"
	"utfbench/model"
	"utfbench/transport"
	"utfbench/transport/rp2040"
	"utfbench/transport/rp2040/ports"
)

// demoFlags are the flags of the transport rp2040.
type demoFlags struct {
	port, design string
	patience     time.Duration
}

func (o *demoFlags) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.port, "port", "", "serial port of an rp2040 board: device, VID:PID:SERIAL or serial number (default: the only board; see bench ports)")
	f.DurationVar(&o.patience, "patience", rp2040.DefaultPatience, "for an answer of an rp2040 board; without one the run ends in ERROR")
	f.StringVar(&o.design, "design", "", "design to select on the shuttle's chip, by name or number; none leaves it alone (default: "+project+")")
}

// project is the chip's name on the shuttles that carry it.
const project = "tt_um_rebeccargb_hardware_utf8"

// numbers of the chip on shuttles' muxes, from the shuttles' pages at tinytapeout.com; TT08's was not found. The SDK knows them.
var numbers = map[string]int{"tt09": 897, "ttsky25b": 140, "ttsky26a": 905}

// A demoBoard is a board with MicroPython at its raw REPL, and what is known of it.
type demoBoard struct {
	*rp2040.Console
	port  string
	wait  time.Duration // for an answer of the step program
	facts *rp2040.Facts
	board *boards.Board // nil when neither the user nor the board says which it is
	pins  map[string]int
	high  []int
	mux   *rp2040.Mux // nil when the bench does not reach it
	rom   *rp2040.ROM // nil when the chip has none that was read
	notes []string
}

func (d *demoBoard) note(format string, args ...any) {
	d.notes = append(d.notes, fmt.Sprintf(format, args...))
}

// openRP2040 opens a board at a serial port; WHERE is the port.
func (t *target) openRP2040(ctx context.Context, where string, c *chip) (transport.Transport, error) {
	if err := t.times.check(rp2040.Longest); err != nil {
		return nil, err
	}
	d, err := t.demo.dial(ctx, where)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	for _, l := range d.layers(t, c) {
		if err := l.pass(ctx); err != nil {
			return nil, err
		}
	}
	c.notes, c.firmware = d.notes, d.facts.Machine+", MicroPython "+d.facts.Firmware
	if d.rom != nil {
		c.rom = fmt.Sprintf("%s, %s, commit %s", d.rom.Shuttle, cmp.Or(d.rom.Repo, "no repository"), cmp.Or(d.rom.Commit, "unknown"))
	}
	return c.Transport, nil
}

// A layer lies between the REPL and the chip; each stands on the one before.
type layer struct {
	name string
	pass func(context.Context) error
	well func() string // what to say where there is nothing to note
}

// layers go from the REPL to a chip that is selected, known, and parked.
func (d *demoBoard) layers(t *target, c *chip) []layer {
	return []layer{
		{"board", func(context.Context) error {
			err := d.identify(c.board)
			c.board, c.device = d.board, d.facts.ID
			return err
		}, func() string { return d.board.Name + ", " + d.board.Title }},
		{"DIP switches", d.held, func() string { return "none holds an input" }},
		{"design", func(ctx context.Context) error { return d.choose(ctx, t.demo.design) },
			func() string { return "left as it is" }},
		{"chip ROM", func(context.Context) (err error) {
			c.revision, err = d.revision(t.revision, c.revision)
			return err
		}, func() string { return "revision " + c.revision.String() + ", as the ROM and --revision say" }},
		{"program upload", func(ctx context.Context) error {
			tr, err := d.Start(ctx, rp2040.Config{Name: d.port, Pins: d.pins, High: d.high, Patience: d.wait, Settle: max(t.times.settle, 1), Pulse: max(t.times.pulse, 1)})
			if err != nil {
				return benchFault(err)
			}
			c.Transport = tr
			return nil
		}, func() string { return "the step program runs, the chip is parked" }},
	}
}

// dial finds the port, enters the REPL and asks the board what it is.
func (o *demoFlags) dial(ctx context.Context, where string) (*demoBoard, error) {
	if o.patience <= 0 {
		return nil, fmt.Errorf("--patience %s: has to be more than 0", o.patience)
	}
	name, err := o.findPort(where)
	if err != nil {
		return nil, err
	}
	port, err := ports.Open(name)
	if err != nil {
		return nil, benchFault(err)
	}
	console, err := rp2040.Dial(ctx, port, name)
	if err != nil {
		return nil, benchFault(err)
	}
	d := &demoBoard{Console: console, port: name, wait: o.patience}
	if d.facts, err = console.Facts(ctx); err != nil {
		console.Close()
		return nil, benchFault(err)
	}
	return d, nil
}

func (o *demoFlags) findPort(where string) (string, error) {
	spec := cmp.Or(where, o.port)
	if strings.Contains(spec, "/") {
		return spec, nil
	}
	list, err := ports.List()
	if err != nil {
		return "", benchFault(err)
	}
	p, err := ports.Find(list, spec)
	if err != nil && spec == "" {
		return "", benchFault(err)
	}
	if err != nil {
		return "", fmt.Errorf("--port: %w", err)
	}
	return p.Name, nil
}

// identify settles which board it is; the user's word counts more than the board's.
func (d *demoBoard) identify(named *boards.Board) (err error) {
	d.board = named
	if named == nil {
		if d.board, err = d.detect(); err != nil {
			return err
		}
	}
	if d.pins, d.high, err = d.board.GPIO(); err != nil || d.board.Mux == nil {
		return err
	}
	n, err := d.board.MuxGPIO()
	d.mux = &rp2040.Mux{NRst: n[0], Inc: n[1], Ena: n[2], Select: n[3]}
	return err
}

// detect takes the SDK's word, and the shuttle's where the SDK has none. Without the SDK nothing is tried: to drive pins of
// a wiring that is not known can damage a chip.
func (d *demoBoard) detect() (*boards.Board, error) {
	sdk := d.facts.SDK
	switch {
	case sdk == nil:
		return nil, fmt.Errorf("%s runs MicroPython %s without Tiny Tapeout's SDK, so its wiring is not known: say which with --board (%s, or a file of your own)",
			d.port, d.facts.Firmware, strings.Join(rp2040Boards(), ", "))
	case strings.Contains(d.facts.Machine, "RP2350"):
		return boards.Open("tt-demo-rp2350")
	case strings.HasPrefix(sdk.Carrier, "TT04"):
		return boards.Open("tt-demo-tt04")
	}
	if b := fitting(sdk.Shuttle); b != nil {
		return b, nil
	}
	return nil, benchFault(fmt.Errorf("%s has the SDK %s, a chip of the shuttle %q and a board %q, which fits no board that the bench knows: say which with --board",
		d.port, sdk.Version, sdk.Shuttle, sdk.Carrier))
}

// rp2040Boards are the names of the boards for this transport.
func rp2040Boards() (names []string) {
	for _, name := range boards.Names() {
		if b, err := boards.Open(name); err == nil && b.Transport == "rp2040" {
			names = append(names, name)
		}
	}
	return names
}

// fitting is the board whose file names the shuttle, nil when none does.
func fitting(shuttle string) *boards.Board {
	for _, name := range rp2040Boards() {
		if b, err := boards.Open(name); err == nil && slices.Contains(b.Shuttles, shuttle) {
			return b
		}
	}
	return nil
}

// held refuses a board on which something holds an input of the chip high against the bench.
func (d *demoBoard) held(ctx context.Context) error {
	loose, fast, err := d.Held(ctx, d.pins)
	switch {
	case err != nil:
		return benchFault(err)
	case len(fast) > 0:
		return benchFault(fmt.Errorf("something holds %s high against the bench: switch the board's DIP switches off, and look for a short to the supply", inputs(fast)))
	case len(loose) > 0:
		d.note("%s held high by something that gives way, such as a DIP switch that is on: switch it off", inputs(loose))
	}
	return nil
}

func inputs(bits []int) string {
	var names []string
	for _, b := range bits {
		names = append(names, fmt.Sprint("ui", b))
	}
	return strings.Join(names, ", ")
}

// choose reads the chip's ROM and selects the design, through the SDK where it is there.
func (d *demoBoard) choose(ctx context.Context, design string) error {
	switch {
	case d.facts.SDK != nil:
		d.rom = &d.facts.SDK.ROM
		return d.enable(ctx, design)
	case design == "none":
		return nil
	case d.mux != nil:
		return d.pulse(ctx, design)
	case design != "":
		return fmt.Errorf("--design %s: the board %s says nothing of the shuttle's mux, so the bench cannot select a design: do it by other means, or name the mux's pins in a board file", design, d.board.Name)
	}
	return nil
}

func (d *demoBoard) enable(ctx context.Context, design string) error {
	if design == "none" {
		return nil
	}
	want := rp2040.Design{Name: cmp.Or(design, project)}
	if n, err := strconv.Atoi(design); err == nil {
		want = rp2040.Design{Number: n}
	}
	now, err := d.Enable(ctx, want)
	if err != nil {
		return benchFault(err)
	}
	if want.Name != "" && now.Name != want.Name || want.Name == "" && now.Number != want.Number {
		return benchFault(fmt.Errorf("the chip of the shuttle %s has no design %s, says the SDK: is it the right chip? --design NAME or NUMBER takes another", d.rom.Shuttle, cmp.Or(design, project)))
	}
	d.note("design %s, number %d of %s, selected through the SDK %s", now.Name, now.Number, d.rom.Shuttle, d.facts.SDK.Version)
	if d.facts.SDK.Clock != 0 {
		d.note("the SDK clocked the project at %d Hz: stopped", d.facts.SDK.Clock)
	}
	return nil
}

// pulse selects by the mux; without the SDK nothing knows the designs' names.
func (d *demoBoard) pulse(ctx context.Context, design string) (err error) {
	if d.rom, err = d.ReadROM(ctx, *d.mux, d.pins); err != nil {
		return benchFault(err)
	}
	shuttle := "a shuttle without a ROM"
	if d.rom != nil {
		shuttle = d.rom.Shuttle
	}
	number, err := strconv.Atoi(design)
	if design == "" || design == project {
		number, err = numbers[shuttle], nil
	}
	if err != nil || number < 1 || number > 1023 {
		return benchFault(fmt.Errorf("without Tiny Tapeout's SDK the bench does not know the number of %s on %s: give --design NUMBER, 1 to 1023, from the shuttle's page", cmp.Or(design, project), shuttle))
	}
	if err := d.Select(ctx, *d.mux, d.pins, number); err != nil {
		return benchFault(err)
	}
	d.note("design %d of %s selected by the mux", number, shuttle)
	return nil
}

// checkShuttle holds the ROM's word against the board file.
func (d *demoBoard) checkShuttle() error {
	if len(d.board.Shuttles) == 0 || slices.Contains(d.board.Shuttles, d.rom.Shuttle) {
		return nil
	}
	hint := "if the board's wiring fits, add it to shuttles in a copy of the board file"
	if b := fitting(d.rom.Shuttle); b != nil {
		hint = "try --board " + b.Name
	}
	return benchFault(fmt.Errorf("the chip's ROM says that it is of the shuttle %s, and the board %s is for %s: %s",
		d.rom.Shuttle, d.board.Name, strings.Join(d.board.Shuttles, ", "), hint))
}

// revision checks the ROM's shuttle. The revision is the user's, or follows from the ROM, or is the usual one where there is no ROM.
func (d *demoBoard) revision(named string, usual model.Revision) (model.Revision, error) {
	if d.rom == nil {
		if named == "" {
			d.note("no chip ROM was read, so the chip is taken for %s; --revision takes another", usual)
		}
		return usual, nil
	}
	if err := d.checkShuttle(); err != nil {
		return 0, err
	}
	rev, known := model.OnShuttle(d.rom.Shuttle)
	switch {
	case !known && named == "":
		return 0, fmt.Errorf("the chip's ROM says that it is of the shuttle %s, and the bench does not know which revision that carries: give --revision (tt09 is the later one)", d.rom.Shuttle)
	case named == "":
		d.note("the chip's ROM says %s, commit %s, so its revision is %s", d.rom.Shuttle, cmp.Or(d.rom.Commit, "unknown"), rev)
		return rev, nil
	case usual != rev || !known:
		d.note("the chip's ROM says %s, and --revision says %s", d.rom.Shuttle, named)
	}
	return usual, nil
}
