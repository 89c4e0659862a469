package station

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"utfbench/boards"
	"utfbench/cause/diagnose"
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

// A Chip is an opened target. Its transport may implement further interfaces.
type Chip struct {
	transport.Transport
	Board         *boards.Board
	Tile          tile.Tile // the reference, in the chip's revision
	ReferenceName string    // description of the reference; "" for the tile's own
	Faults        []fault.Fault
	Seed          uint64
	HasWires      bool        // the lines between bench and chip may be at fault: see diagnose.CheckWiring
	Firmware      string      // of the microcontroller between the bench and the chip; may be ""
	Info          report.Chip // identifies the chip, as far as the bench can tell
	MeasuredTags  files.Tags  // circumstances that the far end has measured; may be nil
	Notes         []string    // for the user, shown before the first result
	TargetArgs    []string    // the flags that select the chip, for suggested commands; nil if unknown

	BrokenWires   *diagnose.WiringReport // faulty wires that AssessWires found
	DoubtfulWires *diagnose.WiringReport // lines that AssessWires found faulty, perhaps by the chip's fault
	UnprovenWires *diagnose.WiringReport // lines that AssessWires did not prove; set if no sample differed

	Budget    time.Duration     // of the wiring check's search; 0 is the default
	Recording *report.Recording // the recording that the transport replays; nil for a chip

	// OpenAnother opens another chip of this kind, for concurrent use. It is nil if there is only one.
	OpenAnother func(context.Context) (transport.Transport, error)

	// OpenTwin opens an RTL simulation of a tile with this chip's simulator; nil unless the chip is a simulation.
	OpenTwin func(context.Context, *gates.Tile) (*driver.Twin, error)

	clash *diagnose.WiringReport // wires that make it unsafe to drive uio; set by Recognise
	acted []atomic.Bool          // whether each fault of the mock has changed a sample; nil for other chips

	// the design at the selected number, by the shuttle's index; may be ""
	at     string
	rom    *rp2040.ROM // the chip's ROM; nil if it was not read
	insist bool        // judge the chip even if it has another design
	other  string      // why it seems to have another design or to be too broken to tell; or ""
	ask    bool        // the revision must be detected

	// factory checks the wires with the chip's factory test, and reopens the chip. why says why the test could not run;
	// it is nil if the test ran. factory is nil if the bench cannot select the test.
	factory func(context.Context) (r *diagnose.WiringReport, why, err error)
}

// IdleFaults returns the injected faults that have not changed any sample yet.
func (c *Chip) IdleFaults() (names []string) {
	if d, is := c.Transport.(interface{ IdleFaults() string }); is && d.IdleFaults() != "" {
		return []string{d.IdleFaults()}
	}
	for i := range c.acted {
		if !c.acted[i].Load() {
			names = append(names, c.Faults[i].String())
		}
	}
	return names
}

func (c *Chip) identify(kind string) {
	c.Info.Kind, c.Info.Board = kind, c.Board.Name
	if len(c.Faults) > 0 {
		c.Info.Faults = fault.Describe(c.Faults, c.Seed)
	}
}

// settle recognises the design of a chip behind wires. It closes a chip that cannot be judged.
func (c *Chip) settle(ctx context.Context) (*Chip, error) {
	if !c.HasWires {
		return c, nil
	}
	if err := c.Recognise(ctx); err != nil {
		return nil, c.leftBy(err)
	}
	return c, nil
}

// leftBy closes a chip that cannot be judged, and adds the final state of its board to the error.
func (c *Chip) leftBy(err error) error {
	c.Close() // LeftState reports a failure to park
	if left := c.LeftState(); left != "" {
		return &BoardStateError{c.String() + ": " + left, err}
	}
	return err
}

// CloseWithNotes closes the chip and returns notes on it for the user, one line each.
func (c *Chip) CloseWithNotes() (said []string) {
	err := c.Close()
	if parted := c.SplitNote(); parted != "" {
		said = append(said, c.String()+": "+parted)
	}
	if left := c.LeftState(); left != "" {
		said = append(said, c.String()+": "+left)
	} else if err != nil {
		said = append(said, fmt.Sprintf("bench: the chip might not be parked: %v", err))
	}
	return said
}

// LeftState returns the state in which a closed chip has left its board. It is "" if the board has confirmed that it
// parked the chip and has no SDK, since people may use an SDK's prompt.
func (c *Chip) LeftState() string {
	if b, is := c.StepTransport().(interface{ BoardState() rp2040.BoardState }); is {
		if left := b.BoardState(); left.SDKInstalled || left.ParksAfter > 0 {
			return left.String()
		}
	}
	return ""
}

// OriginTransport returns the transport that took the samples: for a recording, the recorded run's.
func (c *Chip) OriginTransport() string {
	if c.Recording != nil {
		return c.Recording.Start.Transport
	}
	return c.String()
}

// Recognise checks that the chip has this design, and detects its revision if that is unknown. It drives no line of
// uio, since another design might drive against the bench. It also recognises a chip behind a bad wire; the wiring
// check then finds the wire. Target.Open calls Recognise.
func (c *Chip) Recognise(ctx context.Context) error {
	found, err := driver.Recognise(ctx, c.Transport, c.Tile)
	switch {
	case err != nil:
		return failure.TransportError(ctx, err)
	case found.OK:
		return c.askRevision(ctx)
	case c.insist:
		c.other = found.Text
		return c.askRevision(ctx)
	}
	alike, err := diagnose.IsBehindOneBadWire(ctx, c.Tile, &found.Trace)
	switch {
	case err != nil:
		return failure.TransportError(ctx, err)
	case found.LikelyMiswired || alike:
		c.Notes = append(c.Notes, "it looks like this design behind a bad wire: "+found.Text)
		c.clash, err = diagnose.CheckContention(ctx, c.Tile, &found.Trace)
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
	at    string // the design at the selected number, by the shuttle's index; may be ""
	proof string // finding of the factory test about board and cable; "" if it did not run
}

func (e *otherDesignError) Error() string {
	all := []string{"what answers is not this design, or too broken to tell: " + e.seen, e.at, e.proof,
		"to test another design of the chip, give --tile FILE.pack:NAME; --insist judges this one all the same"}
	if e.proof == "" {
		all[2] = "is it selected, powered, and is the board in its socket?"
	}
	return strings.Join(slices.DeleteFunc(all, func(line string) bool { return line == "" }), "\n  ")
}

// goodBoard is the proof of an otherDesignError if the factory test has passed.
const goodBoard = "the factory test passes, so board and cable are good: it is the design, or its number"

func (c *Chip) askRevision(ctx context.Context) error {
	if !c.ask {
		return nil
	}
	rev, found, err := driver.DetectRevision(ctx, c.Transport, c.Tile)
	switch {
	case err != nil:
		return failure.TransportError(ctx, err)
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
