package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"
)

// defaultTime is well above what wires of a hand's length ring, and the some 20 ns that the shuttle's mux takes on the way in and
// out; see gpio.DefaultSettle.
const defaultTime = 200 * time.Nanosecond

// times are for transports that let the bench choose them.
type times struct{ settle, pulse time.Duration }

// check refuses what is out of range; longest is what the transport allows.
func (t *times) check(longest time.Duration) error {
	for name, d := range map[string]time.Duration{"settle": t.settle, "pulse": t.pulse} {
		if d < 0 || d > longest {
			return fmt.Errorf("--%s %s: allowed is 0 to %s", name, d, longest)
		}
	}
	return nil
}

func (t *times) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.DurationVar(&t.settle, "settle", defaultTime, "for gpio and rp2040: how long changed levels settle, at least; the wires ring, and the shuttle's mux takes its time")
	f.DurationVar(&t.pulse, "pulse", defaultTime, "for gpio and rp2040: how long each half of a clock pulse is, at least; for the same reasons")
}
