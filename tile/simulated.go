package tile

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"utfbench/transport"
)

// Simulated is a tile compared with a simulation. Its own reference determines which levels are independent of the
// power-up state and floating lines; only these are known, and only until the two differ.
type Simulated struct {
	lent
	*simulations
}

var (
	_ Turner = Simulated{}
	_ Cabled = Simulated{}
)

// simulations holds idle simulations for further references.
type simulations struct {
	name string
	open func() (transport.Transport, error)

	mu   sync.Mutex
	idle []transport.Transport
}

// NewSimulated returns a tile compared with a simulation. It opens another simulation for each reference in
// simultaneous use. Close it after use.
func NewSimulated(t Tile, first transport.Transport, open func() (transport.Transport, error)) Simulated {
	return Simulated{lent{t}, &simulations{name: first.String(), open: open, idle: []transport.Transport{first}}}
}

// String returns the name of the simulation.
func (s Simulated) String() string { return s.name }

// Turns implements Turner.
func (s Simulated) Turns() uint8 {
	if t, turns := s.Tile.(Turner); turns {
		return t.Turns()
	}
	return 0
}

// Turn implements Turner.
func (s Simulated) Turn(ctx context.Context, steps []transport.Step) error {
	if t, turns := s.Tile.(Turner); turns {
		return t.Turn(ctx, steps)
	}
	return nil
}

// Cable implements Cabled.
func (s Simulated) Cable(ctx context.Context) ([]transport.Step, error) { return Cable(ctx, s.Tile) }

// New implements Tile.
func (s Simulated) New() Reference { return &simulated{all: s.simulations, knows: s.Tile.New()} }

// Close closes the idle simulations. The tile's own reference stays open.
func (s *simulations) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, sim := range s.idle {
		sim.Close()
	}
	s.idle = nil
	return nil
}

// take returns an unused simulation.
func (s *simulations) take() (transport.Transport, error) {
	s.mu.Lock()
	if n := len(s.idle); n > 0 {
		sim := s.idle[n-1]
		s.idle = s.idle[:n-1]
		s.mu.Unlock()
		return sim, nil
	}
	s.mu.Unlock()
	return s.open()
}

// simulated takes a simulation at its first step. The simulation's prior state does not matter: levels that depend on
// it are unknown to the tile's own reference.
type simulated struct {
	all    *simulations
	sim    transport.Transport
	knows  Reference
	known  []transport.Sample
	steps  int
	differ *Dispute
	failed bool
}

// A Dispute is the error of a simulation that differs from the tile's own reference. The samples that come with it are
// valid: from that step on they are unknown.
type Dispute struct {
	Step  int // from 0, since the reference's first
	Lines transport.Outputs
}

func (d *Dispute) Error() string {
	return fmt.Sprintf("at step %d the simulation differs from the gates of the same sources on %s, so neither judges "+
		"the chip from there on: the simulator takes an X in a condition as false (--simulator verilator has no X), "+
		"or the sources simulate otherwise than they synthesise (bench tile check)", d.Step+1,
		strings.Join(d.Lines.Names(), ", "))
}

func (r *simulated) Run(steps []transport.Step, samples []transport.Sample) (err error) {
	if r.sim == nil {
		if r.sim, err = r.all.take(); err != nil {
			return err
		}
	}
	r.known = append(r.known[:0], make([]transport.Sample, len(steps))...)
	if err = r.knows.Run(steps, r.known); err == nil {
		_, err = transport.Apply(context.Background(), r.sim, steps, samples[:len(steps)])
	}
	r.failed = err != nil
	if r.failed {
		return err
	}
	for i, known := range r.known {
		samples[i].Forget(known.Unknown() | samples[i].Vague())
		if lines := known.Differ(samples[i]); lines != 0 && r.differ == nil {
			r.differ = &Dispute{r.steps + i, lines}
		}
		if r.differ != nil {
			samples[i] = transport.Sample{OutX: 0xFF, IOX: 0xFF}
		}
	}
	if r.steps += len(steps); r.differ != nil {
		return r.differ
	}
	return nil
}

// Close returns the simulation for reuse, or closes it after a failure.
func (r *simulated) Close() error {
	Done(r.knows)
	switch {
	case r.sim == nil:
	case r.failed:
		r.sim.Close()
	default:
		r.all.mu.Lock()
		r.all.idle = append(r.all.idle, r.sim)
		r.all.mu.Unlock()
	}
	r.sim = nil
	return nil
}
