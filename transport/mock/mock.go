// Package mock is the chip model as a transport, with faults to inject.
//
// Without faults a step is one call of the model. With faults every phase of a step (levels, clk high, clk low) runs through
// the wires between bench and chip (wires.go), because a fault on clk, rst_n or a bridged pair acts between the phases.
package mock

import (
	"context"
	"sync"

	"utfbench/model"
	"utfbench/transport"
)

// Config says what to open. The zero value is a TT09 chip without faults.
type Config struct {
	Revision model.Revision
	Faults   []Fault
	Seed     uint64 // for faults that act by chance and have no seed of their own

	// PowerUp is what the registers hold before the first reset; nil is what nobody knows.
	PowerUp *model.Registers
}

// A Transport is a chip in memory.
type Transport struct {
	name  string
	chip  *model.Chip
	wires *wires // nil without faults

	mu     sync.Mutex // Close may come while a batch is being applied
	last   transport.Step
	closed bool
}

var (
	_ transport.Transport = (*Transport)(nil)
	_ transport.Puller    = (*Transport)(nil)
)

// Open makes a chip before its first reset.
func Open(c Config) *Transport {
	t := &Transport{name: "mock:" + c.Revision.String(), chip: model.New(c.Revision), last: transport.Park}
	if c.PowerUp != nil {
		t.chip.PowerUp(*c.PowerUp)
	}
	for _, f := range c.Faults {
		t.name += " with " + f.String()
	}
	if len(c.Faults) > 0 {
		t.wires = newWires(t.chip, c.Faults, c.Seed)
	}
	return t
}

func (t *Transport) String() string { return t.name }

// Apply implements transport.Transport. It looks at ctx once a batch: a full batch takes less than a millisecond.
func (t *Transport) Apply(ctx context.Context, steps []transport.Step, samples []transport.Sample) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return 0, transport.ErrClosed
	}
	if err := transport.CheckBatch(ctx, steps, samples); err != nil {
		return 0, err
	}
	if len(steps) == 0 {
		return 0, nil
	}
	if t.wires == nil {
		t.chip.Run(steps, samples)
	} else {
		for i := range steps {
			samples[i] = t.wires.step(steps[i])
		}
	}
	t.last = steps[len(steps)-1]
	return len(steps), nil
}

// Pull implements transport.Puller. Without faults there is nothing to see of it.
func (t *Transport) Pull(_ context.Context, p transport.Pull) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.wires != nil {
		t.wires.pull = p
	}
	return nil
}

// Put is a part of a step, for a fake whose pins move one at a time: levels on the lines in drive, as bits in the order of
// Lines, clk among them. It gives what the bench's ends show then, and which bits of that nobody knows.
func (t *Transport) Put(levels, drive uint32) (seen, unknown uint32) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.wires == nil {
		t.wires = newWires(t.chip, nil, 0)
	}
	l := t.wires.phase(level{v: levels & drive}, drive)
	return l.v, l.x
}

// Close parks the chip.
func (t *Transport) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed, t.last = true, transport.Park
	return nil
}

// Pins is what the bench side puts on the lines now.
func (t *Transport) Pins() transport.Step {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.last
}
