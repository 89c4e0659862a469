package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"utfbench/cause/wiring"
	"utfbench/internal/failure"
	"utfbench/runs/identity"
	"utfbench/runs/plan"
	"utfbench/runs/report"
	"utfbench/station"
)

// A chip is a target opened by a command.
type chip struct {
	*station.Chip
	broken   *wiring.Report // wires that are at fault, once checkWires found some
	doubtful *wiring.Report // the same, if it may be the chip as well
	target   []string       // the flags that name it, for a command that is to be pasted; nil when they are not known
	drawn    bool           // the seed, by the bench, and it has a part in how the faults act
	errOut   io.Writer      // for leave
}

// leave closes the chip and says in which state it leaves a board that people use by its prompt too.
func (c *chip) leave() {
	err := c.Close()
	if parted := c.Parted(); parted != "" {
		fmt.Fprintf(c.errOut, "%s: %s\n", c, parted)
	}
	if left := c.Left(); left != "" {
		fmt.Fprintf(c.errOut, "%s: %s\n", c, left)
	} else if err != nil {
		fmt.Fprintf(c.errOut, "bench: the chip may not be parked: %v\n", err)
	}
}

// identity says what a run asks.
func (c *chip) identity(p plan.Plan) identity.Identity {
	return identity.Identity{Chip: c.Asked, Tile: c.Tile.Name(), Revision: c.Tile.Revision(), Against: c.Against,
		Digest: p.Digest}
}

// run is what is known before the first vector.
func (c *chip) run(p plan.Plan) report.Run {
	host, _ := os.Hostname() // a machine may have no name
	return report.Run{Version: version(), Transport: c.String(), Identity: c.identity(p),
		Target: c.target, Notes: c.Notes,
		Seed: c.Seed, Vectors: p.Vectors, Count: p.Count,
		Firmware: c.Firmware, Host: strings.TrimSpace(host + " " + runtime.GOOS + "/" + runtime.GOARCH),
		Started: time.Now(), Asked: p.Asked, Wires: c.wires()}
}

// stopped is the error of a transport, or an interrupt.
func (c *chip) stopped(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return failure.Newf(failure.Interrupted, "stopped")
	}
	return benchFault(err)
}

// injected says how the faults come again; it is empty without any.
func (c *chip) injected() string {
	if len(c.Faults) == 0 {
		return ""
	}
	return fmt.Sprintf("Faults were injected; with --seed %d they act the same way again.", c.Seed)
}
