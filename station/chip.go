package station

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"utfbench/boards"
	"utfbench/cause/wiring"
	"utfbench/driver"
	"utfbench/fault"
	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/runs/report"
	"utfbench/tile"
	"utfbench/tile/gates"
	"utfbench/transport"
	"utfbench/transport/rp2040"
)

// A Chip is an opened target. Query its transport for further abilities.
type Chip struct {
	transport.Transport
	Board        *boards.Board
	Tile         tile.Tile // to compare with, in its revision
	Against      string    // what its reference is, in words; "" is the tile's own
	Faults       []fault.Fault
	Seed         uint64
	HasWires     bool        // between bench and chip, which may be at fault: see package wiring
	Firmware     string      // of a microcontroller in between; may be empty
	Info         report.Chip // which chip this is, as far as the bench can tell
	MeasuredTags files.Tags  // circumstances that the far end tells of itself; may be nil
	Notes        []string    // what a user should know before the first result
	Target       []string    // the flags that name it, for a command that is to be pasted; nil when they are not known
	SeedDrawn    bool        // the seed, by the bench, and it has a part in how the faults act

	BrokenWires   *wiring.Report // wires that are at fault, once AssessWires found some
	DoubtfulWires *wiring.Report // the same, if it may be the chip as well
	Unproven      *wiring.Report // the lines that AssessWires has not proven, if nothing differed

	Budget    time.Duration     // of the wiring check's search; 0 is usual
	Recording *report.Recording // that the transport answers from; nil for a chip

	// OpenAnother opens one more chip of this kind, to be used at the same time; nil if there is only one.
	OpenAnother func(context.Context) (transport.Transport, error)

	// OpenTwin opens an RTL simulation of a tile with this chip's simulator; nil unless the chip is one.
	OpenTwin func(context.Context, *gates.Tile) (*driver.Twin, error)

	clash *wiring.Report // wires behind which driving uio would be unsafe, by Recognise
	acted []atomic.Bool  // which faults of the mock have changed a sample; nil of other chips

	// which design the shuttle index has at the number that was selected; may be empty
	at     string
	rom    *rp2040.ROM // what it says of itself; nil where it was not read
	insist bool        // judge it even if it is another design
	other  string      // why it seems to be another design, or too broken to tell; "" if it is not known to be
	ask    bool        // the chip itself has to be asked for its revision

	// factory checks the wires with the chip's factory test, and reopens the chip; why is the reason if it could not
	// run. It is nil if the bench cannot select that test.
	factory func(context.Context) (r *wiring.Report, why, err error)
}

// IdleFaults returns the faults that were injected that have not changed a sample yet.
func (c *Chip) IdleFaults() (names []string) {
	if d, is := c.Transport.(interface{ Idle() string }); is && d.Idle() != "" {
		return []string{d.Idle()}
	}
	for i := range c.acted {
		if !c.acted[i].Load() {
			names = append(names, c.Faults[i].String())
		}
	}
	return names
}

// identify says which chip this is, once it is open.
func (c *Chip) identify(kind string) {
	c.Info.Kind, c.Info.Board = kind, c.Board.Name
	if len(c.Faults) > 0 {
		c.Info.Faults = fault.Describe(c.Faults, c.Seed)
	}
}

// settle asks a chip behind wires which design it is. A chip that cannot be judged is closed.
func (c *Chip) settle(ctx context.Context) (*Chip, error) {
	if !c.HasWires {
		return c, nil
	}
	if err := c.Recognise(ctx); err != nil {
		return nil, c.leftBy(err)
	}
	return c, nil
}

// leftBy closes a chip that cannot be judged, and adds to the error in which state that leaves a board.
func (c *Chip) leftBy(err error) error {
	c.Close() // LeftState says so if it could not park the chip
	if left := c.LeftState(); left != "" {
		return &BoardStateError{c.String() + ": " + left, err}
	}
	return err
}

// CloseWithNotes closes the chip and returns notes on it for the user, a line each.
func (c *Chip) CloseWithNotes() (said []string) {
	err := c.Close()
	if parted := c.SplitNote(); parted != "" {
		said = append(said, c.String()+": "+parted)
	}
	if left := c.LeftState(); left != "" {
		said = append(said, c.String()+": "+left)
	} else if err != nil {
		said = append(said, fmt.Sprintf("bench: the chip may not be parked: %v", err))
	}
	return said
}

// LeftState returns the state in which a closed chip leaves a board. It is empty if the board said that it parked the
// chip, unless people use the board by its prompt as well.
func (c *Chip) LeftState() string {
	if b, is := c.StepTransport().(interface{ BoardState() rp2040.BoardState }); is {
		if left := b.BoardState(); left.Installed || left.ParksAfter > 0 {
			return left.String()
		}
	}
	return ""
}

// OriginTransport returns the transport of the samples; for a recording, the original one.
func (c *Chip) OriginTransport() string {
	if c.Recording != nil {
		return c.Recording.Start.Transport
	}
	return c.String()
}

// Recognise asks whether the chip is this design, and which revision it is if that is not known yet. Nothing of uio is
// driven before: another design's outputs would drive against the bench, and a good chip would fail. Behind a bad wire
// it is still this one; which wire, the wiring check says. Target.Open has asked already; this is for callers of
// Target.Layers.
func (c *Chip) Recognise(ctx context.Context) error {
	found, err := driver.Recognise(ctx, c.Transport, c.Tile)
	switch {
	case err != nil:
		return failure.OfTransport(ctx, err)
	case found.OK:
		return c.askRevision(ctx)
	case c.insist:
		c.other = found.Text
		return c.askRevision(ctx)
	}
	alike, err := wiring.IsBehindOneBadWire(ctx, c.Tile, &found.Trace)
	switch {
	case err != nil:
		return failure.OfTransport(ctx, err)
	case found.Alike || alike:
		c.Notes = append(c.Notes, "it looks like this design behind a bad wire: "+found.Text)
		c.clash, err = wiring.CheckContention(ctx, c.Tile, &found.Trace)
	default:
		return failure.New(failure.OtherDesign, &otherDesignError{seen: found.Text, at: c.at})
	}
	if c.clash != nil || err != nil {
		return err
	}
	return c.askRevision(ctx)
}

// An otherDesignError reports that a chip does not respond as its tile does.
type otherDesignError struct {
	seen  string // the first wrong sample
	at    string // which design the shuttle index has at the selected number; may be empty
	proof string // what the factory test says about board and cable; "" if it did not run
}

func (e *otherDesignError) Error() string {
	all := []string{"what answers is not this design, or too broken to tell: " + e.seen, e.at, e.proof,
		"to test another design of the chip, give --tile FILE.pack:NAME; --insist judges this one all the same"}
	if e.proof == "" {
		all[2] = "is it selected, powered, and is the board in its socket?"
	}
	return strings.Join(slices.DeleteFunc(all, func(line string) bool { return line == "" }), "\n  ")
}

// goodBoard is the proof of an otherDesignError after a factory test that passed.
const goodBoard = "the factory test passes, so board and cable are good: it is the design, or its number"

// askRevision asks the chip which revision it is, if that is not known yet.
func (c *Chip) askRevision(ctx context.Context) error {
	if !c.ask {
		return nil
	}
	rev, found, err := driver.DetectRevision(ctx, c.Transport, c.Tile)
	switch {
	case err != nil:
		return failure.OfTransport(ctx, err)
	case found.OK:
		c.Tile = rev
		c.Notes = append(c.Notes, fmt.Sprintf("it answers as %[1]s does where the revisions differ, so it is "+
			"compared with %[1]s", rev.Revision()))
	default:
		c.Notes = append(c.Notes, fmt.Sprintf("where the revisions differ it answers as neither, so it is compared "+
			"with %s; --revision takes another", c.Tile.Revision()))
	}
	return nil
}
