package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/runs/explain"
	"utfbench/station"
)

// factoryTile is the design by which a board is calibrated.
const factoryTile = "factory"

// now returns the time of a measurement.
func now() time.Time { return time.Now().UTC().Truncate(time.Second) }

// leave closes a chip and says in which state it leaves a board that people use by its prompt too.
func leave(cmd *cobra.Command, c *station.Chip) { tellLines(cmd.ErrOrStderr(), c.Leave()) }

// stopped returns a transport's error, or the interrupt behind it.
func stopped(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return failure.Newf(failure.Interrupted, "stopped")
	}
	return benchFault(err)
}

// unknownTarget stands where a recording of an older bench does not say it: no command runs on another chip by mistake.
var unknownTarget = []string{"-t", "TRANSPORT"}

// pasted returns a bench command for a chip, to be pasted into a shell.
func pasted(c *station.Chip, words ...string) string {
	if c.Target == nil {
		return printable.Command(slices.Concat(words, unknownTarget)...)
	}
	return printable.Command(slices.Concat(words, other(c.Target, words))...)
}

// other returns the flags of a target, each with one value, that words do not have.
func other(target, words []string) (rest []string) {
	for i := 0; i < len(target); i++ {
		if strings.HasPrefix(target[i], "--") && slices.Contains(words, target[i]) {
			i++
			continue
		}
		rest = append(rest, target[i])
	}
	return rest
}

// vet checks the wires, as bench run does first.
func vet(ctx context.Context, c *station.Chip) error {
	if err := c.Vet(ctx, pasted(c, "wiring")); err != nil {
		return stopped(ctx, err)
	}
	return nil
}

// tellWires prints the fault that vet found and returns its verdict as an error.
func tellWires(w io.Writer, c *station.Chip) error {
	found, what := c.Broken, "the wiring is at fault, and the chip was not judged"
	if found == nil {
		found, what = c.Doubtful, "the chip answers wrongly before the first case, and was not swept; --no-wiring "+
			"sweeps it all the same"
	}
	if found == nil {
		return nil
	}
	fmt.Fprintf(w, "%s, board %s: %s\n", c, c.Board.Name, what)
	explain.Wiring(w, c.Board, found, c.Asked.Unasked())
	return judged(found.Verdict)
}
