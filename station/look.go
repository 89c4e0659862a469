package station

import (
	"fmt"
	"slices"
	"strings"

	"utfbench/driver"
	"utfbench/internal/printable"
	"utfbench/runs/report"
)

// Look returns what to look at after a run, in sentences; "" if there is nothing to say.
func (c *Chip) Look(t *driver.Tally) string {
	text := c.BadWires("\n  ")
	if c.Broken == nil {
		text = report.NextLook(t, c.Tile, c.Injected())
	}
	if c.Doubtful != nil && t.Verdicts[driver.Fail] > 0 {
		text = fmt.Sprintf("Before the first vector: %s. %s", c.Doubtful.Why, text)
	}
	if idle := report.IdleFaults(c.IdleFaults()); idle != "" {
		text += " " + idle
	}
	return strings.TrimSpace(text)
}

// Command returns a bench command for the chip, to be pasted into a shell. A recording of an older bench may not say
// which chip it is: then the command asks for it, so that none runs on another chip by mistake.
func (c *Chip) Command(words ...string) string {
	rest := []string{"-t", "TRANSPORT"}
	if c.Target != nil {
		rest = nil
	}
	for i := 0; i < len(c.Target); i++ {
		if strings.HasPrefix(c.Target[i], "--") && slices.Contains(words, c.Target[i]) {
			i++ // the words have another value of this flag
			continue
		}
		rest = append(rest, c.Target[i])
	}
	return printable.Command(slices.Concat(words, rest)...)
}

// Wiring returns the command that says more of the chip's wires, for Run.See.
func (c *Chip) Wiring() string { return c.Command("wiring") }
