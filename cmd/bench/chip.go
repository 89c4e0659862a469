package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"utfbench/boards"
	"utfbench/fault"
	"utfbench/identity"
	"utfbench/model"
	"utfbench/record"
	"utfbench/report"
	"utfbench/transport"
	"utfbench/transport/rp2040"
	"utfbench/wiring"
)

// A chip is a target opened.
type chip struct {
	transport.Transport
	board    *boards.Board
	revision model.Revision // to compare with
	faults   []fault.Fault
	seed     uint64
	broken   *wiring.Report // wires that are at fault, once checkWires found some
	wires    bool           // there are some that may be at fault
	device   string         // what tells this board from others of its kind; may be empty
	firmware string         // of a microcontroller in between; may be empty
	rom      string         // what the chip's ROM says; may be empty
	design   string         // which one was asked for, where there may be several; see identity.Chip
	sources  string         // of a simulation, see identity.Chip
	notes    []string       // what a user should know before the first result

	asked  identity.Chip // what all of this comes to
	target []string      // the flags that name it, for a command that is to be pasted; nil when they are not known
	drawn  bool          // the seed, by the bench, and it has a part in how the faults act

	// another opens one more chip of this kind, to be used at the same time; nil where there is only one.
	another func(context.Context) (transport.Transport, error)

	recording *record.Recording // that the transport answers from; nil for a chip

	at     string    // which design the shuttle index has at the number that was selected, for a sentence; may be empty
	insist bool      // judge it also when it is another design
	ask    bool      // the chip itself has to be asked for its revision
	errOut io.Writer // for leave
}

// settle finds out whether what was opened behind wires is this design at all, and which revision where nothing else says it.
func (c *chip) settle(ctx context.Context) (err error) {
	if !c.wires {
		return nil
	}
	if err = c.recognise(ctx); err == nil && c.ask {
		err = c.tellRevision(ctx)
	}
	if err != nil {
		c.leave()
	}
	return err
}

// leave closes the chip and says in which state it leaves a board that people use by its prompt too.
func (c *chip) leave() {
	c.Close()
	if b, ok := c.Transport.(interface{ Left() rp2040.Left }); ok && b.Left().Installed {
		fmt.Fprintf(c.errOut, "%s: %s\n", c, b.Left())
	}
}

// origin is the transport that the answers come from: of a recording, that which it was made with.
func (c *chip) origin() string {
	if c.recording != nil {
		return c.recording.Start.Transport
	}
	return c.String()
}

// identity says what a run asks.
func (c *chip) identity(p plan) identity.Identity {
	return identity.Identity{Chip: c.asked, Revision: c.revision.String(), Digest: p.digest}
}

// run is what is known before the first vector.
func (c *chip) run(p plan) report.Run {
	host, _ := os.Hostname() // a machine may have no name
	return report.Run{Version: version(), Transport: c.String(), Identity: c.identity(p), Target: c.target, Notes: c.notes,
		Seed: c.seed, Vectors: p.vectors, Count: p.count,
		Firmware: c.firmware, Host: strings.TrimSpace(host + " " + runtime.GOOS + "/" + runtime.GOARCH), Started: time.Now()}
}

// identify says which chip this is, once it is open.
func (c *chip) identify(kind string) {
	c.asked = identity.Chip{Kind: kind, Board: c.board.Name, Device: c.device, ROM: c.rom, Design: c.design, Sources: c.sources,
		Faults: fault.Describe(c.faults, c.seed)}
}
