// Package station is a test station as a library. A [Run] runs vectors on a chip and judges it. A program fills it in
// and calls Plan, Open, Prepare, Judge and Close; a [report.Reporter] receives the results. The package prints only to
// given writers, and parses no command line: messages name fields by the options of the program bench, such as --board,
// that set them.
//
// A [Target] names the chip. Begin with [NewTarget] and change its fields. [Target.Options] returns the fields as
// flags, for command lines, settings and recordings. [Target.Open] returns a [Chip]: a transport with its board, its
// reference and its identity. Before it drives any line of uio, it recognises the design of a chip behind wires. A
// [Kind] is a kind of transport. [Kinds] need at most a serial port; package native adds the others.
//
// [failure.KindOf] classifies an error, such as bad input, a fault of the bench, or a chip with another design.
package station

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"utfbench/boards"
	"utfbench/fault"
	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/tile/project"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/rp2040"
)

// A Target is a chip as the user named it. A Kind ignores the fields that it does not use, except that it refuses
// Faults, a Speed and another kind's Board.
type Target struct {
	Tile      tile.Tile // the design; its revision is the default
	TileName  string    // the user's name for the design; "" for a built-in one
	Transport string    // KIND[:WHERE]
	Board     string    // name of a board, or path of its file; "" is the transport's board, or the detected one
	Revision  string    // the revision to compare with; "" is determined by the chip's ROM or the board
	Faults    []string  // faults to inject: see fault.BitNames.Syntax, and gates.ParseCellFault
	Seed      uint64    // seed of everything random; 0 means 1, or one that is drawn if faults are random

	// the design to select, by name or number; "" is the tile's design, "none" keeps the selection
	Design   string
	Patience time.Duration // timeout for responses of an rp2040 board, more than 0
	// OpenSerial opens a board's serial port; nil opens a port of this machine. A browser sets its own.
	OpenSerial func(ctx context.Context, port string) (io.ReadWriteCloser, error)
	// override safety checks: select a dangerous design, judge a chip that behaves like another design
	Insist bool
	// judge by the vectors alone, without the tile's reference
	NoReference bool

	// FirstContact makes Examine also measure the bench's assumptions about the board.
	FirstContact bool

	Speed Speed // for mock and rp2040

	// for gpio and rp2040: minimum times for levels to settle and for half a clock pulse; 0 or more
	Settle, Pulse time.Duration

	Simulation Simulation // for verilog

	// for replay: returns the path of a RUN; if nil, a RUN is a path
	FindRecording func(run string) (path string, err error)
	// TileOpener opens the tile of TileName. If it is nil, only built-in tiles are found.
	TileOpener func(ctx context.Context, of *Target) (tile.Tile, error)
	// let TileOpener open a project without gates if its RTL cannot be synthesised
	WithoutGates bool
	ShowActivity func(what string) (done func()) // shows a lengthy activity until done is called; may be nil
	Kinds        []Kind                          // the allowed kinds; nil means Kinds()

	// CompareCommit reports whether a project's sources match a commit, and which one is checked out; may be nil.
	CompareCommit func(ctx context.Context, p *project.Project, commit string) (same bool, head string, err error)
}

// A Simulation holds the user's options for the simulation of a design.
type Simulation struct {
	Simulator string   // icarus, verilator, or auto
	Defines   []string // NAME or NAME=VALUE
}

// DefaultTime is the default minimum time for levels to settle, and for half a clock pulse. Wires as long as a hand
// ring for some tens of nanoseconds, and the shuttle's mux adds some 20 ns in each direction. 200 ns is well above
// their sum, and allows a million steps per second. It has not been verified on a board.
const DefaultTime = 200 * time.Nanosecond

// NewTarget returns a target for the UTF chip, with the defaults of bench.
func NewTarget(transport string) Target {
	return Target{Tile: utf.TT09, Transport: transport, Patience: rp2040.DefaultPatience, Settle: DefaultTime,
		Pulse: DefaultTime, Simulation: Simulation{Simulator: "auto"}}
}

// OpenTile sets Tile to the design of TileName. The caller must call tile.CloseReference.
func (t *Target) OpenTile(ctx context.Context) error {
	own, found := BuiltIn(t.TileName)
	var err error
	switch {
	case found:
	case t.TileOpener == nil:
		err = failure.Usagef("--tile %s: allowed are %s", t.TileName, strings.Join(TileNames(), ", "))
	default:
		own, err = t.TileOpener(ctx, t)
	}
	if err == nil {
		t.Tile = own
	}
	return err
}

// Open opens the chip. Closing the chip parks it; see [Chip.LeftState] for boards with a prompt.
func (t *Target) Open(ctx context.Context) (*Chip, error) {
	k, where, err := t.FindKind()
	if err != nil {
		return nil, err
	}
	at, err := t.Speed.timing(t.Tile)
	if err != nil {
		return nil, err
	}
	c, err := t.reach(ctx, &k, where)
	if err != nil {
		return nil, err
	}
	if also := gates.UnlistedFilesNote(t.Tile); also != "" && !k.Recorded {
		c.Notes = append(c.Notes, also)
	}
	c.Notes = append(c.Notes, gates.DoubtfulPoints(t.Tile)...)
	if own, is := t.Tile.(*gates.Tile); is && own.About.Analog > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%s of the tile: not tested, the bench compares digital levels only",
			printable.Count(own.About.Analog, "analog pin")))
	}
	if k.Reopenable && len(t.Faults) == 0 { // random faults belong to a single chip
		c.OpenAnother = func(ctx context.Context) (transport.Transport, error) { return t.another(ctx, &k, where, *c) }
	}
	own, err := c.settle(ctx)
	if err != nil {
		return nil, t.askWhy(ctx, &k, c, err)
	}
	c = own
	if err := c.hurry(ctx, at); err != nil {
		c.Close()
		return nil, err
	}
	t.settles(&k, c)
	return c, nil
}

// Check finds bad input without opening anything, and draws the seed. Open reports the same errors.
func (t *Target) Check() error {
	k, _, err := t.FindKind()
	if err == nil {
		_, err = t.prepare(&k)
	}
	if err == nil {
		_, err = t.Speed.timing(t.Tile)
	}
	return err
}

func (t *Target) prepare(k *Kind) (c *Chip, err error) {
	t.drawSeed()
	c = &Chip{Seed: cmp.Or(t.Seed, 1), HasWires: k.HasWires, insist: t.Insist}
	if c.Board, err = t.namedBoard(k.Name); err != nil {
		return nil, err
	}
	if c.Board == nil && k.DefaultBoard != "" {
		if c.Board, err = boards.Open(k.DefaultBoard); err != nil {
			return nil, err
		}
	}
	if c.Tile, err = t.revision(c.Board); err != nil {
		return nil, err
	}
	switch {
	case k.CheckFaults != nil:
		err = k.CheckFaults(t, c)
	case len(t.Faults) > 0:
		err = failure.Usagef("--fault is for the mock: a fault cannot be injected into %s", t.Transport)
	}
	return c, err
}

// drawSeed draws the seed of a run with random faults unless it is given. Other runs have the seed 1.
func (t *Target) drawSeed() {
	var c Chip
	if t.Seed == 0 && wireFaults(t, &c) == nil && fault.DependOnSeed(c.Faults) { // prepare reports the error
		t.Seed = 1 + rand.Uint64N(999_999)
	}
}

// another opens one more chip like c. It refuses a chip that differs, since the design may have been edited meanwhile.
func (t *Target) another(ctx context.Context, k *Kind, where string, c Chip) (transport.Transport, error) {
	first := c.Info
	tr, err := k.Open(ctx, t, where, &c)
	if err != nil {
		return nil, err
	}
	c.identify(k.Name)
	if differ := c.Info.Differences(&first); len(differ) > 0 {
		tr.Close()
		return nil, fmt.Errorf("the design changed while it was opened: %w", differ[0])
	}
	return tr, nil
}

// namedBoard opens the board that the user has named for this kind of transport, or returns nil if there is none.
func (t *Target) namedBoard(kind string) (*boards.Board, error) {
	if t.Board == "" {
		return nil, nil
	}
	b, err := boards.Open(t.Board)
	if err != nil {
		return nil, failure.Usagef("--board: %w", err)
	}
	if b.Transport != kind {
		return nil, failure.Usagef("--board %s is for the transport %s, not for %s", t.Board, b.Transport, kind)
	}
	return b, nil
}

// revision returns the tile in the user's revision, or else the board's, or else its own. The board may be nil.
func (t *Target) revision(b *boards.Board) (tile.Tile, error) {
	name := t.Revision
	if name == "" && b != nil && len(t.Tile.Others()) > 0 { // a design with one revision does not depend on the board
		name = b.Revision
	}
	return tile.WithRevision(t.Tile, name)
}

// CheckTimes refuses times out of range. longest is the limit of the transport.
func (t *Target) CheckTimes(longest time.Duration) error {
	for name, d := range map[string]time.Duration{"settle": t.Settle, "pulse": t.Pulse} {
		if d < 0 || d > longest {
			return failure.Usagef("--%s %s: allowed is 0 to %s", name, d, longest)
		}
	}
	return nil
}

// FindKind returns the kind of transport that the user has named, and WHERE.
func (t *Target) FindKind() (k Kind, where string, err error) {
	all := t.kinds()
	name, where, _ := strings.Cut(t.Transport, ":")
	var known []string
	for _, k := range all {
		known = append(known, k.Name)
	}
	i := slices.Index(known, name)
	if i < 0 {
		hint := failure.DidYouMean(name, known)
		switch {
		case name == "icarus", name == "verilator":
			hint = fmt.Sprintf(" (did you mean -t verilog --simulator %s?)", name)
		case strings.HasPrefix(name, "/dev/"):
			hint = fmt.Sprintf(" (did you mean -t rp2040:%s?)", name)
		}
		return k, "", failure.Usagef("transport %q: unknown kind %q%s: allowed are %s", t.Transport, name, hint,
			strings.Join(known, ", "))
	}
	return all[i], where, nil
}

// builtIn lists the tiles that have a model in this program.
var builtIn = []tile.Tile{utf.TT09, tile.FactoryTest{}}

// TileNames returns the names of the built-in tiles.
func TileNames() (all []string) {
	for _, t := range builtIn {
		all = append(all, t.Name())
	}
	return all
}

// BuiltIn returns the built-in tile with a name.
func BuiltIn(name string) (t tile.Tile, found bool) {
	i := slices.IndexFunc(builtIn, func(t tile.Tile) bool { return t.Name() == name })
	if i >= 0 {
		t = builtIn[i]
	}
	return t, i >= 0
}

// reach opens the transport, but does not recognise the chip.
func (t *Target) reach(ctx context.Context, k *Kind, where string) (*Chip, error) {
	c, err := t.prepare(k)
	if err != nil {
		return nil, err
	}
	if c.Transport, err = k.Open(ctx, t, where, c); err != nil {
		return nil, err
	}
	if c.Recording != nil {
		return c, nil
	}
	if c.Info.Kind == "" { // otherwise Open has identified the chip
		c.identify(k.Name)
	}
	c.TargetArgs = t.Args()
	return c, nil
}

// A BoardStateError reports that a target could not be opened, and its board's final state; see Chip.LeftState.
type BoardStateError struct {
	BoardState string
	err        error
}

func (e *BoardStateError) Error() string { return e.err.Error() }

// Unwrap returns the underlying error.
func (e *BoardStateError) Unwrap() error { return e.err }

func benchFault(err error) error { return failure.New(failure.Bench, err) }
