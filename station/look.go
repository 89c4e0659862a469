package station

import (
	"fmt"
	"strings"

	"utfbench/driver"
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
